import { type AccountActivity, TWO, ZERO, decimal } from '@slipstream/domain';
import { expect, it } from '../../testing.js';
import type { LinkedBroker } from './linked-broker.js';
import { TROUBLES } from './trouble.js';

const MANY = 120;

/** What changes an account beside orders. A broker without such reports passes: then nothing is known of transfers. */
export function activityCases(now: () => LinkedBroker): void {
  const reported = async (since = 0): Promise<readonly AccountActivity[]> => {
    const { broker, access, fixture } = now();
    return (await broker.activities?.(access, fixture.instruments, since)) ?? [];
  };
  const transfers = async () =>
    (await reported())
      .filter(({ kind }) => kind === 'transfer')
      .map(({ cash, stockId, amount }) => [cash.toFixed(), stockId, amount.toFixed()]);

  it('BC-47 reports a deposit and a withdrawal of cash, as the account shows them', async () => {
    const { fixture, access, account } = now();
    if (!fixture.transfer) return;
    const before = await account();
    await fixture.transfer(access, decimal('2000'), ZERO);
    await fixture.transfer(access, decimal('-500.25'), ZERO);
    expect((await account()).cash.minus(before.cash).toFixed()).toBe('1499.75');
    const moved = (await transfers()).map(([cash, ...of]) => `${cash} ${of.join()}`);
    expect(moved.sort()).toEqual(['-500.25 ,0', '2000 ,0']);
  });

  it('BC-48 reports shares that come in or go, signed, and by no other stock', async () => {
    const { fixture, access, held } = now();
    if (!fixture.transfer) return;
    const { stock, instruments } = fixture;
    await fixture.transfer(access, ZERO, decimal('7'));
    await fixture.transfer(access, ZERO, decimal('-2'));
    expect((await held()).toFixed()).toBe('5');
    const moved = (await reported()).filter(({ kind }) => kind === 'transfer');
    expect(moved.map(({ amount }) => amount.toFixed()).sort()).toEqual(['-2', '7']);
    // A broker may name a ticker only, which two stocks may have.
    for (const { stockId } of moved)
      expect([stock.id, undefined]).toContain(stockId && instruments.find(stockId)?.id);
    expect(moved.every(({ stockId }) => stockId !== null)).toBe(true);
  });

  it('BC-49 reports no order and no trade by hand as a transfer or as income', async () => {
    const { fixture, access, request, trade } = now();
    await trade(request());
    await fixture.tradeByHand(access, 'buy', TWO);
    const found = await reported();
    expect(found.filter(({ kind }) => kind === 'transfer' || kind === 'income')).toEqual([]);
  });

  it('BC-50 reports each of many once, by an id that it keeps', async () => {
    const { fixture, access } = now();
    if (!fixture.transfer) return;
    for (let one = 1; one <= MANY; one += 1)
      await fixture.transfer(access, decimal(`${one}`), ZERO);
    const [first, second] = [await reported(), await reported()];
    const idsOf = (found: readonly AccountActivity[]) => found.map(({ id }) => id).sort();
    expect(new Set(idsOf(first)).size).toBe(MANY);
    expect(idsOf(second)).toEqual(idsOf(first));
    const newest = Math.max(...first.map(({ at }) => at));
    expect(idsOf(await reported(newest)).length).toBeGreaterThan(0);
  });

  it.each(TROUBLES)(
    'BC-51 throws if it cannot read the activities (%s): one that it leaves out would count as a loss',
    async (trouble, error) => {
      const { fixture, access } = now();
      if (!fixture.transfer) return;
      await fixture.transfer(access, decimal('100'), ZERO);
      fixture.troubleNext('activities', trouble);
      await expect(reported()).rejects.toBeInstanceOf(error);
      expect(await transfers()).toHaveLength(1);
    },
  );
}
