/** A broken invariant; `rule` is its id in the list of invariants (L1 … T1), or a word for one of the simulation's own. */
export class Violation extends Error {
  override readonly name = 'Violation';
  constructor(
    readonly rule: string,
    readonly found: string,
  ) {
    super(`${rule}: ${found}`);
  }
}
