/** What the figures rest on, by the word that stands beside them. */
const MEANINGS: Readonly<Record<string, string>> = {
  simulated: 'Made-up, recorded or unknown prices.',
  replayed: 'Recorded prices, played again.',
  supplied: 'Prices sent by the operator of this service.',
  hypothetical: "Prices of real markets, filled in the strategy's own book: nobody traded them.",
  claimed: 'Told by the owner. This service did not see it.',
  unknown: 'The fill did not record where its prices came from.',
};

/** The basis with its meaning as a sentence. */
export const basisSentence = (basis: string): string => {
  const word = basis.charAt(0).toUpperCase() + basis.slice(1);
  return `${word}: ${MEANINGS[basis] ?? ''}`;
};
