import { useSignal } from '@preact/signals';
import type { CallOptions, Client } from '@slipstream/client';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { codeOf, sentenceOf } from './failures.js';
import { keepFocus } from './kept-focus.js';
import { newKey } from './keys.js';
import { call } from './service.js';

interface State<Answer> {
  readonly isBusy: boolean;
  readonly error?: string | undefined;
  readonly code: string | null;
  /** The answer of the last attempt that succeeded. */
  readonly answer?: Answer | undefined;
}

const IDLE = { isBusy: false, code: null } as const;

/**
 * Something that the reader does: a button that waits for its answer. It is marked (`aria-disabled`), not disabled: that would take the
 * focus from whoever goes by the keyboard.
 */
export interface Action<Fields, Answer> extends State<Answer> {
  /** Does nothing while it waits for the answer of an earlier run. */
  run(fields: Fields): Promise<void>;
  /** Forgets the answer, also one that is still to come. */
  reset(): void;
}

/**
 * Makes an action. The same fields keep their Idempotency-Key until an attempt has succeeded, so a second press after a lost
 * answer does nothing twice. `failed` is called after an attempt that failed, which may have taken effect all the same. `same`
 * is what makes two attempts the same, where it is not all fields: what proves the owner differs from press to press.
 */
export function useAction<Fields, Answer>(
  act: (client: Client, fields: Fields, options: CallOptions) => Promise<Answer>,
  after?: (answer: Answer, fields: Fields) => void,
  failed?: () => void,
  same: (fields: Fields) => unknown = (fields) => fields,
): Action<Fields, Answer> {
  const state = useSignal<State<Answer>>(IDLE);
  // What is acted on often leaves.
  useEffect(keepFocus, []);
  const attempt = useRef<readonly [of?: string, key?: string]>([]);
  const latest = useRef({ act, after, failed, same });
  latest.current = { act, after, failed, same };
  const run = useCallback(
    async (fields: Fields) => {
      if (state.peek().isBusy) return;
      const of = JSON.stringify([latest.current.same(fields)]);
      const [before, key] = attempt.current;
      const own = [of, before === of && key ? key : newKey()] as const;
      attempt.current = own;
      state.value = { ...IDLE, isBusy: true };
      /** Shows what came, unless it was reset meanwhile. */
      const end = (came: State<Answer>, isOver: unknown): void => {
        if (attempt.current === own) state.value = came;
        if (isOver && attempt.current[1] === own[1]) attempt.current = [];
      };
      try {
        const answer = await call((client) =>
          latest.current.act(client, fields, { idempotencyKey: own[1] }),
        );
        end({ ...IDLE, answer }, true);
        latest.current.after?.(answer, fields);
      } catch (error) {
        const code = codeOf(error);
        // The code of a key: the first attempt was carried out, so what comes next is another one.
        end({ error: sentenceOf(error), code, isBusy: false }, code?.startsWith('idem'));
        latest.current.failed?.();
      }
    },
    [state],
  );
  const reset = useCallback(() => {
    // The key stays, but no longer as that of the attempt under way.
    attempt.current = [...attempt.current];
    state.value = IDLE;
  }, [state]);
  return { ...state.value, run, reset };
}
