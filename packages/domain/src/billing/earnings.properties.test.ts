import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Remainder, adjustTo, saleOf, totalsOf } from './earnings.js';
import type { Invoice } from './invoice.js';
import { type Decimal, ZERO, decimal, divide, sum } from '../numbers/decimal.js';
import { type Id, id } from '../ids.js';
import type { Earning } from './payment.js';
import { DAY } from '../time.js';

const START = Date.UTC(2026, 0, 31, 12);
const EVER = START + 10_000 * DAY;
/** Clocks of servers differ by so much. */
const APART = 5000;

const KINDS: readonly Pick<Remainder, 'taken' | 'given'>[] = [
  { taken: 'refund', given: 'kept' },
  { taken: 'chargeback', given: 'kept' },
  { taken: 'refund', given: 'reinstated' },
];

const change = fc.record({
  /** What is left of the price. */
  percent: fc.oneof(fc.constantFrom(0, 1, 100), fc.nat(100)),
  kind: fc.constantFrom(...KINDS),
  later: fc.oneof(fc.integer({ min: -APART, max: APART }), fc.integer({ min: 0, max: 40 * DAY })),
  isEarly: fc.boolean(),
});

const inOrder = (rows: readonly Earning[]): Earning[] =>
  rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));

it('the rows of an invoice add up to what is left of it, shared by its percentage, by servers whose clocks differ', () => {
  fc.assert(
    fc.property(
      ...[fc.integer({ min: 1, max: 500 }), fc.nat(100)],
      fc.array(change, { maxLength: 8 }),
      (price, commission, changes) => {
        let made = 0;
        const nextId = <Kind extends string>(): Id<Kind> =>
          id(`row-${String((made += 1)).padStart(3, '0')}`);
        const amount = decimal(String(price));
        const invoice = { id: id('invoice'), amount, anchorAt: START, month: 1 } as Invoice;
        const sale = saleOf(
          invoice,
          { id: id('owner'), commission },
          { id: nextId(), money: 'live', now: START },
        );
        const shareOf = (left: Decimal): Decimal =>
          divide(sale.commission.times(left), amount).round(2, 2);
        let [now, rows] = [START, [sale]];
        for (const { percent, kind, later, isEarly } of changes) {
          now = Math.max(START - APART, now + later);
          const left = divide(amount.times(String(percent)), decimal('100'), 'up', 2);
          const settling = isEarly ? { settlesBy: now + 7 * DAY } : {};
          const more = adjustTo(rows, { price: left, ...kind, ...settling }, nextId, now);
          rows = inOrder([...rows, ...more]);
          const own = sum(rows.map((row) => row.amount));
          expect(sum(rows.map((row) => row.commission)).toFixed()).toBe(shareOf(left).toFixed());
          expect(own.toFixed()).toBe(left.minus(shareOf(left)).toFixed());
          expect(totalsOf(rows, now).settled.gte(ZERO)).toBe(true);
          expect(totalsOf(rows, EVER).settled.toFixed()).toBe(own.toFixed());
          // Also by a clock that was set back since.
          for (const back of [APART, DAY / 24, 20 * DAY])
            expect(totalsOf(rows, now - back).settled.lte(own)).toBe(true);
        }
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});
