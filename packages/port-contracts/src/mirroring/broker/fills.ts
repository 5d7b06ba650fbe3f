import { ZERO, decimal, divide, sum } from '@slipstream/domain';
import type { BrokerOrder } from '@slipstream/ports';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, TEN } from './linked-broker.js';

const CENT_OF_A_CENT = decimal('0.0001');

/** What an order does to the account, and how both tell it. */
export function fillCases(now: () => LinkedBroker): void {
  /** The cash of the account moves by what the order that trades tells of itself. */
  const expectTold = async (trades: () => Promise<BrokerOrder>): Promise<BrokerOrder> => {
    const { fixture, account } = now();
    const before = await account();
    const order = await trades();
    const paid = before.cash.minus((await account()).cash);
    const worth = (order.filledPrice ?? ZERO).times(order.filledAmount);
    const isBuy = order.action === 'buy';
    const price = isBuy ? worth : ZERO.minus(worth);
    expect(order.fee?.gte(ZERO) ?? true).toBe(true);
    if (isBuy && fixture.feeInAsset.gt(ZERO)) {
      expect(paid.minus(price).abs().lte(CENT_OF_A_CENT)).toBe(true);
      const share = divide(order.fee ?? price.times(fixture.feeInAsset), price);
      expect(share.minus(fixture.feeInAsset).abs().lte(CENT_OF_A_CENT)).toBe(true);
    } else {
      const charged = order.fee ?? paid.minus(price);
      expect(charged.gte(ZERO)).toBe(true);
      expect(paid.minus(price).minus(charged).abs().lte(CENT_OF_A_CENT)).toBe(true);
    }
    return order;
  };

  it('BC-05 fills a buy at the market and holds it', async () => {
    const { request, trade, expectHeld } = now();
    const order = await trade(request());
    expect([order.status, order.cancelling]).toEqual(['filled', false]);
    expect(order.filledAmount.eq(TEN)).toBe(true);
    expect(order.filledPrice?.gt(ZERO)).toBe(true);
    await expectHeld(TEN);
  });

  it('BC-06 values an account as its cash and positions together', async () => {
    const { request, trade, account } = now();
    await trade(request());
    const { equity, cash, positions } = await account();
    expect(positions).toHaveLength(1);
    expect(equity.eq(cash.plus(sum(positions.map(({ value }) => value))))).toBe(true);
    for (const { amount, price, value } of positions) {
      expect(price.gt(ZERO)).toBe(true);
      expect(amount.times(price).eq(value)).toBe(true);
    }
  });

  it('BC-07 omits a closed position', async () => {
    const { request, trade, held, rules, account } = now();
    await trade(request());
    const { amountStep } = await rules();
    const before = await held();
    const amount = before.minus(before.mod(amountStep));
    const closed = await trade(request({ action: 'sell', amount, closes: true }));
    expect(closed.status).toBe('filled');
    const { positions } = await account();
    expect(positions.filter((position) => position.amount.abs().gte(amountStep))).toEqual([]);
    expect(positions.filter((position) => position.amount.eq(ZERO))).toEqual([]);
  });

  it('BC-10 finds an order by its client order id, with the requested stock', async () => {
    const { request, trade } = now();
    const order = request();
    const found = await trade(order);
    expect(found.clientOrderId).toBe(order.clientOrderId);
    expect(found.stockId).toBe(order.stock.id);
    expect(found.action).toBe('buy');
    expect(found.amount.eq(TEN)).toBe(true);
  });

  it('BC-26 keeps the filled part of a cancelled order', async () => {
    const { fixture, broker, access, request, place, settled, expectHeld } = now();
    const order = request();
    fixture.fillNextInPart();
    expect((await place(order)).status).toBe('open');
    await broker.cancel(access, order.clientOrderId);
    const found = await settled(order);
    expect(found.status).toBe('cancelled');
    expect(found.filledAmount.gt(ZERO) && found.filledAmount.lt(TEN)).toBe(true);
    expect(found.filledPrice?.gt(ZERO)).toBe(true);
    await expectHeld(found.filledAmount);
  });

  it('BC-33 reports no acceptance as a fill: the account holds the reported fills', async () => {
    const { request, place, find, expectHeld } = now();
    const order = request();
    const answered = await place(order);
    await expectHeld(answered.filledAmount);
    expect(answered.status === 'filled').toBe(answered.filledAmount.eq(TEN));
    const found = await find(order.clientOrderId);
    expect(found?.status === 'filled').toBe(found?.filledAmount.eq(TEN));
    await expectHeld(found?.filledAmount ?? ZERO);
  });

  it('BC-34 fills the rest of an order that was filled in part', async () => {
    const { fixture, request, place, settled, expectHeld } = now();
    const order = request();
    fixture.fillNextInPart();
    expect((await place(order)).status).toBe('open');
    const found = await settled(order);
    expect(found.status).toBe('filled');
    expect(found.filledAmount.eq(TEN)).toBe(true);
    await expectHeld(TEN);
  });

  it('BC-35 pays the price and the fee that it reports', async () => {
    const { request, trade } = now();
    await expectTold(() => trade(request()));
  });

  it('BC-52 reports the price and the fee of all fills of an order, not of one of them', async () => {
    const { fixture, request, place, settled } = now();
    const order = request();
    await expectTold(async () => {
      fixture.fillNextInPart();
      await place(order);
      return settled(order);
    });
  });

  it('BC-53 receives the price of a sale less the fee that it reports', async () => {
    const { request, trade } = now();
    await trade(request());
    const sold = await expectTold(() => trade(request({ action: 'sell', amount: decimal('4') })));
    expect([sold.action, sold.status]).toEqual(['sell', 'filled']);
  });

  it('BC-36 has less buying power after a buy, and rejects an order beyond it', async () => {
    const { request, trade, account, held } = now();
    const before = await account();
    const order = await trade(request());
    const { buyingPower } = await account();
    expect(buyingPower.lt(before.buyingPower)).toBe(true);
    const price = order.filledPrice ?? ZERO;
    const amount = divide(buyingPower, price, 'up').round(0, 3).times(decimal('2'));
    const holds = await held();
    const beyond = await trade(request({ amount }));
    expect(beyond.status).toBe('rejected');
    expect((await held()).eq(holds)).toBe(true);
  });
}
