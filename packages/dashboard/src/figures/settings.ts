import type { Strategy } from '../service/records.js';
import { count, monthly } from './format.js';

/** What an owner can change of a strategy. */
export interface Settings {
  readonly name: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** Whole US dollars a month. */
  readonly price: number;
  readonly private: boolean;
}

/** The settings as they are. */
export const settingsOf = (strategy: Strategy): Settings => ({
  name: strategy.name,
  description: strategy.description,
  categories: strategy.categories,
  price: strategy.price,
  private: strategy.private,
});

const priceOf = (price: number): string => (price === 0 ? 'nothing' : `${monthly(price)} a month`);

/** What the followers do, in words that fit their number. */
const followers = ({ subscriber_count: all }: Strategy, one: string, many: string): string =>
  all === '1' ? `Your one follower ${one}` : `Your ${count(all)} followers ${many}`;

/** What a change does, to followers first; one sentence for each field that differs. */
export function consequencesOf(strategy: Strategy, next: Settings): string[] {
  const before = settingsOf(strategy);
  const hasFollowers = strategy.subscriber_count !== '0';
  const sentences: string[] = [];
  if (next.price !== before.price) {
    if (hasFollowers)
      sentences.push(`${followers(strategy, 'keeps', 'keep')} the price of when they began.`);
    sentences.push(`Who follows from now on pays ${priceOf(next.price)}.`);
  }
  if (next.private && !before.private)
    sentences.push(
      `${hasFollowers ? `${followers(strategy, 'still sees', 'still see')} it. ` : ''}Others no longer find or open it: its rank, its page and its posts are hidden from them.`,
    );
  if (!next.private && before.private)
    sentences.push('Everybody can find it, see its record and follow it.');
  if (
    next.name !== before.name ||
    next.description !== before.description ||
    next.categories.join() !== before.categories.join()
  )
    sentences.push('Name, description and categories change for everybody at once.');
  return sentences.length > 0 ? sentences : ['Nothing differs from what it is.'];
}

/** What the end of a strategy does. */
export function endOf(strategy: Strategy): string[] {
  const { subscriber_count: all, price } = strategy;
  // Followers keep the price of when they began, also where it is free now.
  const refunds =
    price === 0
      ? 'Who pays a price of before gets the unused days back from your earnings.'
      : 'The unused days of months that they paid are refunded from your earnings.';
  return [
    all === '0'
      ? 'Nobody follows it.'
      : `${followers(strategy, 'can', 'can')} no longer see it, and bots that mirror it stop. ${refunds}`,
    'Its open orders are cancelled. Its page and its rank go; the audit log and the ledger stay.',
    'It is refused while a withdrawal is on its way, and where your earnings do not cover the refunds.',
    'Nothing brings it back. Save its report and its record first.',
  ];
}
