import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { id } from '../../ids.js';
import type { Quote } from '../../market/stock.js';
import type { StockAction } from '../../market/stock-action.js';
import { ZERO, decimal, decimalText } from '../../numbers/decimal.js';
import { NOTHING_UNHELD, type Unheld, revaluedUnheld, unheldOf } from './unheld.js';

const A = id<'stock'>('A');

/** Bid and ask are a dollar apart. */
const quoted = (bid: number): Quote => ({
  stockId: A,
  bid: decimal(String(bid)),
  ask: decimal(String(bid + 1)),
  last: decimal(String(bid)),
  at: 0,
});
const shown = (unheld: Unheld) =>
  [...unheld.values()].map(({ isShort, price, notHeld, leverageAndCaps }) =>
    [isShort ? 'short' : 'long', ...[price, notHeld, leverageAndCaps].map(decimalText)].join(' '),
  );

interface Seen {
  readonly whole?: string;
  readonly cut?: string;
  /** In USD. */
  readonly held?: string;
  readonly equity?: string;
  readonly isInTransit?: boolean;
  readonly bid?: number | null;
  readonly before?: Unheld;
}

function unheld({ whole, cut = '0', held, equity = '10000', ...rest }: Seen): Unheld {
  const { isInTransit = false, bid = 100, before = NOTHING_UNHELD } = rest;
  const all = decimal(whole ?? '0');
  const weights = whole === undefined ? [] : ([[A, all.minus(decimal(cut))]] as const);
  const value = decimal(held ?? '0');
  return unheldOf(
    {
      whole: new Map(whole === undefined ? [] : [[A, all]]),
      cut: new Map(cut === '0' ? [] : [[A, decimal(cut)]]),
      weights: new Map(weights),
    },
    {
      equity: decimal(equity),
      positions:
        held === undefined ? [] : [{ stockId: A, amount: value, price: decimal('1'), value }],
    },
    {
      ...{ before, at: 7, isInTransit: () => isInTransit },
      quoteOf: () => (bid === null ? undefined : quoted(bid)),
    },
  );
}

describe('what an account does not hold of its target', () => {
  it.each<[string, Seen, string[]]>([
    ['is all of it', { whole: '0.5' }, ['long 100 50 0']],
    ['is what is missing', { whole: '0.5', held: '4000' }, ['long 100 10 0']],
    ['is below zero where it holds more', { whole: '0.5', held: '6000' }, ['long 100 -10 0']],
    ['is below zero where the target has none', { held: '6000' }, ['long 100 -60 0']],
    ['counts by the ask if it is short', { whole: '-0.505' }, ['short 101 -50 0']],
    ['counts by the ask where the account alone is short', { held: '-5050' }, ['short 101 50 0']],
    ['is apart from what limits took', { whole: '0.5', cut: '0.2' }, ['long 100 30 20']],
    [
      'is what limits took alone while an order is on its way',
      { whole: '0.5', cut: '0.2', held: '1000', isInTransit: true },
      ['long 100 0 20'],
    ],
    [
      'is nothing else while an order is on its way',
      { whole: '0.5', held: '0', isInTransit: true },
      [],
    ],
    ['is nothing within a thousandth of equity', { whole: '0.5', held: '4990.01' }, []],
    ['is something at a thousandth of equity', { whole: '0.5', held: '4990' }, ['long 100 0.1 0']],
    ['has no price to count by', { whole: '0.5', bid: null }, []],
    ['has a price of nothing', { whole: '0.5', bid: 0 }, []],
    ['is of an account that is worth nothing', { whole: '0.5', equity: '0' }, []],
    [
      'is valued as the account was read',
      { whole: '0.5', before: unheld({ whole: '0.1', bid: 80 }) },
      ['long 80 62.5 0'],
    ],
    [
      'is valued anew on the other side',
      { whole: '-0.505', before: unheld({ whole: '0.1', bid: 80 }) },
      ['short 101 -50 0'],
    ],
  ])('%s', (_, seen, expected) => {
    expect(shown(unheld(seen))).toEqual(expected);
  });
});

type Step =
  | { readonly kind: 'quote'; readonly bid: number }
  | { readonly kind: 'look' }
  | { readonly kind: StockAction['kind']; readonly figure: string };

const action = (step: Step & { readonly figure: string }, createdAt: number): StockAction => ({
  ...{ id: id<'stock_action'>(String(createdAt)), stockId: A, kind: step.kind as 'split' },
  ...{ figure: decimal(step.figure), newShares: null, oldShares: null },
  ...{ status: 'done', createdAt },
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 200 }).map((bid) => ({ kind: 'quote', bid }) as const),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'look' } as const) },
  fc.constantFrom('2', '0.5', '4').map((figure) => ({ kind: 'split', figure }) as const),
  fc.constantFrom('1', '2.5').map((figure) => ({ kind: 'cash_dividend', figure }) as const),
  {
    weight: 1,
    arbitrary: fc.constantFrom('0', '30').map((figure) => ({ kind: 'delisting', figure }) as const),
  },
);

describe('what it gained by not holding that', () => {
  it('is what the target lost by it: prices, dividends and settlements, however often it is looked at', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('0.5', '-0.505'),
        fc.array(step, { maxLength: 12 }),
        (whole, steps) => {
          const first = unheld({ whole });
          const [isShort, price] = [whole.startsWith('-'), whole.startsWith('-') ? 101 : 100];
          /** The target's own shares, and what they brought. */
          const own = { shares: isShort ? -50 : 50, price, brought: 0 };
          let [known, gained, bid, at] = [first, ZERO, 100, 7];
          let actions: StockAction[] = [];
          const look = (): void => {
            const now = { at, quoteOf: () => quoted(bid), actions: new Map([[A, actions]]) };
            const { unheld: next, gain } = revaluedUnheld(known, now);
            [known, gained] = [next, gained.plus(gain.notHeld)];
            const present = isShort ? bid + 1 : bid;
            own.brought += own.shares * (present - own.price);
            own.price = present;
          };
          for (const one of steps) {
            at += 1;
            if (one.kind === 'quote') bid = one.bid;
            else if (one.kind === 'look') look();
            else {
              // What was done before stays in the list, as a storage answers it.
              actions = [...actions, action(one, at)];
              const figure = Number(one.figure);
              if (one.kind === 'split')
                [own.shares, own.price] = [own.shares * figure, own.price / figure];
              if (one.kind === 'cash_dividend') own.brought += own.shares * figure;
              if (one.kind === 'delisting') {
                own.brought += own.shares * (figure - own.price);
                own.shares = 0;
              }
            }
          }
          look();
          expect(decimalText(gained)).toBe(String(0 - own.brought));
          expect([...known.keys()]).toEqual(own.shares === 0 ? [] : [A]);
        },
      ),
    );
  });

  it('is told apart: of what is not held, and of what limits took', () => {
    const known = unheld({ whole: '0.5', cut: '0.2' });
    const now = { at: 8, actions: new Map(), quoteOf: () => quoted(110) };
    const { gain } = revaluedUnheld(known, now);
    expect([gain.notHeld, gain.leverageAndCaps].map(decimalText)).toEqual(['-300', '-200']);
  });

  it('is nothing while there is no quote', () => {
    const now = { at: 8, actions: new Map(), quoteOf: () => undefined };
    const { unheld: next, gain } = revaluedUnheld(unheld({ whole: '0.5' }), now);
    expect(decimalText(gain.notHeld)).toBe('0');
    expect(shown(next)).toEqual(['long 100 50 0']);
  });
});
