import { describe, expect, it } from '@jest/globals';
import { type StockAction, decimal, decimalText, id } from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import { aWorld, acme } from './world.js';

const anAction = (kind: StockAction['kind'], figure: string): StockAction => ({
  id: id(`${kind}-${figure}`),
  stockId: acme.id,
  kind,
  figure: decimal(figure),
  newShares: null,
  oldShares: null,
  status: 'pending',
  createdAt: 0,
});

/** An account that holds `amount` of ACME. */
const holding = async (amount: string) => {
  const world = aWorld();
  const { broker } = world;
  const access = anAccess(
    await broker.link({
      userId: id('user-1'),
      type: 'stock',
      accountId: undefined,
      credentials: {},
    }),
  );
  const action = amount.startsWith('-') ? 'sell' : 'buy';
  await broker.place(access, {
    clientOrderId: 'o1',
    stock: acme,
    action,
    amount: decimal(amount).abs(),
    limit: null,
    closes: false,
  });
  return {
    adjust: (done: StockAction) => broker.adjust?.(done),
    async account() {
      const { cash, positions } = await broker.account(access, world.instruments);
      return { cash, held: positions.map((position) => decimalText(position.amount)) };
    },
  };
};

describe('corporate actions in simulated accounts', () => {
  it.each([
    ['a split multiplies a long holding', '10', anAction('split', '4'), ['40'], '0'],
    ['a split multiplies a short holding', '-10', anAction('split', '0.5'), ['-5'], '0'],
    ['a dividend is paid to longs', '10', anAction('cash_dividend', '0.5'), ['10'], '5'],
    ['a dividend is owed by shorts', '-10', anAction('cash_dividend', '0.5'), ['-10'], '-5'],
    ['a delisting pays out', '10', anAction('delisting', '20'), [], '200'],
    [
      'another stock is left alone',
      '10',
      { ...anAction('split', '4'), stockId: id<'stock'>('coin') },
      ['10'],
      '0',
    ],
  ] as const)('%s, once', async (_, amount, action, held, paid) => {
    const { adjust, account } = await holding(amount);
    const before = await account();
    await adjust(action);
    await adjust(action);
    const after = await account();
    expect(after.held).toEqual(held);
    expect(after.cash.minus(before.cash).toFixed()).toBe(paid);
  });
});
