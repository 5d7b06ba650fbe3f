import { useSignal } from '@preact/signals';
import type { Client } from '@slipstream/client';
import { useCallback, useEffect } from 'preact/hooks';
import { session } from '../session/session.js';
import { sentenceOf } from './failures.js';
import { call } from './service.js';

/** A read of the service: what it answered last, and whether the latest attempt failed. */
export interface Read<Answer> {
  readonly data: Answer | undefined;
  /** Whether there is an answer; an answer may be undefined, as the first of none. */
  readonly isAnswered: boolean;
  readonly error: string | undefined;
  readonly isLoading: boolean;
  /** Reads again; what is there stays until the answer comes. */
  again(): void;
}

interface State<Answer> {
  readonly key?: string | null;
  readonly data?: Answer;
  readonly isAnswered: boolean;
  readonly error?: string;
  readonly busy: boolean;
}

type Ask<Answer> = (client: Client) => Promise<Answer>;

/** Reads when the page opens, when `key` changes, and every `every` milliseconds. A key of null reads nothing. */
export const useRead = <Answer>(
  key: string | null,
  ask: Ask<Answer>,
  every?: number,
): Read<Answer> => useReading(key, ask, { every });

/** Reads beside a channel: once it has told `since`, and again whenever that changes, or every `every` milliseconds. What is there stays until the answer comes. */
export const useReadSince = <Answer>(
  since: string | number | undefined,
  key: string | null,
  ask: Ask<Answer>,
  every?: number,
): Read<Answer> => useReading(since === undefined ? null : key, ask, { since, every });

function useReading<Answer>(
  key: string | null,
  ask: Ask<Answer>,
  { every, since }: { readonly every?: number; readonly since?: string | number },
): Read<Answer> {
  const user = session.value?.userId;
  const state = useSignal<State<Answer>>({ busy: true, isAnswered: false });
  const round = useSignal(0);
  const again = useCallback(() => {
    round.value += 1;
  }, [round]);
  useEffect(() => {
    if (key === null) return undefined;
    let isOver = false;
    const before = state.peek().key === key ? state.peek() : { isAnswered: false };
    state.value = { ...before, key, busy: true };
    call(ask).then(
      (data) => {
        if (!isOver) state.value = { key, data, isAnswered: true, busy: false };
      },
      (error: unknown) => {
        if (!isOver) state.value = { ...state.peek(), error: sentenceOf(error), busy: false };
      },
    );
    return () => {
      isOver = true;
    };
  }, [key, user, since, round.value]);
  useEffect(() => {
    if (every === undefined || key === null) return undefined;
    let frame = 0;
    // A hidden page has no next picture: it reads as soon as it is seen again.
    const timer = setInterval(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(again);
    }, every);
    return () => {
      clearInterval(timer);
      cancelAnimationFrame(frame);
    };
  }, [key, every, again]);
  const { data, error, busy } = state.value;
  const isOfKey = key === state.value.key;
  return {
    data: isOfKey ? data : undefined,
    isAnswered: isOfKey && state.value.isAnswered,
    error,
    isLoading: busy,
    again,
  };
}
