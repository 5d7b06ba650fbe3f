import {
  type AlertRecord,
  type Book,
  type BookChange,
  type Bot,
  type Decimal,
  type Happening,
  type Invoice,
  type Order,
  type StrategyId,
  type Subscription,
  refundedOf,
  statusOf,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { mayKnowName } from '../strategies/access.js';

type Named<Name extends Happening['name']> = { readonly name: Name };

interface OfPayer {
  /** Whether its user may know, before the write, what the strategy is called now. */
  readonly isNamed: boolean;
}

/** What a write says to endpoints: its record without what only reads add to it. */
export type Said =
  | (Named<'order.filled' | 'order.rejected' | 'order.cancelled'> & {
      readonly order: Order;
      readonly book: Book;
    })
  | (Named<'alert.refused'> & { readonly alert: AlertRecord })
  | (Named<'bot.started' | 'bot.stopped' | 'bot.breached' | 'bot.error'> & { readonly bot: Bot })
  | (Named<'subscription.changed'> & { readonly subscription: Subscription } & OfPayer)
  | (Named<'invoice.changed'> & { readonly invoice: Invoice } & OfPayer)
  | (Named<'value.crossed'> & {
      readonly strategyId: StrategyId;
      readonly from: Decimal;
      readonly to: Decimal;
    });

const ofBook = (book: Book, changes: readonly BookChange[]): Said[] =>
  changes.flatMap(({ kind, order }): Said[] =>
    kind === 'filled' || kind === 'cancelled' || kind === 'rejected'
      ? [{ name: `order.${kind}`, order, book }]
      : [],
  );

function ofBot(before: Bot | undefined, bot: Bot): Said[] {
  if (!before) return [];
  const said: Said[] = [];
  if (before.condition === 'off' && bot.condition === 'active')
    said.push({ name: 'bot.started', bot });
  if (before.breach === null && bot.breach !== null) said.push({ name: 'bot.breached', bot });
  if (before.status !== 'error' && bot.status === 'error') said.push({ name: 'bot.error', bot });
  if (before.status !== 'off' && bot.status === 'off') said.push({ name: 'bot.stopped', bot });
  return said;
}

/** Whether its payer sees another invoice: attempts that are still pending look the same. */
const isNews = (before: Invoice | undefined, after: Invoice): boolean =>
  !before || statusOf(before) !== statusOf(after) || !refundedOf(before).eq(refundedOf(after));

/** What a user enters into an own calculation is no news to them. */
const isOtherStanding = (before: Subscription | undefined, after: Subscription): boolean =>
  !before ||
  (['relation', 'status', 'statusReason', 'price', 'renewsAt', 'endsAt'] as const).some(
    (field) => before[field] !== after[field],
  );

const mayName = (
  stores: Stores,
  { userId, strategyId }: Pick<Invoice, 'userId' | 'strategyId'>,
): Promise<boolean> => mayKnowName(stores, userId, strategyId);

type Saving = {
  readonly [Name in keyof Stores]: Stores[Name] extends { save: unknown } ? Name : never;
}[keyof Stores];

/** What `add` and `save` of each store say. Each is asked before the write, when the stores still have what was before. */
type Sayings = {
  readonly [Name in Saving]?: (
    stores: Stores,
    ...given: Parameters<Stores[Name]['save']>
  ) => readonly Said[] | Promise<readonly Said[]>;
};

export const SAYINGS: Sayings = {
  books: (_, book, changes) => ofBook(book, changes),
  alerts: (_, alert) => (alert.verdict === 'refused' ? [{ name: 'alert.refused', alert }] : []),
  bots: async ({ bots }, bot) => ofBot(await bots.find(bot.id), bot),
  invoices: async (stores, invoice) =>
    isNews(await stores.invoices.find(invoice.id), invoice)
      ? [{ name: 'invoice.changed', invoice, isNamed: await mayName(stores, invoice) }]
      : [],
  subscriptions: async (stores, subscription) =>
    isOtherStanding(await stores.subscriptions.find(subscription.id), subscription)
      ? [
          {
            name: 'subscription.changed',
            subscription,
            isNamed: await mayName(stores, subscription),
          },
        ]
      : [],
  valueHistory: async ({ valueHistory }, strategyId, { last: to, lastAt }) => {
    const before = await valueHistory.last(strategyId);
    // Housekeeping saves older buckets merged.
    if (!before || lastAt < before.lastAt || before.last.eq(to)) return [];
    return [{ name: 'value.crossed', strategyId, from: before.last, to }];
  },
};
