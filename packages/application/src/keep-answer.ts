import type { Stores } from '@slipstream/ports';

/** Under which stores carry the way to keep an answer, when the request that uses them asked for that. */
export const KEEP_ANSWER = Symbol('keep answer');

export type KeepAnswer = (answer: unknown) => Promise<void>;

/**
 * Said by a use case inside its last unit of work, with exactly what it will answer: under an Idempotency-Key the answer
 * is then kept together with the change (contract 1). Without one it does nothing.
 */
export async function keepAnswer(
  stores: Stores & { readonly [KEEP_ANSWER]?: KeepAnswer },
  answer: unknown,
): Promise<void> {
  await stores[KEEP_ANSWER]?.(answer);
}
