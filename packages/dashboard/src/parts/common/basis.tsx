/** What the figures rest on, in a word that stands beside them. */
const MEANINGS: Readonly<Record<string, string>> = {
  simulated: 'Simulated, recorded or unknown prices.',
  replayed: 'Recorded prices, played again.',
  supplied: 'Prices sent by the operator of this service.',
  hypothetical: "Prices of real markets, filled in the strategy's own book: nobody traded them.",
  claimed: 'Told by the owner. This service did not see it.',
  unknown: 'The fill did not record where its prices came from.',
};

/** The basis of figures as a tag. */
export function Basis(props: { readonly of: string }) {
  return (
    <span class="tag caution" title={MEANINGS[props.of]}>
      {props.of}
    </span>
  );
}

const MARKETS: Readonly<Record<string, string>> = {
  demo: 'simulated',
  replay: 'replayed',
  push: 'supplied',
  live: 'hypothetical',
};

/** The basis of one fill, by the market of its quote. */
export const Market = (props: { readonly of: string }) => (
  <Basis of={MARKETS[props.of] ?? 'unknown'} />
);

/** The basis with its meaning as a sentence. */
export const basisSentence = (basis: string): string => {
  const word = basis.charAt(0).toUpperCase() + basis.slice(1);
  return `${word}: ${MEANINGS[basis] ?? ''}`;
};
