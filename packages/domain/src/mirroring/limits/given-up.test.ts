import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { id } from '../../ids.js';
import { type Decimal, ZERO, decimal, decimalText } from '../../numbers/decimal.js';
import type { HeldParts } from '../holdings/held-part.js';
import { withKeptAgain, withoutKept } from './given-up.js';
import {
  type LossWatch,
  type WatchedHolding,
  lastEquity,
  nothingUnreported,
  worthLeftToOwner,
} from './watched-account.js';

const A = id<'stock'>('A');
const B = id<'stock'>('B');

const watchOf = (held: ReadonlyMap<typeof A, WatchedHolding>, rest: Partial<LossWatch> = {}) => ({
  ...{ since: 1, readAt: 2, cash: decimal('5000'), holdings: held, day: 0 },
  ...{ dayStart: decimal('9000'), peak: decimal('9500'), counted: [], resumes: false },
  unreported: nothingUnreported(1),
  ...rest,
});
const heldOf = (amount: string, price = '100') =>
  new Map([[A, { amount: decimal(amount), price: decimal(price) }]]);
const partsOf = (kept: string, own: string): HeldParts =>
  new Map([[A, { kept: decimal(kept), own: decimal(own), seenAt: 2 }]]);
const amountIn = (some: ReadonlyMap<typeof A, WatchedHolding> | undefined): string =>
  decimalText(some?.get(A)?.amount ?? ZERO);

describe('a holding that a bot took over and is to keep', () => {
  it.each([
    ['with what the bot bought beside it', '10', ['4', '6'], ['6', '4']],
    ['which the bot never traded', '10', ['10', '0'], ['0', '10']],
    ['in shares of after a split that is not known yet', '20', ['4', '6'], ['12', '8']],
    ['short', '-10', ['-4', '-6'], ['-6', '-4']],
    ['of which the bot sold a part', '7', ['10', '-3'], ['0', '7']],
    ['which the bot sold, and more', '-3', ['10', '-13'], ['-3', '0']],
    ['which was left to its owner before', '6', ['4', '6'], ['6', '0']],
    ['on the other side than it was known', '-10', ['4', '6'], ['-10', '0']],
  ] as const)('leaves its share to the owner: %s', (_, amount, [kept, own], [left, theirs]) => {
    const given = withoutKept(watchOf(heldOf(amount)), partsOf(kept, own));
    expect([amountIn(given.holdings), amountIn(given.leftToOwner)]).toEqual([left, theirs]);
  });

  it('changes nothing where nothing of it is known', () => {
    const watch = watchOf(heldOf('10'));
    expect(withoutKept(watch, new Map())).toBe(watch);
  });

  it('is named no more where the bot has none of it', () => {
    const given = withoutKept(watchOf(heldOf('10')), partsOf('10', '0'));
    expect([...given.holdings.keys()]).toEqual([]);
    expect(given).not.toHaveProperty('keptShorts');
  });

  it('leaves with the cash that buys it back if it is short: the bot is worth as much as before', () => {
    const watch = watchOf(heldOf('-10', '120'));
    const given = withoutKept(watch, partsOf('-4', '-6'));
    expect(decimalText(given.cash)).toBe('4520');
    expect(amountIn(given.keptShorts)).toBe('-4');
    expect(lastEquity(given)).toEqual(lastEquity(watch));
    expect(decimalText(worthLeftToOwner(given))).toBe('0');
  });

  it('leaves the shorts reserved that were its owner’s before', () => {
    const keptShorts = new Map([[B, { amount: decimal('-3'), price: decimal('50') }]]);
    const given = withoutKept(watchOf(heldOf('10'), { keptShorts }), partsOf('4', '6'));
    expect([...(given.keptShorts ?? [])]).toEqual([...keptShorts]);
    expect([...(withKeptAgain(given).keptShorts ?? [])]).toEqual([...keptShorts]);
  });
});

describe('what was left to the owner', () => {
  const amount = fc.integer({ min: -50, max: 50 });
  const stocks = fc.uniqueArray(
    fc.record({
      stock: fc.constantFrom('A', 'B', 'C'),
      kept: amount,
      own: amount,
      price: fc.integer({ min: 1, max: 300 }),
    }),
    { selector: ({ stock }) => stock },
  );
  const plain = ({ cash, holdings, keptShorts }: LossWatch) => ({
    cash: decimalText(cash),
    held: [...holdings].map(([stockId, one]) => [stockId, decimalText(one.amount)]).sort(),
    shorts: [...(keptShorts ?? [])],
  });
  const whole = (n: number): Decimal => decimal(String(n));

  it('is taken over again as if it had never left, and is worth what the bot is worth less', () => {
    fc.assert(
      fc.property(stocks, (some) => {
        const both = some.filter(({ kept, own }) => kept + own !== 0);
        const watch = watchOf(
          new Map(
            both.map(({ stock, kept, own, price }) => [
              id<'stock'>(stock),
              { amount: whole(kept + own), price: whole(price) },
            ]),
          ),
        );
        const parts: HeldParts = new Map(
          both.map(({ stock, kept, own }) => [
            id<'stock'>(stock),
            { kept: whole(kept), own: whole(own), seenAt: 2 },
          ]),
        );
        const given = withoutKept(watch, parts);
        expect(plain(withKeptAgain(given))).toEqual(plain(watch));
        expect(withKeptAgain(given)).not.toHaveProperty('leftToOwner');
        const less = lastEquity(watch).minus(lastEquity(given));
        expect(decimalText(worthLeftToOwner(given))).toBe(decimalText(less));
      }),
    );
  });
});
