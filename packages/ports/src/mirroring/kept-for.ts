import type { Clock } from '../clock.js';
import { BrokerUnreachable } from './broker.js';

/**
 * Keeps an answer of a broker for so long; nobody asks twice at the same time, and no failure is kept. A refusal is that of the
 * account that asked: whoever waited for its answer asks itself. No answer is the broker's: nobody gets one, as a hundred accounts that
 * waited for it one after another would keep the bots of all brokers waiting. Adapters of brokers share it.
 * @throws {BrokerUnreachable} to all who wait, when the broker gave no answer.
 */
export function keptFor<T>(
  clock: Clock,
  lasts: number,
): (name: string, ask: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();
  const start = (name: string, ask: () => Promise<T>): Promise<T> => {
    const begun = { at: clock.now(), answer: ask() };
    kept.set(name, begun);
    begun.answer.catch(() => {
      if (kept.get(name) === begun) kept.delete(name);
    });
    return begun.answer;
  };
  const answerOf = async (name: string, ask: () => Promise<T>): Promise<T> => {
    const found = kept.get(name);
    const now = clock.now();
    // An answer from later than now came while the clock was ahead.
    if (!found || now < found.at || now - found.at >= lasts) return start(name, ask);
    return found.answer.catch((error: unknown) => {
      if (error instanceof BrokerUnreachable) throw error;
      return answerOf(name, ask);
    });
  };
  return answerOf;
}
