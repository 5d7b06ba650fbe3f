import { type Decimal, ONE, TWO, ZERO, decimal, divide } from '@slipstream/domain';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, TEN } from './linked-broker.js';

const CENT = decimal('0.01');

/** Orders with a limit, and orders that only close. */
export function limitCases(now: () => LinkedBroker): void {
  /** The price of now, times `factor`, as a limit that the broker takes. */
  const limitAt = async (factor: Decimal): Promise<Decimal> => {
    const { fixture, access, account, rules } = now();
    await fixture.tradeByHand(access, 'buy', decimal('1'));
    const [position] = (await account()).positions;
    const priceStep = (await rules()).priceStep ?? CENT;
    const steps = divide((position?.price ?? ZERO).times(factor), priceStep, 'down').round(0, 0);
    return steps.times(priceStep);
  };

  it('BC-41 keeps a limit order open until it is cancelled if the market does not reach it, or rejects every limit', async () => {
    const { broker, access, request, place, settled, held } = now();
    const limit = await limitAt(divide(decimal('1'), TWO));
    const before = await held();
    const order = request({ limit });
    const takesLimits = (await now().rules()).priceStep !== null;
    expect((await place(order)).status).toBe(takesLimits ? 'open' : 'rejected');
    if (!takesLimits) return;
    expect((await settled(order)).status).toBe('open');
    expect((await held()).eq(before)).toBe(true);
    await broker.cancel(access, order.clientOrderId);
    expect((await settled(order)).status).toBe('cancelled');
  });

  it('BC-42 fills a limit order that the market reaches, at its limit or better', async () => {
    const { request, trade } = now();
    const limit = await limitAt(decimal('1.2'));
    const order = await trade(request({ limit }));
    const takesLimits = (await now().rules()).priceStep !== null;
    expect(order.status).toBe(takesLimits ? 'filled' : 'rejected');
    if (takesLimits) expect(order.filledPrice?.lte(limit)).toBe(true);
  });

  it('BC-54 sells with a limit at that price or better, or waits', async () => {
    const { broker, access, request, trade, place, settled, held } = now();
    const takesLimits = (await now().rules()).priceStep !== null;
    const [far, near] = [await limitAt(decimal('2')), await limitAt(decimal('0.8'))];
    await trade(request());
    const sale = (limit: Decimal) => request({ action: 'sell', amount: decimal('4'), limit });
    const before = await held();
    const waiting = sale(far);
    expect((await place(waiting)).status).toBe(takesLimits ? 'open' : 'rejected');
    if (!takesLimits) return;
    expect((await settled(waiting)).status).toBe('open');
    expect((await held()).eq(before)).toBe(true);
    await broker.cancel(access, waiting.clientOrderId);
    expect((await settled(waiting)).status).toBe('cancelled');
    const sold = await trade(sale(near));
    expect(sold.status).toBe('filled');
    expect(sold.filledPrice?.gte(near)).toBe(true);
  });

  it.each(['buy', 'sell'] as const)(
    'BC-55 fills beyond its limit by no step: %s',
    async (action) => {
      const { request, trade } = now();
      const { priceStep } = await now().rules();
      if (!priceStep) return;
      const bought = await trade(request());
      const amount = decimal('3');
      const { filledPrice } = action === 'buy' ? bought : await trade(request({ action, amount }));
      const steps = divide(filledPrice ?? ZERO, priceStep);
      const isBuy = action === 'buy';
      const whole = steps.round(0, isBuy ? 0 : 3);
      const limit = (isBuy ? whole.minus(ONE) : whole.plus(ONE)).times(priceStep);
      const order = await trade(request({ action, amount, limit }));
      const price = order.filledPrice ?? limit;
      expect(isBuy ? price.lte(limit) : price.gte(limit)).toBe(true);
    },
  );

  it('BC-43 opens no position with a reduce-only order', async () => {
    const { request, trade, held } = now();
    const order = await trade(request({ action: 'sell', closes: true }));
    expect(['rejected', 'cancelled']).toContain(order.status);
    expect(order.filledAmount.eq(ZERO)).toBe(true);
    expect((await held()).eq(ZERO)).toBe(true);
  });

  it('BC-44 reverses no position with a reduce-only order', async () => {
    const { request, trade, held } = now();
    expect((await trade(request())).status).toBe('filled');
    const order = await trade(request({ action: 'sell', amount: decimal('15'), closes: true }));
    expect(order.filledAmount.lte(TEN)).toBe(true);
    expect((await held()).gte(ZERO)).toBe(true);
  });

  it('BC-56 opens and reverses no position with a reduce-only order that has a limit', async () => {
    const { request, trade, held } = now();
    const limit = await limitAt(decimal('0.8'));
    const before = await held();
    const order = request({ action: 'sell', amount: decimal('15'), limit, closes: true });
    const { filledAmount } = await trade(order);
    expect(filledAmount.lte(before)).toBe(true);
    expect((await held()).gte(ZERO)).toBe(true);
  });

  it('BC-57 opens and reverses no position with a reduce-only order that buys', async () => {
    const { request, trade, held } = now();
    if (!(await now().rules()).allowsShort) return;
    const flat = await trade(request({ closes: true }));
    expect(flat.filledAmount.eq(ZERO)).toBe(true);
    expect((await trade(request({ action: 'sell' }))).status).toBe('filled');
    const order = await trade(request({ amount: decimal('15'), closes: true }));
    expect(order.filledAmount.lte(TEN)).toBe(true);
    expect((await held()).lte(ZERO)).toBe(true);
  });
}
