import { beforeEach, describe, expect, it } from '../testing.js';
import { type Decimal, type Stock, ZERO, decimal, sum } from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  type BrokerLink,
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type Instruments,
} from '@slipstream/ports';

/** What may go wrong with a question to the broker. */
export type BrokerTrouble = 'unreachable' | 'rate_limited' | 'refused';

/** A broker with an empty account to link, and the hands on the world that the cases need. */
export interface BrokerFixture {
  readonly broker: Broker;
  /** Links an account with at least 5,000 USD in cash. */
  readonly link: BrokerLink;
  /** A link that the broker refuses. */
  readonly wrongLink: BrokerLink;
  /** Quoted, in session, affordable: 10 of it cost less than 2,000 USD. */
  readonly stock: Stock;
  /** As `stock`, with the same ticker on another exchange; the account trades it too. */
  readonly twin: Stock;
  /** An instrument of this service that the account does not trade. */
  readonly unlisted: Stock;
  /** All instruments of this service, these three among them. */
  readonly instruments: Instruments;
  /** Lets everything at the broker come to rest: what can be filled is, and cancels have arrived. */
  settle(): Promise<void>;
  /** The next `place` reaches the broker; its answer does not come back. */
  loseNextAnswer(): void;
  /** The next `place` does not reach the broker. */
  loseNextRequest(): void;
  /** The next call of the method meets that trouble, and does nothing at the broker. */
  troubleNext(method: 'place' | 'find' | 'account', trouble: BrokerTrouble): void;
  /** The next order fills in part when it is placed; the rest stays open until it is cancelled or settled. */
  fillNextInPart(): void;
  closeMarket(): void;
  openMarket(): void;
}

const TEN = decimal('10');

const TROUBLES = [
  ['unreachable', BrokerUnreachable],
  ['rate_limited', BrokerRateLimited],
  ['refused', BrokerRefused],
] as const;

/** What every broker adapter must do: the bots rely on each of these. */
export const brokerContract = (name: string, open: () => Promise<BrokerFixture>): void => {
  describe(`broker contract: ${name}`, () => {
    let fixture: BrokerFixture;
    let broker: Broker;
    let access: BrokerAccess;
    let orders = 0;

    beforeEach(async () => {
      fixture = await open();
      broker = fixture.broker;
      const { accountId, credentials } = await broker.link(fixture.link);
      access = accessTo(accountId, credentials);
      orders = 0;
    });

    const accessTo = (
      accountId: string,
      credentials: BrokerAccess['credentials'],
    ): BrokerAccess => {
      let kept = credentials;
      return {
        accountId,
        type: fixture.link.type,
        get credentials() {
          return kept;
        },
        renew: async (renewed) => {
          // As they come back from where they are kept.
          kept = JSON.parse(JSON.stringify(renewed)) as BrokerAccess['credentials'];
        },
      };
    };
    const request = (
      action: 'buy' | 'sell' = 'buy',
      amount: Decimal = TEN,
      stock: Stock = fixture.stock,
    ): BrokerOrderRequest => {
      orders += 1;
      return {
        clientOrderId: `order${orders}`.padEnd(32, 'a'),
        stock,
        action,
        amount,
        limit: null,
        closes: false,
      };
    };
    const find = async (clientOrderId: string): Promise<BrokerOrder | undefined> =>
      (await broker.find(access, [clientOrderId])).get(clientOrderId);
    const account = () => broker.account(access, fixture.instruments);
    const rules = async (stock: Stock = fixture.stock) => {
      const found = (await broker.rules(access, [stock])).get(stock.id);
      if (!found) throw new Error(`${stock.id} is not traded here`);
      return found;
    };
    /** What becomes of the order once the broker is at rest; `place` itself may answer `open`. */
    const settled = async ({ clientOrderId }: BrokerOrderRequest): Promise<BrokerOrder> => {
      await fixture.settle();
      const found = await find(clientOrderId);
      if (!found) throw new Error(`the broker does not know ${clientOrderId}`);
      return found;
    };
    const trade = async (order: BrokerOrderRequest): Promise<BrokerOrder> => {
      const answered = await broker.place(access, order);
      expect(['open', 'filled', 'rejected']).toContain(answered.status);
      return settled(order);
    };
    const heldAmount = async (stock: Stock = fixture.stock): Promise<Decimal> => {
      const { positions } = await account();
      return positions.find(({ stockId }) => stockId === stock.id)?.amount ?? ZERO;
    };
    const expectHeld = async (amount: string, stock?: Stock) =>
      expect((await heldAmount(stock)).toFixed()).toBe(amount);
    const told = (order: BrokerOrder | undefined) =>
      order && {
        ...order,
        amount: order.amount.toFixed(),
        filledAmount: order.filledAmount.toFixed(),
        filledPrice: order.filledPrice?.toFixed() ?? null,
        fee: order.fee?.toFixed() ?? null,
      };

    it('BC-01 links an account that can be read', async () => {
      const found = await account();
      expect(access.accountId).not.toBe('');
      expect(found.positions).toEqual([]);
      expect(found.cash.gte(decimal('5000'))).toBe(true);
      expect(found.equity.eq(found.cash)).toBe(true);
      expect(found.maxGross.gte(decimal('1'))).toBe(true);
    });

    it('BC-02 refuses to link what is wrong', async () => {
      await expect(broker.link(fixture.wrongLink)).rejects.toBeInstanceOf(BrokerRefused);
    });

    it('BC-03 refuses access to an account that is not there', async () => {
      const wrong = accessTo('nobody', access.credentials);
      await expect(broker.account(wrong, fixture.instruments)).rejects.toBeInstanceOf(
        BrokerRefused,
      );
      await expect(broker.place(wrong, request())).rejects.toBeInstanceOf(BrokerRefused);
    });

    it('BC-04 says how the stock may be traded', async () => {
      const found = await rules();
      expect(found.amountStep.gt(ZERO)).toBe(true);
      expect(found.minTotal.gte(ZERO)).toBe(true);
      expect(found.minAmount.gte(ZERO)).toBe(true);
      expect(found.session).toBe('open');
    });

    it('BC-05 fills a buy at the market and holds it', async () => {
      const order = await trade(request());
      expect(order.status).toBe('filled');
      expect(order.filledAmount.eq(TEN)).toBe(true);
      expect(order.filledPrice?.gt(ZERO)).toBe(true);
      await expectHeld('10');
    });

    it('BC-06 values an account as its cash and positions together', async () => {
      await trade(request());
      const { equity, cash, positions } = await account();
      expect(equity.eq(cash.plus(sum(positions.map(({ value }) => value))))).toBe(true);
      expect(positions.every(({ amount, price, value }) => amount.times(price).eq(value))).toBe(
        true,
      );
    });

    it('BC-07 leaves a closed position out', async () => {
      await trade(request('buy'));
      await trade(request('sell'));
      expect((await account()).positions).toEqual([]);
    });

    it('BC-08 trades once for a client order id that is sent again, and answers the first', async () => {
      const order = request();
      await broker.place(access, order);
      const first = await settled(order);
      expect(told(await broker.place(access, order))).toEqual(told(first));
      expect(told(await settled(order))).toEqual(told(first));
      await expectHeld('10');
    });

    it('BC-09 trades once for a client order id that is sent twice at the same time', async () => {
      const order = request();
      await Promise.all([broker.place(access, order), broker.place(access, order)]);
      expect((await settled(order)).status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-10 finds an order by its client order id, as the stock that was asked for', async () => {
      const order = request();
      await broker.place(access, order);
      const found = await settled(order);
      expect(found.clientOrderId).toBe(order.clientOrderId);
      expect(found.stockId).toBe(order.stock.id);
      expect(found.action).toBe('buy');
      expect(found.amount.eq(TEN)).toBe(true);
    });

    it('BC-11 finds nothing for an id that it never got', async () => {
      expect(await find('never'.padEnd(32, 'a'))).toBeUndefined();
    });

    it('BC-12 answers a rejection as a value, with a reason, and trades nothing', async () => {
      const order = await broker.place(access, request('buy', decimal('10000000')));
      expect(order.status).toBe('rejected');
      expect(order.reason).not.toBe('');
      expect(order.reason).not.toBeNull();
      await expectHeld('0');
    });

    it('BC-13 rejects an amount that is no whole number of steps', async () => {
      const { amountStep } = await rules();
      const uneven = TEN.plus(amountStep.times(decimal('0.5')));
      expect((await broker.place(access, request('buy', uneven))).status).toBe('rejected');
    });

    it('BC-14 goes short where its rules allow it, and rejects it where not', async () => {
      const { allowsShort } = await rules();
      const order = request('sell');
      const answered = await broker.place(access, order);
      if (!allowsShort) expect(answered.status).toBe('rejected');
      else expect((await settled(order)).status).toBe('filled');
      await expectHeld(allowsShort ? '-10' : '0');
    });

    it('BC-15 turns a position where its rules allow it, and rejects it where not', async () => {
      const { allowsShort, crossesZero } = await rules();
      await trade(request('buy'));
      const turn = request('sell', decimal('15'));
      const answered = await broker.place(access, turn);
      const turns = allowsShort && crossesZero;
      if (!turns) expect(answered.status).toBe('rejected');
      else expect((await settled(turn)).status).toBe('filled');
      await expectHeld(turns ? '-5' : '10');
    });

    it('BC-16 throws when an answer is lost, and knows the order when it is asked', async () => {
      const order = request();
      fixture.loseNextAnswer();
      await expect(broker.place(access, order)).rejects.toBeInstanceOf(BrokerUnreachable);
      expect((await settled(order)).status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-17 throws when a request is lost, knows nothing of it, and takes it when sent again', async () => {
      const order = request();
      fixture.loseNextRequest();
      await expect(broker.place(access, order)).rejects.toBeInstanceOf(BrokerUnreachable);
      expect(await find(order.clientOrderId)).toBeUndefined();
      expect((await trade(order)).status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-18 keeps an order open while the market is closed, and fills it when it opens', async () => {
      const order = request();
      fixture.closeMarket();
      expect((await rules()).session).toBe('closed');
      expect((await broker.place(access, order)).status).toBe('open');
      expect((await settled(order)).status).toBe('open');
      await expectHeld('0');
      fixture.openMarket();
      expect((await settled(order)).status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-19 cancels an open order', async () => {
      const order = request();
      fixture.closeMarket();
      await broker.place(access, order);
      await broker.cancel(access, order.clientOrderId);
      await fixture.settle();
      fixture.openMarket();
      const found = await settled(order);
      expect(found.status).toBe('cancelled');
      expect(found.filledAmount.eq(ZERO)).toBe(true);
      await expectHeld('0');
    });

    it('BC-20 does nothing when it cancels what is not open', async () => {
      const order = request();
      await trade(order);
      await broker.cancel(access, order.clientOrderId);
      await broker.cancel(access, 'never'.padEnd(32, 'a'));
      expect((await settled(order)).status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-21 rejects a stock that it does not trade', async () => {
      const order = request('buy', TEN, fixture.unlisted);
      expect((await broker.place(access, order)).status).toBe('rejected');
    });

    it('BC-22 has no rules for a stock that it does not trade', async () => {
      expect((await broker.rules(access, [fixture.unlisted])).size).toBe(0);
    });

    it.each(TROUBLES)(
      'BC-23 throws when it cannot be asked for an order (%s): only a broker that surely never got it answers undefined',
      async (trouble, error) => {
        const order = request();
        await trade(order);
        fixture.troubleNext('find', trouble);
        await expect(find(order.clientOrderId)).rejects.toBeInstanceOf(error);
        expect((await find(order.clientOrderId))?.status).toBe('filled');
      },
    );

    it.each(TROUBLES)(
      'BC-24 throws when an account cannot be read (%s): what cannot be read is not flat',
      async (trouble, error) => {
        await trade(request());
        fixture.troubleNext('account', trouble);
        await expect(account()).rejects.toBeInstanceOf(error);
        await expectHeld('10');
      },
    );

    it('BC-25 says how long to wait when it asks to slow down, and did nothing', async () => {
      const order = request();
      fixture.troubleNext('place', 'rate_limited');
      const failed = await broker.place(access, order).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(BrokerRateLimited);
      expect((failed as BrokerRateLimited).retryAfter).toBeGreaterThanOrEqual(0);
      expect(await find(order.clientOrderId)).toBeUndefined();
      expect((await trade(order)).status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-26 keeps what was filled of an order that is cancelled', async () => {
      const order = request();
      fixture.fillNextInPart();
      const placed = await broker.place(access, order);
      expect(placed.status).toBe('open');
      await broker.cancel(access, order.clientOrderId);
      const found = await settled(order);
      expect(found.status).toBe('cancelled');
      expect(found.filledAmount.gt(ZERO) && found.filledAmount.lt(TEN)).toBe(true);
      expect(found.filledPrice?.gt(ZERO)).toBe(true);
      await expectHeld(found.filledAmount.toFixed());
    });

    it('BC-27 keeps one ticker of two exchanges apart', async () => {
      const { stock, twin } = fixture;
      expect(twin.symbol).toBe(stock.symbol);
      const other = await trade(request('buy', decimal('3'), twin));
      expect(other.stockId).toBe(twin.id);
      await trade(request('buy', TEN, stock));
      await expectHeld('3', twin);
      await expectHeld('10', stock);
    });

    it('BC-28 says which credentials it asks for, and keeps what is nothing but JSON', async () => {
      const names = broker.asksFor.map((field) => field.name);
      expect(names.filter((field) => !/^[a-z][a-z0-9_]{0,49}$/.test(field))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      for (const { description, example } of broker.asksFor) {
        expect(description).not.toBe('');
        expect(example).not.toBe('');
      }
      const given = Object.keys(fixture.link.credentials);
      expect(given.filter((field) => !names.includes(field))).toEqual([]);
      for (const { name: field, required } of broker.asksFor)
        if (required) expect(given).toContain(field);
      expect(JSON.parse(JSON.stringify(access.credentials))).toEqual(access.credentials);
    });
  });
};
