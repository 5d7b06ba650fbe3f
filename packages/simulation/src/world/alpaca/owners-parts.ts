import { type Decimal, ZERO, max } from '@slipstream/domain';

type Holdings = ReadonlyMap<string, Decimal>;

/** Alpaca keeps shares and coins in so many places. */
const PLACES = 9;

/** An amount as Alpaca keeps it. */
export const kept = (amount: Decimal): Decimal => amount.round(PLACES, 0);

/** What is the owner's of each account whatever the bot does, by account and stock. */
export function ownersParts() {
  const least = new Map<string, Map<string, Decimal>>();
  const most = new Map<string, Map<string, Decimal>>();
  return {
    /** The owner has this before the bot. */
    open(account: string, holdings: Holdings): void {
      least.set(account, new Map(holdings));
      most.set(account, new Map(holdings));
    },
    /** So much of each holding must stay: the owner had it before the bot, less what he sold since. */
    least: (account: string): Holdings => least.get(account) ?? new Map(),
    /** The most that may be the owner's: what was there before the bot, and what he bought since. */
    most: (account: string): Holdings => most.get(account) ?? new Map(),
    bought(account: string, stockId: string, amount: Decimal): void {
      const held = most.get(account);
      held?.set(stockId, (held.get(stockId) ?? ZERO).plus(amount));
    },
    sold(account: string, stockId: string, amount: Decimal): void {
      const held = least.get(account);
      const part = held?.get(stockId);
      if (part) held?.set(stockId, max(ZERO, part.minus(amount)));
    },
    /** Each share became so many. */
    scale(account: string, stockId: string, ratio: Decimal): void {
      for (const held of [least.get(account), most.get(account)]) {
        const part = held?.get(stockId);
        if (part) held?.set(stockId, kept(part.times(ratio)));
      }
    },
  };
}
