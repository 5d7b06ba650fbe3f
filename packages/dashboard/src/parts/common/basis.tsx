/** The basis of figures as a tag. */
export const Basis = (props: { readonly of: string }) => (
  <span class="tag caution">{props.of}</span>
);

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
