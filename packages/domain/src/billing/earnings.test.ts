import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  SETTLES_AFTER,
  adjustTo,
  saleOf,
  splitCommission,
  totalsOf,
  withdrawable,
  withdrawalRow,
} from './earnings.js';
import { firstInvoice } from './billing.js';
import { type Decimal, ZERO, decimal, sum } from '../numbers/decimal.js';
import { type NextId, id } from '../ids.js';
import { DAY } from '../time.js';
import type { Invoice } from './invoice.js';
import type { Earning, Withdrawal } from './payment.js';
import type { Subscription } from '../strategies/strategy.js';

const NOW = Date.UTC(2026, 0, 5);
const owner = { id: id<'user'>('owner'), commission: 20 };

const anInvoice = (price: number): Invoice =>
  firstInvoice({
    id: id('invoice'),
    subscription: {
      id: 'subscription',
      userId: 'user',
      strategyId: 'strategy',
      price,
    } as Subscription,
    strategy: { name: 'Momentum' },
    sourceId: id('card'),
    now: NOW,
  });

const aWithdrawal = (amount: Decimal): Withdrawal => ({
  id: id('withdrawal'),
  userId: owner.id,
  money: 'live',
  amount,
  status: 'pending',
  sourceId: null,
  reason: null,
  dueAt: NOW,
  createdAt: NOW,
  updatedAt: NOW,
});

const figures = ({ balance, settled }: { balance: Decimal; settled: Decimal }) => [
  balance.toFixed(),
  settled.toFixed(),
];

describe('the commission', () => {
  it.each([
    ['15', 20, '3', '12'],
    ['1', 33, '0.33', '0.67'],
    ['999999', 7, '69999.93', '929999.07'],
    ['10', 0, '0', '10'],
    ['10', 100, '10', '0'],
    ['0.25', 50, '0.12', '0.13'],
    ['0.15', 50, '0.08', '0.07'],
  ])('of %s at %i percent is %s, the owner earns %s', (amount, percent, commission, earned) => {
    const split = splitCommission(decimal(amount), percent);
    expect([split.commission.toFixed(), split.earned.toFixed()]).toEqual([commission, earned]);
  });

  it('and the earning are the amount, in whole cents, never negative', () => {
    const amounts = fc.integer({ min: 0, max: 100_000_000 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 100 }), (cents, percent) => {
        const amount = decimal(String(cents)).times(decimal('0.01'));
        const { commission, earned } = splitCommission(amount, percent);
        expect(commission.plus(earned).eq(amount)).toBe(true);
        expect(commission.times(decimal('100')).mod(decimal('1')).eq(ZERO)).toBe(true);
        expect(commission.gte(ZERO) && earned.gte(ZERO)).toBe(true);
      }),
    );
  });
});

describe('earnings', () => {
  const month = { ...anInvoice(15), status: 'paid', anchorAt: NOW } as const;
  const sale = saleOf(month, owner, { id: id('sale'), money: 'live', now: NOW });
  const until = Date.UTC(2026, 1, 5);
  let made = 0;
  const nextId: NextId = () => id(`row-${(made += 1)}`);
  const refundTo = (rows: readonly Earning[], price: string, now: number, settlesBy?: number) =>
    adjustTo(
      rows,
      {
        price: decimal(price),
        taken: 'refund',
        given: 'kept',
        ...(settlesBy !== undefined && { settlesBy }),
      },
      nextId,
      now,
    );
  const chargeBackOf = (rows: readonly Earning[], now: number) =>
    adjustTo(rows, { price: ZERO, taken: 'chargeback', given: 'reinstated' }, nextId, now);

  it('settle seven days after the paid month, when it can no longer be refunded', () => {
    expect(sale.settlesAt).toBe(until + 7 * DAY);
    expect(figures(totalsOf([sale], until + SETTLES_AFTER - 1))).toEqual(['12', '0']);
    expect(figures(totalsOf([sale], until + SETTLES_AFTER))).toEqual(['12', '12']);
    const late = saleOf(month, owner, { id: id('late'), money: 'live', now: until + 3 });
    expect(late.settlesAt).toBe(until + 3 + SETTLES_AFTER);
  });

  it.each([
    ['before they settle', NOW + 1],
    ['after they settled', until + SETTLES_AFTER + 1],
  ])('that are reversed %s leave nothing, once', (_, at) => {
    const [reversal, ...more] = chargeBackOf([sale], at) as [Earning];
    expect([reversal.commission.toFixed(), more]).toEqual(['-3', []]);
    expect(figures(totalsOf([sale, reversal], at))).toEqual(['0', '0']);
    expect(chargeBackOf([sale, reversal], at)).toEqual([]);
  });

  it('of other invoices are not touched by the reversal of unsettled ones', () => {
    const settled: Earning = { ...sale, id: id('old'), settlesAt: NOW };
    const rows = [settled, sale, ...chargeBackOf([sale], NOW + 1)];
    expect(figures(totalsOf(rows, NOW + 1))).toEqual(['12', '12']);
  });

  it('that remain after a deletion settle seven days after it, by their shares', () => {
    const at = NOW + 10 * 86_400_000;
    const rows = [sale, ...refundTo([sale], '5.01', at, at + SETTLES_AFTER)];
    expect(rows.map(({ kind }) => kind)).toEqual(['sale', 'refund', 'kept']);
    expect(refundTo(rows, '5.01', at + 1, at + SETTLES_AFTER)).toEqual([]);
    expect(figures(totalsOf(rows, at))).toEqual(['4.01', '0']);
    expect(figures(totalsOf(rows, at + SETTLES_AFTER))).toEqual(['4.01', '4.01']);
    expect(figures(totalsOf(rows, until + SETTLES_AFTER))).toEqual(['4.01', '4.01']);
    const back = chargeBackOf(rows, at + SETTLES_AFTER);
    expect(figures(totalsOf([...rows, ...back], at + SETTLES_AFTER))).toEqual(['0', '0']);
  });

  it('that a won dispute reinstates settle at the original time', () => {
    const rows = [sale, ...chargeBackOf([sale], NOW + 1)];
    const won = adjustTo(
      rows,
      { price: decimal('15'), taken: 'chargeback', given: 'reinstated' },
      nextId,
      NOW + 2,
    );
    expect(won).toMatchObject([{ kind: 'reinstated', settlesAt: until + SETTLES_AFTER }]);
    expect(figures(totalsOf([...rows, ...won], NOW + 2))).toEqual(['12', '0']);
    const again = chargeBackOf([...rows, ...won], NOW + 3);
    expect(figures(totalsOf([...rows, ...won, ...again], NOW + 3))).toEqual(['0', '0']);
  });

  it('are split to the cent after any refunds, and never exceed the balance', () => {
    const prices = fc.array(fc.nat(1500), { maxLength: 6 });
    fc.assert(
      fc.property(prices, fc.integer({ min: 0, max: 100 }), fc.nat(60), (list, percent, day) => {
        const rows = [
          saleOf(
            month,
            { ...owner, commission: percent },
            { id: nextId(), money: 'live', now: NOW },
          ),
        ];
        let now = NOW;
        for (const cents of list) {
          now += day * 43_200_000;
          const price = decimal(String(cents)).times(decimal('0.01'));
          rows.push(...refundTo(rows, price.toFixed(), now, now + SETTLES_AFTER));
          expect(sum(rows.map((row) => row.amount.plus(row.commission))).eq(price)).toBe(true);
          const { balance, settled } = totalsOf(rows, now);
          expect(balance.gte(ZERO) && balance.lte(price)).toBe(true);
          expect(settled.gte(ZERO) && settled.lte(balance)).toBe(true);
          expect(totalsOf(rows, Infinity).settled.eq(balance)).toBe(true);
        }
      }),
    );
  });

  it.each([
    ['50', '20', '20'],
    ['-5', '-5', '0'],
    ['3', '-5', '0'],
    ['0', '0', '0'],
  ])('of balance %s, settled %s can be withdrawn: %s', (balance, settled, most) => {
    const totals = { balance: decimal(balance), settled: decimal(settled) };
    expect(withdrawable(totals).toFixed()).toBe(most);
  });

  it('are never withdrawn beyond the settled balance, after any events', () => {
    const step = fc.record({
      kind: fc.constantFrom('sale', 'reversal', 'withdrawal', 'time'),
      pick: fc.nat(1000),
      price: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = NOW;
        const rows: Earning[] = [];
        const sales: Earning[] = [];
        for (const { kind, pick, price } of steps) {
          const rowId = id<'earning'>(String(rows.length));
          if (kind === 'time') now += (pick % 20) * 86_400_000;
          if (kind === 'sale') {
            const invoiceId = id<'invoice'>(`invoice-${rowId}`);
            const invoice = { ...anInvoice(price), id: invoiceId, anchorAt: now };
            sales.push(saleOf(invoice, owner, { id: rowId, money: 'live', now }));
            rows.push(sales.at(-1) as Earning);
          }
          const chosen = sales[pick % Math.max(1, sales.length)];
          if (kind === 'reversal' && chosen) {
            const own = rows.filter(({ invoiceId }) => invoiceId === chosen.invoiceId);
            rows.push(...chargeBackOf(own, now));
          }
          const totals = totalsOf(rows, now);
          expect(totals.settled.lte(totals.balance)).toBe(true);
          const most = withdrawable(totals);
          if (kind === 'withdrawal' && most.gt(ZERO)) {
            rows.push(withdrawalRow(aWithdrawal(most), 'withdrawal', rowId, now));
            expect(totalsOf(rows, now).settled.eq(ZERO)).toBe(true);
          }
        }
        expect(totalsOf(rows, now).balance.eq(sum(rows.map(({ amount }) => amount)))).toBe(true);
      }),
    );
  });
});
