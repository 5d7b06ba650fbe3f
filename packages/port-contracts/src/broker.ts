import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Decimal, type Stock, ZERO, decimal, id, sum } from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  type BrokerLink,
  type BrokerOrder,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';

/** A broker with an empty account to link, and the hands on the world that the cases need. */
export interface BrokerFixture {
  readonly broker: Broker;
  /** Links an account with at least 5,000 USD in cash. */
  readonly link: BrokerLink;
  /** A link that the broker refuses. */
  readonly wrongLink: BrokerLink;
  /** Quoted, in session, affordable: 10 of it cost less than 2,000 USD. */
  readonly stock: Stock;
  /** The next `place` reaches the broker; its answer does not come back. */
  loseNextAnswer(): void;
  /** The next `place` does not reach the broker. */
  loseNextRequest(): void;
  closeMarket(): void;
  openMarket(): void;
}

const TEN = decimal('10');

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
      access = await broker.link(fixture.link);
      orders = 0;
    });

    const request = (action: 'buy' | 'sell' = 'buy', amount: Decimal = TEN) => {
      orders += 1;
      const clientOrderId = `order${orders}`.padEnd(32, 'a');
      return { clientOrderId, stockId: fixture.stock.id, action, amount };
    };
    const heldAmount = async (): Promise<Decimal> => {
      const { positions } = await broker.account(access);
      const held = positions.find(({ stockId }) => stockId === fixture.stock.id);
      return held?.amount ?? ZERO;
    };
    const expectHeld = async (amount: string) =>
      expect((await heldAmount()).toFixed()).toBe(amount);
    const told = (order: BrokerOrder | undefined) =>
      order && {
        ...order,
        amount: order.amount.toFixed(),
        filledAmount: order.filledAmount.toFixed(),
        filledPrice: order.filledPrice?.toFixed() ?? null,
      };

    it('BC-01 links an account that can be read', async () => {
      const account = await broker.account(access);
      expect(access.accountId).not.toBe('');
      expect(account.positions).toEqual([]);
      expect(account.cash.gte(decimal('5000'))).toBe(true);
      expect(account.equity.eq(account.cash)).toBe(true);
      expect(account.maxGross.gte(decimal('1'))).toBe(true);
    });

    it('BC-02 refuses to link what is wrong', async () => {
      await expect(broker.link(fixture.wrongLink)).rejects.toBeInstanceOf(BrokerRefused);
    });

    it('BC-03 refuses access to an account that is not there', async () => {
      const wrong = { ...access, accountId: 'nobody' };
      await expect(broker.account(wrong)).rejects.toBeInstanceOf(BrokerRefused);
      await expect(broker.place(wrong, request())).rejects.toBeInstanceOf(BrokerRefused);
    });

    it('BC-04 says how the stock may be traded', async () => {
      const rules = await broker.rules(access, fixture.stock);
      expect(rules.amountStep.gt(ZERO)).toBe(true);
      expect(rules.minTotal.gte(ZERO)).toBe(true);
      expect(rules.minAmount.gte(ZERO)).toBe(true);
      expect(rules.open).toBe(true);
    });

    it('BC-05 fills a buy at the market and holds it', async () => {
      const order = await broker.place(access, request());
      expect(order.status).toBe('filled');
      expect(order.filledAmount.eq(TEN)).toBe(true);
      expect(order.filledPrice?.gt(ZERO)).toBe(true);
      await expectHeld('10');
    });

    it('BC-06 values an account as its cash and positions together', async () => {
      await broker.place(access, request());
      const { equity, cash, positions } = await broker.account(access);
      expect(equity.eq(cash.plus(sum(positions.map(({ value }) => value))))).toBe(true);
      expect(positions.every(({ amount, price, value }) => amount.times(price).eq(value))).toBe(
        true,
      );
    });

    it('BC-07 leaves a closed position out', async () => {
      await broker.place(access, request('buy'));
      await broker.place(access, request('sell'));
      expect((await broker.account(access)).positions).toEqual([]);
    });

    it('BC-08 trades once for a client order id that is sent again, and answers the first', async () => {
      const order = request();
      const first = await broker.place(access, order);
      expect(told(await broker.place(access, order))).toEqual(told(first));
      await expectHeld('10');
    });

    it('BC-09 trades once for a client order id that is sent twice at the same time', async () => {
      const order = request();
      const [first, second] = await Promise.all([
        broker.place(access, order),
        broker.place(access, order),
      ]);
      expect(told(second)).toEqual(told(first));
      await expectHeld('10');
    });

    it('BC-10 finds an order by its client order id', async () => {
      const order = request();
      const placed = await broker.place(access, order);
      expect(told(await broker.find(access, order.clientOrderId))).toEqual(told(placed));
    });

    it('BC-11 finds nothing for an id that it never got', async () => {
      expect(await broker.find(access, 'never'.padEnd(32, 'a'))).toBeUndefined();
    });

    it('BC-12 answers a rejection as a value, with a reason, and trades nothing', async () => {
      const order = await broker.place(access, request('buy', decimal('10000000')));
      expect(order.status).toBe('rejected');
      expect(order.reason).not.toBe('');
      expect(order.reason).not.toBeNull();
      await expectHeld('0');
    });

    it('BC-13 rejects an amount that is no whole number of steps', async () => {
      const { amountStep } = await broker.rules(access, fixture.stock);
      const uneven = TEN.plus(amountStep.times(decimal('0.5')));
      expect((await broker.place(access, request('buy', uneven))).status).toBe('rejected');
    });

    it('BC-14 goes short where its rules allow it, and rejects it where not', async () => {
      const { allowsShort } = await broker.rules(access, fixture.stock);
      const order = await broker.place(access, request('sell'));
      expect(order.status).toBe(allowsShort ? 'filled' : 'rejected');
      await expectHeld(allowsShort ? '-10' : '0');
    });

    it('BC-15 turns a position where its rules allow it, and rejects it where not', async () => {
      const { allowsShort, crossesZero } = await broker.rules(access, fixture.stock);
      await broker.place(access, request('buy'));
      const turn = await broker.place(access, request('sell', decimal('15')));
      const turns = allowsShort && crossesZero;
      expect(turn.status).toBe(turns ? 'filled' : 'rejected');
      await expectHeld(turns ? '-5' : '10');
    });

    it('BC-16 throws when an answer is lost, and knows the order when it is asked', async () => {
      const order = request();
      fixture.loseNextAnswer();
      await expect(broker.place(access, order)).rejects.toBeInstanceOf(BrokerUnreachable);
      expect((await broker.find(access, order.clientOrderId))?.status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-17 throws when a request is lost, knows nothing of it, and takes it when sent again', async () => {
      const order = request();
      fixture.loseNextRequest();
      await expect(broker.place(access, order)).rejects.toBeInstanceOf(BrokerUnreachable);
      expect(await broker.find(access, order.clientOrderId)).toBeUndefined();
      expect((await broker.place(access, order)).status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-18 keeps an order open while the market is closed, and fills it when it opens', async () => {
      const order = request();
      fixture.closeMarket();
      expect((await broker.rules(access, fixture.stock)).open).toBe(false);
      expect((await broker.place(access, order)).status).toBe('open');
      await expectHeld('0');
      fixture.openMarket();
      expect((await broker.find(access, order.clientOrderId))?.status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-19 cancels an open order', async () => {
      const order = request();
      fixture.closeMarket();
      await broker.place(access, order);
      await broker.cancel(access, order.clientOrderId);
      fixture.openMarket();
      const found = await broker.find(access, order.clientOrderId);
      expect(found?.status).toBe('cancelled');
      expect(found?.filledAmount.eq(ZERO)).toBe(true);
      await expectHeld('0');
    });

    it('BC-20 does nothing when it cancels what is not open', async () => {
      const order = request();
      await broker.place(access, order);
      await broker.cancel(access, order.clientOrderId);
      await broker.cancel(access, 'never'.padEnd(32, 'a'));
      expect((await broker.find(access, order.clientOrderId))?.status).toBe('filled');
      await expectHeld('10');
    });

    it('BC-21 rejects a stock that it does not trade', async () => {
      const order = { ...request(), stockId: id<'stock'>('nothing') };
      expect((await broker.place(access, order)).status).toBe('rejected');
    });
  });
};
