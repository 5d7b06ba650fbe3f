import { MINUTE, type Timestamp, hasPassed } from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { z } from 'zod';
import { reconnection } from '../reconnection.js';

/** All symbols are asked for so often, in milliseconds. */
const POLLED = 5_000;
/** A symbol that was refused is asked for again after this time: after a change of names a venue knows the new ones late. */
const ASKED_AGAIN = 10 * MINUTE;
/** The most symbols of one request. */
const CHUNK = 200;
/** Quotes stand while they were answered for within this time, and a request is given up after it. */
const PROVED = 10_000;

export interface PollParts {
  /**
   * Asks for these symbols, and takes what is answered for them. `refused` is called at once for a symbol that the venue refuses for
   * sure, and at the end for those that it may have refused with all others.
   */
  ask(
    symbols: readonly string[],
    signal: AbortSignal,
    refused: (symbol: string, reason: string, isSure: boolean) => void,
  ): Promise<void>;
  /** The last quote of the symbol is true no longer: the venue refuses it. */
  withdraw(symbol: string): void;
  readonly random: () => number;
  readonly log: Log;
  /** The name of the source, for its log. */
  readonly name: string;
}

/** The symbols of one request, and what became of it. */
interface Poll {
  readonly symbols: Set<string>;
  readonly pauses: ReturnType<typeof reconnection>;
  asking: AbortController | undefined;
  askedAt: Timestamp;
  answeredAt: Timestamp | undefined;
  /** When it was refused for all its symbols, or Alpaca refused every request: nothing told which. */
  doubtedAt: Timestamp | undefined;
}

/** Asks for symbols again and again, 200 at once. A request that fails takes nothing from those of the others. */
export function alpacaPolls(parts: PollParts, clock: () => Timestamp) {
  const { random, log, name: source } = parts;
  const polls: Poll[] = [];
  const pollOf = new Map<string, Poll>();
  /** When each refused symbol was refused last, the longest ago first. */
  const refusedAt = new Map<string, Timestamp>();
  let failures = 0;

  const newPoll = (): Poll => ({
    symbols: new Set(),
    pauses: reconnection(random),
    asking: undefined,
    askedAt: -Infinity,
    answeredAt: undefined,
    doubtedAt: undefined,
  });
  /** Refused symbols are asked for one by one: beside others each would take a request of theirs. */
  const doubtful = newPoll();

  const add = (symbol: string): void => {
    if (pollOf.has(symbol) || refusedAt.has(symbol)) return;
    let poll = polls.find(({ symbols }) => symbols.size < CHUNK);
    if (!poll) polls.push((poll = newPoll()));
    poll.symbols.add(symbol);
    pollOf.set(symbol, poll);
  };

  const leave = (symbol: string): void => {
    pollOf.get(symbol)?.symbols.delete(symbol);
    pollOf.delete(symbol);
  };

  const refuse = (symbol: string, reason: string): void => {
    if (!pollOf.has(symbol) && !refusedAt.has(symbol)) return;
    const isNew = !refusedAt.delete(symbol);
    refusedAt.set(symbol, clock());
    if (!isNew) return;
    leave(symbol);
    parts.withdraw(symbol);
    log.warn({ source, symbols: [symbol], reason }, 'the market does not list these: no quotes');
  };

  /** Whether other requests were answered since this one was refused as a whole: then it is not Alpaca that refuses all. */
  const isAlone = ({ doubtedAt }: Poll): boolean =>
    doubtedAt !== undefined &&
    [...polls, doubtful].some(({ answeredAt }) => (answeredAt ?? -Infinity) > doubtedAt);

  const ask = async (poll: Poll, symbols: readonly string[]): Promise<void> => {
    const asking = new AbortController();
    poll.asking = asking;
    poll.askedAt = clock();
    poll.pauses.started(poll.askedAt);
    const refused = new Set<string>();
    try {
      await parts.ask(symbols, asking.signal, (symbol, reason, isSure) => {
        if (!isSure && poll !== doubtful && !isAlone(poll)) {
          poll.doubtedAt ??= clock();
          throw new Error(`it answered 400 ${reason}`.trim());
        }
        refused.add(symbol);
        refuse(symbol, reason);
      });
      if (poll.asking !== asking) return;
      poll.doubtedAt = undefined;
      if (refused.size < symbols.length) poll.answeredAt = clock();
      if (poll !== doubtful) return;
      for (const symbol of symbols)
        if (!refused.has(symbol) && refusedAt.delete(symbol)) add(symbol);
    } catch (error) {
      if (poll.asking !== asking) return;
      failures += 1;
      poll.pauses.ended(clock());
      const reason = error instanceof z.ZodError ? 'it cannot be read' : (error as Error).message;
      log.warn(
        { source, symbols: symbols.length, reason },
        'a market gave no quotes; it will be asked again',
      );
    } finally {
      asking.abort();
      if (poll.asking === asking) poll.asking = undefined;
    }
  };

  const askIfDue = (poll: Poll, now: Timestamp, symbols: () => readonly string[]): void => {
    if (poll.asking && hasPassed(PROVED, poll.askedAt, now)) poll.asking.abort();
    if (poll.asking || !hasPassed(POLLED, poll.askedAt, now) || !poll.pauses.isDue(now)) return;
    const wanted = symbols();
    if (wanted.length > 0) void ask(poll, wanted);
  };

  const longestRefused = (now: Timestamp): readonly string[] => {
    const [first] = refusedAt;
    return first && hasPassed(ASKED_AGAIN, first[1], now) ? [first[0]] : [];
  };

  const isProved = ({ answeredAt }: Poll, now: Timestamp): boolean =>
    answeredAt !== undefined && !hasPassed(PROVED, answeredAt, now);

  return {
    add,
    /** The symbol is not asked for any more. */
    remove(symbol: string): void {
      leave(symbol);
      refusedAt.delete(symbol);
    },
    isRefused: (symbol: string): boolean => refusedAt.has(symbol),
    beat(now: Timestamp): void {
      for (const poll of polls) askIfDue(poll, now, () => [...poll.symbols]);
      askIfDue(doubtful, now, () => longestRefused(now));
    },
    /** When the symbol was answered for, if that was so lately that its quote stands. */
    provedAt(symbol: string, now: Timestamp): Timestamp | undefined {
      const poll = pollOf.get(symbol);
      return poll && isProved(poll, now) ? poll.answeredAt : undefined;
    },
    health(now: Timestamp) {
      const answered = [...polls, doubtful].flatMap(({ answeredAt }) => answeredAt ?? []);
      const asked = polls.filter(({ symbols }) => symbols.size > 0);
      return {
        age: answered.length === 0 ? null : now - Math.max(...answered),
        healthy: answered.length > 0 && asked.every((poll) => isProved(poll, now)),
        failures,
      };
    },
    stop(): void {
      for (const poll of [...polls, doubtful]) {
        const last = poll.asking;
        poll.asking = undefined;
        last?.abort();
      }
    },
  };
}
