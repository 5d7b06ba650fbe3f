import { type Decimal, ZERO, decimal } from '@slipstream/domain';
import {
  type BrokerAccess,
  type BrokerLinked,
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRefused,
} from '@slipstream/ports';
import { REAL, type WrongBroker, finding, wrong } from './one-fault.js';

/** Places another order than it was asked to. */
const placing = (change: (order: BrokerOrderRequest) => Partial<BrokerOrderRequest>) =>
  wrong((broker) => ({
    place: (access, order) => broker.place(access, { ...order, ...change(order) }),
  }));

const rejected = ({ stock, ...order }: BrokerOrderRequest): BrokerOrder => ({
  ...{ clientOrderId: order.clientOrderId, stockId: stock.id, action: order.action },
  ...{ amount: order.amount, status: 'rejected', cancelling: false, filledAmount: ZERO },
  ...{ filledPrice: null, fee: null, reason: 'refused' },
});

const raised = (limit: Decimal | null): Decimal | null =>
  limit && limit.times(decimal('1.02')).round(2);

/** Brokers that are wrong about single orders, limits and accounts. */
export const WRONG_ORDERS: readonly WrongBroker[] = [
  [
    'tells another price of an order that was filled in parts',
    wrong((broker) => {
      const inParts = new Set<string>();
      const told = (order: BrokerOrder): BrokerOrder => {
        if (order.status === 'open' && order.filledAmount.gt(ZERO))
          inParts.add(order.clientOrderId);
        const { filledPrice } = order;
        if (!filledPrice || order.status !== 'filled' || !inParts.has(order.clientOrderId))
          return order;
        return { ...order, filledPrice: filledPrice.plus(decimal('0.5')) };
      };
      return {
        place: async (access, order) => told(await broker.place(access, order)),
        ...finding(told)(broker),
      };
    }),
    ['BC-52'],
  ],
  [
    'tells every order as a buy',
    wrong(finding((order) => ({ ...order, action: 'buy' }))),
    ['BC-53'],
  ],
  [
    'sells at the market',
    placing(({ action, limit }) => ({ limit: action === 'sell' ? null : limit })),
    ['BC-54', 'BC-55'],
  ],
  [
    'lets a limit to buy be passed by two percent',
    placing(({ action, limit }) => ({ limit: action === 'buy' ? raised(limit) : limit })),
    ['BC-55'],
  ],
  [
    'lets limit orders that close do more',
    placing(({ closes, limit }) => ({ closes: closes && limit === null })),
    ['BC-56'],
  ],
  [
    'lets orders that close a short do more',
    placing(({ closes, action }) => ({ closes: closes && action === 'sell' })),
    ['BC-57'],
  ],
  [
    'takes the end of its access for a rejection',
    wrong((broker) => ({
      place: (access, order) =>
        broker.place(access, order).catch((error: unknown) => {
          if (error instanceof BrokerRefused && access.accountId !== 'nobody')
            return rejected(order);
          throw error;
        }),
    })),
    ['BC-58'],
  ],
  [
    'does not tell that it could not cancel',
    wrong((broker) => ({
      cancel: (...asked) => broker.cancel(...asked).catch(() => undefined),
    })),
    ['BC-59'],
  ],
  [
    'links an account that it cannot read as an empty one',
    wrong((broker) => {
      let last: BrokerLinked | undefined;
      return {
        link: async (request) => {
          try {
            last = await broker.link(request);
            return last;
          } catch (error) {
            if (!last || !request.accountId) throw error;
            return { ...last, holdings: [] };
          }
        },
      };
    }),
    ['BC-60'],
  ],
  [
    'finds those of the first page only',
    wrong((broker) => ({
      find: (access, ids, since) => broker.find(access, ids.slice(0, 100), since),
    })),
    ['BC-61'],
  ],
  [
    'takes the time of an order for seconds',
    wrong((broker) => ({
      find: (access, ids, since) => broker.find(access, since === undefined ? ids : [], since),
    })),
    ['BC-61'],
  ],
  [
    'answers an order with the next one',
    wrong((broker) => {
      let placed: Promise<BrokerOrder> | undefined;
      return {
        place: async (access, order) => {
          const mine = broker.place(access, order);
          placed = mine;
          await mine;
          return placed;
        },
      };
    }),
    ['BC-62'],
  ],
  [
    'uses the access that was linked last',
    wrong((broker) => {
      let last: BrokerLinked | undefined;
      const of = (access: BrokerAccess): BrokerAccess =>
        last && access.accountId !== 'nobody' ? { ...access, accountId: last.accountId } : access;
      return {
        link: async (request) => (last = await broker.link(request)),
        account: (access, instruments) => broker.account(of(access), instruments),
        place: (access, order) => broker.place(of(access), order),
        find: (access, ids) => broker.find(of(access), ids),
      };
    }),
    ['BC-63'],
  ],
  [
    'ends the access of others with that of one bot',
    wrong((broker) => {
      let isEnded = false;
      return {
        unlink: async () => void (isEnded = true),
        place: async (access, order) => {
          if (isEnded) throw new BrokerRefused('no such key');
          return broker.place(access, order);
        },
      };
    }, REAL),
    ['BC-64'],
  ],
];
