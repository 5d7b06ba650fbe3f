import { decimal } from '@slipstream/domain';
import { expect, it } from '../../testing.js';
import { type LinkedBroker, TEN } from './linked-broker.js';

/** What else is in the account: the owner's trades, other exchanges, instruments that the service does not list. */
export function ownerCases(now: () => LinkedBroker): void {
  it('BC-27 keeps one ticker of two exchanges apart', async () => {
    const { fixture, request, trade, expectHeld } = now();
    const { stock, twin } = fixture;
    expect(twin.symbol).toBe(stock.symbol);
    const other = await trade(request({ amount: decimal('3'), stock: twin }));
    expect(other.stockId).toBe(twin.id);
    await trade(request({ stock }));
    await expectHeld('3', '0', twin);
    await expectHeld('10', '0', stock);
  });

  it("BC-45 reports the owner's trades by hand", async () => {
    const { fixture, access, request, trade, expectHeld } = now();
    await fixture.tradeByHand(access, 'buy', decimal('3'));
    await expectHeld('3');
    const order = await trade(request());
    expect(order.filledAmount.eq(TEN)).toBe(true);
    await expectHeld('13');
    await fixture.tradeByHand(access, 'sell', decimal('4'));
    await expectHeld('13', '4');
  });

  it('BC-46 also reports positions in instruments that the service does not list', async () => {
    const { broker, access, request, trade, account } = now();
    await trade(request());
    const { equity, positions } = await account();
    const unlisted = await broker.account(access, { find: () => undefined, all: () => [] });
    expect(unlisted.equity.eq(equity)).toBe(true);
    const amounts = (of: typeof positions) => of.map(({ amount }) => amount.toFixed());
    expect(amounts(unlisted.positions)).toEqual(amounts(positions));
    expect(positions).toHaveLength(1);
  });
}
