import { describe, expect, it } from '@jest/globals';
import { ONE, decimal, decimalText } from '../numbers/decimal.js';
import { id, type StockId } from '../ids.js';
import type { BrokerAccount } from './bot-account.js';
import { withinBounds } from './rebalance/weights.js';
import { listBounds, mayTake } from './stock-lists.js';

const ACME: StockId = id('acme');
const BOLT: StockId = id('bolt');

const holding = (value: string): BrokerAccount => ({
  equity: decimal('1000'),
  cash: decimal('1000').minus(decimal(value)),
  buyingPower: decimal('1000'),
  maxGross: ONE,
  positions: [{ stockId: ACME, amount: ONE, price: decimal(value).abs(), value: decimal(value) }],
  allows: 'all',
  because: null,
});

describe('the lists of a bot', () => {
  it.each([
    [null, [], true],
    [null, [ACME], false],
    [[ACME], [], true],
    [[BOLT], [], false],
    [[ACME], [ACME], false],
    [[], [], false],
  ] as const)('allow %j, deny %j: takes it %s', (allowStocks, denyStocks, taken) => {
    expect(mayTake({ allowStocks, denyStocks }, ACME)).toBe(taken);
  });

  it.each([
    ['an increase is left out', '200', '0.5', '0.2'],
    ['a reduction is followed', '200', '0.1', '0.1'],
    ['an exit is followed', '200', '0', null],
    ['a reversal only closes', '200', '-0.3', null],
    ['a short is not added to', '-200', '-0.5', '-0.2'],
    ['a short is bought back in part', '-200', '-0.1', '-0.1'],
  ])('%s: %s of 1000 held, target %s', (_, held, target, expected) => {
    const bot = { allowStocks: null, denyStocks: [ACME] };
    const wanted = new Map([
      [ACME, decimal(target)],
      [BOLT, decimal('0.4')],
    ]);
    const { bounds, leftOut } = listBounds(wanted, holding(held), bot);
    const weights = withinBounds(wanted, bounds);
    const weight = weights.get(ACME);
    expect(weight ? decimalText(weight) : null).toBe(expected);
    expect(weights.get(BOLT)).toEqual(decimal('0.4'));
    expect(leftOut).toEqual(expected === target || target === '0' ? [] : [ACME]);
  });
});
