import type { RefusalCode } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';

/** Under which stores carry the way to say that what is kept is a refusal. */
export const SAY_REFUSED = Symbol('say refused');

/** Said by a use case inside a unit of work that keeps nothing but that, and why, a request was refused. */
export function sayRefused(
  stores: Stores & { readonly [SAY_REFUSED]?: (code: RefusalCode) => void },
  code: RefusalCode,
): void {
  stores[SAY_REFUSED]?.(code);
}
