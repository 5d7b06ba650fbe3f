/** What the figures rest on, in a word that stands beside them. */
const MEANINGS: Readonly<Record<string, string>> = {
  simulated: 'Simulated, recorded or unknown prices.',
  supplied: 'Prices sent by the operator of this service.',
  hypothetical: "Prices of real markets, filled in the strategy's own book: nobody traded them.",
  claimed: 'Told by the owner. This service did not see it.',
};

/** The basis of figures as a tag. */
export function Basis(props: { readonly of: string }) {
  return (
    <span class="tag caution" title={MEANINGS[props.of]}>
      {props.of}
    </span>
  );
}

/** The basis with its meaning as a sentence. */
export const basisSentence = (basis: string): string => `${basis}: ${MEANINGS[basis] ?? ''}`;
