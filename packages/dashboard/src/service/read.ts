import { useSignal } from '@preact/signals';
import type { Client } from '@slipstream/client';
import { useCallback, useEffect } from 'preact/hooks';
import { session } from '../session/session.js';
import { sentenceOf } from './failures.js';
import { call } from './service.js';

/** A read of the service: what it answered last, and whether the latest attempt failed. */
export interface Read<Answer> {
  readonly data: Answer | undefined;
  readonly error: string | undefined;
  readonly isLoading: boolean;
  /** Reads again; what is there stays until the answer comes. */
  again(): void;
}

/** Reads when the page opens, when `key` changes, and every `every` milliseconds. A key of null reads nothing. */
export function useRead<Answer>(
  key: string | null,
  ask: (client: Client) => Promise<Answer>,
  every?: number,
): Read<Answer> {
  const user = session.value?.userId;
  const state = useSignal<{ key?: string | null; data?: Answer; error?: string; busy: boolean }>({
    busy: true,
  });
  const round = useSignal(0);
  const again = useCallback(() => {
    round.value += 1;
  }, [round]);
  useEffect(() => {
    if (key === null) return undefined;
    let isOver = false;
    state.value = { ...(state.peek().key === key ? state.peek() : {}), key, busy: true };
    call(ask).then(
      (data) => {
        if (!isOver) state.value = { key, data, busy: false };
      },
      (error: unknown) => {
        if (!isOver) state.value = { ...state.peek(), error: sentenceOf(error), busy: false };
      },
    );
    return () => {
      isOver = true;
    };
  }, [key, user, round.value]);
  useEffect(() => {
    if (every === undefined || key === null) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, every);
    return () => clearInterval(timer);
  }, [key, every, again]);
  const { data, error, busy } = state.value;
  return { data: key === state.value.key ? data : undefined, error, isLoading: busy, again };
}
