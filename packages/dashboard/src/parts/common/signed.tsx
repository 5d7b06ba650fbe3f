import { change, fallen, tone } from '../../figures/format.js';

/** A signed fraction in its colour. What rounds to zero has neither sign nor colour. */
export function Change({ of }: { readonly of: string | null | undefined }) {
  return <span class={tone(of)}>{change(of)}</span>;
}

/** A drawdown, which the service answers as a positive fraction, with its sign. */
export const Fall = ({ of }: { readonly of: string | null | undefined }) => (
  <Change of={fallen(of)} />
);
