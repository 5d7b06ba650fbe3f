import {
  type BrokerAccount,
  type Decimal,
  ONE,
  type Stock,
  type TradingRules,
  ZERO,
  decimal,
} from '@slipstream/domain';
import type {
  Broker,
  BrokerAccess,
  BrokerLinked,
  BrokerOrder,
  BrokerOrderRequest,
} from '@slipstream/ports';
import { beforeEach, expect } from '../../testing.js';
import type { BrokerFixture } from './fixture.js';

export const TEN = decimal('10');

/** The id of an order that no broker ever got. */
export const NEVER = 'never'.padEnd(32, 'a');

/** An order as it is compared with another answer. */
export const orderText = (order: BrokerOrder | undefined) =>
  order && {
    ...order,
    amount: order.amount.toFixed(),
    filledAmount: order.filledAmount.toFixed(),
    filledPrice: order.filledPrice?.toFixed() ?? null,
    fee: order.fee?.toFixed() ?? null,
  };

/** Access to an account of that type; what the broker renews comes back as from where it is kept. */
export function accessTo(
  { type }: BrokerFixture['link'],
  accountId: string,
  credentials: BrokerAccess['credentials'],
): BrokerAccess {
  let kept = credentials;
  return {
    accountId,
    type,
    get credentials() {
      return kept;
    },
    renew: async (renewed) => {
      kept = JSON.parse(JSON.stringify(renewed)) as BrokerAccess['credentials'];
    },
  };
}

/** A linked account, and the questions that the cases ask about it. */
export interface LinkedBroker {
  readonly fixture: BrokerFixture;
  readonly broker: Broker;
  readonly answer: BrokerLinked;
  readonly access: BrokerAccess;
  /** Buys 10 of `stock` at the market, unless told otherwise, under an id of its own. */
  request(change?: Partial<Omit<BrokerOrderRequest, 'clientOrderId'>>): BrokerOrderRequest;
  account(): Promise<BrokerAccount>;
  rules(stock?: Stock): Promise<TradingRules>;
  find(clientOrderId: string): Promise<BrokerOrder | undefined>;
  place(order: BrokerOrderRequest): Promise<BrokerOrder>;
  /** What became of the order once the broker is at rest. */
  settled(order: BrokerOrderRequest): Promise<BrokerOrder>;
  /** Places an order and lets it come to rest. A rejection may leave no order behind. */
  trade(order: BrokerOrderRequest): Promise<BrokerOrder>;
  held(stock?: Stock): Promise<Decimal>;
  /** The account holds what is left of `bought` after a fee in the asset, less what was sold. */
  expectHeld(bought: Decimal | string, sold?: Decimal | string, stock?: Stock): Promise<void>;
}

async function linkedBroker(open: () => Promise<BrokerFixture>): Promise<LinkedBroker> {
  const fixture = await open();
  const { broker } = fixture;
  const answer = await broker.link(fixture.link);
  const access = accessTo(fixture.link, answer.accountId, answer.credentials);
  let orders = 0;

  const link: LinkedBroker = {
    fixture,
    broker,
    answer,
    access,
    request(change = {}) {
      orders += 1;
      return {
        clientOrderId: `order${orders}`.padEnd(32, 'a'),
        stock: fixture.stock,
        action: 'buy',
        amount: TEN,
        limit: null,
        closes: false,
        ...change,
      };
    },
    account: () => broker.account(access, fixture.instruments),
    async rules(stock = fixture.stock) {
      const found = (await broker.rules(access, [stock])).get(stock.id);
      if (!found) throw new Error(`${stock.id} is not traded here`);
      return found;
    },
    find: async (clientOrderId) => (await broker.find(access, [clientOrderId])).get(clientOrderId),
    place: (order) => broker.place(access, order),
    async settled({ clientOrderId }) {
      await fixture.settle();
      const found = await link.find(clientOrderId);
      if (!found) throw new Error(`the broker does not know ${clientOrderId}`);
      return found;
    },
    async trade(order) {
      const answered = await link.place(order);
      expect(['open', 'filled', 'rejected']).toContain(answered.status);
      return answered.status === 'rejected' ? answered : link.settled(order);
    },
    async held(stock = fixture.stock) {
      const { positions } = await link.account();
      return positions.find(({ stockId }) => stockId === stock.id)?.amount ?? ZERO;
    },
    async expectHeld(bought, sold = ZERO, stock = fixture.stock) {
      const kept = ONE.minus(fixture.feeInAsset);
      const expected = kept.times(bought).minus(sold);
      const held = await link.held(stock);
      // A fee in the asset may be rounded to its smallest part.
      const { amountStep } = await link.rules(stock);
      const within = fixture.feeInAsset.eq(ZERO) ? ZERO : amountStep;
      const isHeld = held.minus(expected).abs().lte(within);
      expect(isHeld ? expected.toFixed() : held.toFixed()).toBe(expected.toFixed());
    },
  };
  return link;
}

/** A new account before each case of the suite that calls this. */
export function linkBeforeEach(open: () => Promise<BrokerFixture>): () => LinkedBroker {
  let link: LinkedBroker | undefined;
  beforeEach(async () => {
    link = await linkedBroker(open);
  });
  return () => {
    if (!link) throw new Error('an account is linked within a case only');
    return link;
  };
}
