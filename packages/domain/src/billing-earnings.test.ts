import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  SETTLES_AFTER,
  reversalOf,
  saleOf,
  splitCommission,
  totalsOf,
  withdrawable,
  withdrawalRow,
} from './billing-earnings.js';
import { firstInvoice } from './billing.js';
import { type Decimal, ZERO, decimal, sum } from './decimal.js';
import { id } from './ids.js';
import type { Earning, Invoice, Withdrawal } from './payment.js';
import type { Subscription } from './strategy.js';

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
  const sale = saleOf(anInvoice(15), owner, id('sale'), NOW);

  it('settle after seven days', () => {
    expect(figures(totalsOf([sale], NOW + SETTLES_AFTER - 1))).toEqual(['12', '0']);
    expect(figures(totalsOf([sale], NOW + SETTLES_AFTER))).toEqual(['12', '12']);
  });

  it.each([
    ['before they settle', NOW + 1],
    ['after they settled', NOW + SETTLES_AFTER + 1],
  ])('that are taken back %s leave nothing, once', (_, at) => {
    const reversal = reversalOf([sale], 'chargeback', id('reversal'), at) as Earning;
    expect(reversal.commission.toFixed()).toBe('-3');
    expect(figures(totalsOf([sale, reversal], at))).toEqual(['0', '0']);
    expect(reversalOf([sale, reversal], 'refund', id('again'), at)).toBeUndefined();
  });

  it('of others are not touched by taking back what had not settled', () => {
    const settled: Earning = { ...sale, id: id('old'), settlesAt: NOW };
    const reversal = reversalOf([sale], 'refund', id('reversal'), NOW + 1) as Earning;
    expect(figures(totalsOf([settled, sale, reversal], NOW + 1))).toEqual(['12', '12']);
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

  it('are never withdrawn beyond what has settled, whatever comes in between', () => {
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
          if (kind === 'time') now += (pick % 10) * 86_400_000;
          if (kind === 'sale') {
            const invoice = { ...anInvoice(price), id: id<'invoice'>(`invoice-${rowId}`) };
            sales.push(saleOf(invoice, owner, rowId, now));
            rows.push(sales.at(-1) as Earning);
          }
          const chosen = sales[pick % Math.max(1, sales.length)];
          if (kind === 'reversal' && chosen) {
            const own = rows.filter(({ invoiceId }) => invoiceId === chosen.invoiceId);
            const reversal = reversalOf(own, 'chargeback', rowId, now);
            if (reversal) rows.push(reversal);
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
