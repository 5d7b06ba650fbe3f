import { useSignal } from '@preact/signals';
import type { CallOptions, Client } from '@slipstream/client';
import { useCallback, useRef } from 'preact/hooks';
import { codeOf, sentenceOf } from './failures.js';
import { newKey } from './keys.js';
import { call } from './service.js';

/** Something that the reader does: a button that waits for its answer. */
export interface Action<Fields, Answer> {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly code: string | null;
  /** The answer of the last attempt that succeeded. */
  readonly answer: Answer | undefined;
  run(fields: Fields): Promise<void>;
  reset(): void;
}

/**
 * Makes an action. The same fields keep their Idempotency-Key until an attempt has succeeded, so a second press after a lost
 * answer does nothing twice.
 */
export function useAction<Fields, Answer>(
  act: (client: Client, fields: Fields, options: CallOptions) => Promise<Answer>,
  after?: (answer: Answer, fields: Fields) => void,
): Action<Fields, Answer> {
  const state = useSignal<{ busy: boolean; error?: string; code: string | null; answer?: Answer }>({
    busy: false,
    code: null,
  });
  const attempt = useRef<{ readonly of: string; readonly key: string } | undefined>(undefined);
  const latest = useRef({ act, after });
  latest.current = { act, after };
  const run = useCallback(
    async (fields: Fields) => {
      if (state.peek().busy) return;
      const of = JSON.stringify(fields) ?? '';
      if (attempt.current?.of !== of) attempt.current = { of, key: newKey() };
      const { key: idempotencyKey } = attempt.current;
      state.value = { busy: true, code: null };
      try {
        const answer = await call((client) =>
          latest.current.act(client, fields, { idempotencyKey }),
        );
        attempt.current = undefined;
        state.value = { busy: false, code: null, answer };
        latest.current.after?.(answer, fields);
      } catch (error) {
        state.value = { busy: false, error: sentenceOf(error), code: codeOf(error) };
      }
    },
    [state],
  );
  const reset = useCallback(() => {
    state.value = { busy: false, code: null };
  }, [state]);
  const { busy, error, code, answer } = state.value;
  return { isBusy: busy, error, code, answer, run, reset };
}
