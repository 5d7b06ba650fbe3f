import { type Decimal, ONE, TWO, ZERO, decimal, divide } from '@slipstream/domain';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, TEN } from './linked-broker.js';

const half = (step: Decimal): Decimal => divide(step, TWO);

/** How stocks may be traded, and that orders beyond it are rejected. */
export function ruleCases(now: () => LinkedBroker): void {
  it('BC-04 states how the stock may be traded', async () => {
    const found = await now().rules();
    expect(found.amountStep.gt(ZERO)).toBe(true);
    expect(found.shortStep.mod(found.amountStep).eq(ZERO)).toBe(true);
    expect(found.priceStep?.gt(ZERO) ?? true).toBe(true);
    expect(found.minTotal.gte(ZERO)).toBe(true);
    expect(found.minAmount.gte(ZERO)).toBe(true);
    expect(found.checkReserve.gte(ZERO) && found.checkReserve.lt(ONE)).toBe(true);
    expect(found.session).toBe('open');
  });

  it('BC-13 rejects an amount that is not a whole number of steps', async () => {
    const { rules, request, trade, expectHeld } = now();
    const amount = TEN.plus(half((await rules()).amountStep));
    expect((await trade(request({ amount }))).status).toBe('rejected');
    await expectHeld('0');
  });

  it('BC-14 sells short if its rules allow it, and otherwise rejects the order', async () => {
    const { rules, request, trade, expectHeld } = now();
    const { allowsShort } = await rules();
    const order = await trade(request({ action: 'sell' }));
    expect(order.status).toBe(allowsShort ? 'filled' : 'rejected');
    await expectHeld('0', allowsShort ? TEN : ZERO);
  });

  it('BC-15 reverses a position if its rules allow it, and otherwise rejects the order', async () => {
    const { rules, request, trade, expectHeld } = now();
    const { allowsShort, crossesZero } = await rules();
    expect((await trade(request())).status).toBe('filled');
    const turns = allowsShort && crossesZero;
    const order = await trade(request({ action: 'sell', amount: decimal('15') }));
    expect(order.status).toBe(turns ? 'filled' : 'rejected');
    await expectHeld(TEN, turns ? '15' : '0');
  });

  it('BC-21 rejects a stock that it does not trade', async () => {
    const { fixture, request, trade } = now();
    expect((await trade(request({ stock: fixture.unlisted }))).status).toBe('rejected');
  });

  it('BC-22 has rules for the stocks that it trades, and for no other', async () => {
    const { broker, access, fixture } = now();
    const { stock, unlisted, twin } = fixture;
    const found = await broker.rules(access, [unlisted, twin, stock]);
    expect([...found.keys()].sort()).toEqual([stock.id, twin.id].sort());
    expect((await broker.rules(access, [])).size).toBe(0);
  });

  it('BC-31 accepts shorts only in whole numbers of its steps', async () => {
    const { rules, request, trade, expectHeld } = now();
    const { shortStep, allowsShort } = await rules();
    const whole = TEN.minus(TEN.mod(shortStep)).plus(shortStep);
    const uneven = request({ action: 'sell', amount: whole.plus(half(shortStep)) });
    expect((await trade(uneven)).status).toBe('rejected');
    const even = await trade(request({ action: 'sell', amount: whole }));
    expect(even.status).toBe(allowsShort ? 'filled' : 'rejected');
    await expectHeld('0', allowsShort ? whole : ZERO);
  });

  it('BC-32 distinguishes a halted stock from a closed market', async () => {
    const { fixture, rules } = now();
    fixture.haltStock();
    expect((await rules()).session).toBe('halted');
    expect((await rules(fixture.twin)).session).toBe('open');
    fixture.resumeStock();
    expect((await rules()).session).toBe('open');
  });
}
