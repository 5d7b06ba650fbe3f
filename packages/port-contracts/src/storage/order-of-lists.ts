import { decimal, id } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import {
  NOON,
  aBot,
  aBotOrder,
  aMail,
  aNotification,
  aPaymentSource,
  aPost,
  aRefusedAlert,
  aStrategy,
  aSubscription,
  aToken,
  aWithdrawal,
  anEarning,
  anInvoice,
} from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf } from './storage.js';
import { describe, expect, it } from '../testing.js';

type Named = Promise<readonly ({ readonly id: string } | string)[]>;

interface Rows {
  /** Saves a row of that id, made at `NOON`. */
  readonly save: (stores: Stores, name: string) => Promise<void>;
  readonly newestFirst?: readonly ((stores: ReadStores) => Named)[];
  readonly oldestFirst?: readonly ((stores: ReadStores) => Named)[];
}

const user = id<'user'>('user-1');
const strategy = id<'strategy'>('strategy-1');
const all = { limit: 100 };

const ROWS: Readonly<Partial<Record<keyof Stores, Rows>>> = {
  tokens: {
    save: ({ tokens }, name) =>
      tokens.save(aToken({ id: id(name), digest: `digest of ${name}`, userId: user })),
    newestFirst: [({ tokens }) => tokens.listOf(user)],
  },
  strategies: {
    save: ({ strategies }, name) => strategies.save(aStrategy({ id: id(name), userId: user })),
    newestFirst: [({ strategies }) => strategies.ownedBy(user, all)],
    oldestFirst: [({ strategies }) => strategies.live()],
  },
  subscriptions: {
    save: ({ subscriptions }, name) =>
      subscriptions.save(
        aSubscription({ id: id(name), userId: user, strategyId: strategy, status: 'cancelled' }),
      ),
    newestFirst: [({ subscriptions }) => subscriptions.listOfUser(user, all)],
  },
  bots: {
    save: ({ bots }, name) => bots.save(aBot({ id: id(name), userId: user, nextRunAt: NOON })),
    newestFirst: [({ bots }) => bots.listOf(user)],
    oldestFirst: [
      async ({ bots }) => (await bots.due(NOON, 100, 'well')).map((botId) => ({ id: botId })),
    ],
  },
  botOrders: {
    save: ({ botOrders }, name) =>
      botOrders.save(aBotOrder({ id: id(name), botId: id('bot-1'), status: 'open' })),
    newestFirst: [({ botOrders }) => botOrders.list(id('bot-1'), all)],
    oldestFirst: [({ botOrders }) => botOrders.outstanding(id('bot-1'))],
  },
  stockActions: {
    save: ({ stockActions }, name) =>
      stockActions.save({
        id: id(name),
        stockId: id('stock-1'),
        kind: 'cash_dividend',
        figure: decimal('0.25'),
        newShares: null,
        oldShares: null,
        status: 'pending',
        createdAt: NOON,
      }),
    oldestFirst: [({ stockActions }) => stockActions.pending()],
  },
  adjustments: {
    save: ({ adjustments }, name) =>
      adjustments.save({
        id: id(name),
        actionId: id(`action of ${name}`),
        strategyId: strategy,
        stockId: id('stock-1'),
        kind: 'cash_dividend',
        figure: decimal('0.25'),
        amountBefore: decimal('1'),
        amountAfter: decimal('1'),
        cash: decimal('0.25'),
        createdAt: NOON,
      }),
    newestFirst: [({ adjustments }) => adjustments.list(strategy, all)],
    oldestFirst: [({ adjustments }) => adjustments.ledger(strategy)],
  },
  alerts: {
    save: ({ alerts }, name) =>
      alerts.add(aRefusedAlert({ id: id(name), userId: user, strategyId: strategy })),
    newestFirst: [
      ({ alerts }) => alerts.listOfStrategy(strategy, all),
      ({ alerts }) => alerts.listOfUser(user, all),
    ],
    oldestFirst: [
      ({ alerts }) => alerts.expired(NOON + 1, 100),
      ({ alerts }) => alerts.beyond(user, 0, NOON + 9, 100),
    ],
  },
  notifications: {
    save: ({ notifications }, name) =>
      notifications.save(aNotification({ id: id(name), userId: user })),
    newestFirst: [
      ({ notifications }) => notifications.list(user, all),
      ({ notifications }) => notifications.unread(user),
    ],
  },
  posts: {
    save: ({ posts }, name) => posts.save(aPost({ id: id(name), userId: user })),
    newestFirst: [({ posts }) => posts.list([user], all)],
  },
  mails: {
    save: ({ mails }, name) => mails.save(aMail({ id: id(name), userId: user })),
    oldestFirst: [({ mails }) => mails.listOf(user), ({ mails }) => mails.due(NOON, 100)],
  },
  paymentSources: {
    save: ({ paymentSources }, name) =>
      paymentSources.save(aPaymentSource({ id: id(name), userId: user, dueAt: NOON })),
    newestFirst: [({ paymentSources }) => paymentSources.listOf(user)],
    oldestFirst: [({ paymentSources }) => paymentSources.due(NOON, 100)],
  },
  invoices: {
    save: ({ invoices }, name) =>
      invoices.save(
        anInvoice({
          id: id(name),
          userId: user,
          subscriptionId: id('sub-1'),
          state: { kind: 'due', dueAt: NOON },
        }),
      ),
    newestFirst: [
      ({ invoices }) => invoices.list(user, {}, all),
      ({ invoices }) => invoices.listOfSubscription(id('sub-1')),
    ],
    oldestFirst: [({ invoices }) => invoices.due(NOON, 100)],
  },
  earnings: {
    save: ({ earnings }, name) =>
      earnings.save(anEarning({ id: id(name), userId: user, invoiceId: id('invoice-1') })),
    newestFirst: [({ earnings }) => earnings.list(user, all)],
    oldestFirst: [({ earnings }) => earnings.ofInvoice(id('invoice-1'))],
  },
  withdrawals: {
    save: ({ withdrawals }, name) =>
      withdrawals.save(aWithdrawal({ id: id(name), userId: user, dueAt: NOON })),
    newestFirst: [
      ({ withdrawals }) => withdrawals.list(user, all),
      ({ withdrawals }) => withdrawals.listOpen(user),
    ],
    oldestFirst: [({ withdrawals }) => withdrawals.due(NOON, 100)],
  },
};

const namesOf = async (rows: Named): Promise<string[]> =>
  (await rows).flatMap((row) => (typeof row === 'string' ? [row] : idsOf([row])));

/** Rows made in the same millisecond have an order too. */
export const orderOfListsContract = (open: OpenStorage): void => {
  describe('lists of rows made at one moment', () => {
    const unitOfWork = emptyBeforeEach(open);

    it.each(Object.entries(ROWS))(
      'UW-09 are sorted by id, the later one first where the newest comes first: %s',
      async (_, { save, newestFirst = [], oldestFirst = [] }) => {
        for (const name of ['b', 'c', 'a']) await unitOfWork.run((stores) => save(stores, name));
        for (const list of newestFirst)
          expect(await unitOfWork.read((stores) => namesOf(list(stores)))).toEqual(['c', 'b', 'a']);
        for (const list of oldestFirst)
          expect(await unitOfWork.read((stores) => namesOf(list(stores)))).toEqual(['a', 'b', 'c']);
      },
    );
  });
};
