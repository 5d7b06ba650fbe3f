const LOADED = Symbol.for('@slipstream/domain');
const host = globalThis as { [LOADED]?: string };
/** Undefined in hosts whose modules have no address. */
const here = (import.meta as { readonly url?: string }).url ?? 'a bundle';

/**
 * Each copy of this package has its own decimals, which another copy refuses in the middle of a calculation. So a second
 * copy fails at loading.
 */
if (host[LOADED] !== undefined && host[LOADED] !== here) {
  throw new Error(
    `There are two copies of @slipstream/domain in this process: ${host[LOADED]} and ${here}. Their decimals do not mix: install it once, as a peer of the packages that use it.`,
  );
}
host[LOADED] = here;
