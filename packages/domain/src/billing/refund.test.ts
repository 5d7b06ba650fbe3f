import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addMonths } from '../calendar.js';
import { type Invoice, refundedOf, statusOf, taskOf } from './invoice.js';
import { cancelSubscription, paidUntil, refundUnused, unusedPart } from './refund.js';
import { chargeBack, refundedElsewhere, winBack } from './standing.js';
import { beginAttempt, firstInvoice, recordAttempt } from './billing.js';
import { type Decimal, ZERO, decimal } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Subscription } from '../strategies/strategy.js';
import { DAY } from '../time.js';

const START = Date.UTC(2026, 0, 31, 12);

const aSubscription = (price: number): Subscription => ({
  id: id('subscription'),
  strategyId: id('strategy'),
  userId: id('user'),
  relation: 'subscriber',
  status: 'pending',
  statusReason: null,
  price,
  inputValue: null,
  inputDate: null,
  inputMultiplier: null,
  renewsAt: null,
  endsAt: null,
  createdAt: START,
  updatedAt: START,
});

/** Paid at `START` for the 28 days until the end of February. */
function firstMonth(price = 15) {
  const subscription = aSubscription(price);
  const sourceId = id<'payment_source'>('card');
  const strategy = { name: 'Momentum' };
  const invoice = firstInvoice({ id: id('i'), subscription, strategy, sourceId, now: START });
  const paid = { kind: 'paid', ref: 'charge', checkAgainAt: null } as const;
  return recordAttempt(
    { invoice: beginAttempt(invoice, sourceId, START), subscription },
    paid,
    START,
  );
}

/** A paid invoice with this total of refunds. */
function given(invoice: Invoice, refunded: Decimal): Invoice {
  const { state } = invoice;
  if (state.kind !== 'paid') throw new Error('it was not paid');
  return { ...invoice, state: { ...state, refunded } };
}

describe('the refund when a strategy is deleted (contract 16)', () => {
  it.each([
    ['at the very start', 0, '15'],
    ['a second later', 1_000, '14.47'],
    ['after a day', DAY, '14.47'],
    ['after a day and a second', DAY + 1_000, '13.93'],
    ['after two weeks', 14 * DAY, '7.5'],
    ['on the last day', 27 * DAY, '0.54'],
    ['in the last hours', 27 * DAY + 1, '0'],
    ['at the end', 28 * DAY, '0'],
    ['later', 90 * DAY, '0'],
  ])(
    'is price x whole unused days / days of the month, in cents, rounded up: %s',
    (_, after, part) => {
      expect(unusedPart(firstMonth().invoice, START + after).toFixed()).toBe(part);
    },
  );

  it('is owed once, less earlier refunds', () => {
    const { invoice } = firstMonth();
    const refund = refundUnused(invoice, START + 14 * DAY);
    expect([refundedOf(refund).toFixed(), taskOf(refund)]).toEqual(['7.5', 'refund']);
    expect(refundUnused(refund, START + 15 * DAY)).toBe(refund);
    const part = given(invoice, decimal('2'));
    expect(refundedOf(refundUnused(part, START + 14 * DAY)).toFixed()).toBe('7.5');
    expect(refundUnused(part, START + 26 * DAY)).toBe(part);
    expect(refundUnused(invoice, addMonths(START, 1))).toBe(invoice);
  });

  it('falls from the whole price to nothing, in whole cents', () => {
    const moments = fc.tuple(fc.nat(29 * DAY), fc.nat(29 * DAY), fc.integer({ min: 1, max: 999 }));
    fc.assert(
      fc.property(moments, ([one, other, price]) => {
        const { invoice } = firstMonth(price);
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        const [more, less] = [
          unusedPart(invoice, START + early),
          unusedPart(invoice, START + late),
        ];
        expect(more.gte(less) && more.lte(invoice.amount) && less.gte(ZERO)).toBe(true);
        expect(more.times(decimal('100')).mod(decimal('1')).eq(ZERO)).toBe(true);
        expect(less.gt(ZERO)).toBe(START + late <= (paidUntil(invoice) ?? 0) - DAY);
      }),
    );
  });
});

describe('a chargeback', () => {
  it('of a paid invoice ends the subscription', () => {
    const { invoice, subscription } = chargeBack(firstMonth(), START + DAY);
    expect([statusOf(invoice), subscription.status]).toEqual(['chargeback', 'cancelled']);
  });

  it('of a subscription that has ended leaves it as it is', () => {
    const { invoice, subscription } = firstMonth();
    const over = cancelSubscription(subscription, 'the owner ended it', START + DAY);
    expect(chargeBack({ invoice, subscription: over }, START + 2 * DAY).subscription).toBe(over);
  });

  it('of a refunded charge takes nothing', () => {
    const billed = firstMonth();
    const { amount } = billed.invoice;
    const nothingLeft = { ...billed, invoice: given(billed.invoice, amount) };
    expect(chargeBack(nothingLeft, START + DAY)).toEqual(nothingLeft);
  });

  it('that is won makes the invoice paid again, and leaves the subscription', () => {
    const { invoice, subscription } = chargeBack(firstMonth(), START + DAY);
    expect(statusOf(winBack(invoice, START + 2 * DAY))).toBe('paid');
    expect(subscription).toMatchObject({
      status: 'cancelled',
      statusReason: 'the payment was charged back',
    });
  });
});

describe('a refund made at the gateway', () => {
  it('in part leaves the subscription as it is, in full ends the running month', () => {
    const part = refundedElsewhere(firstMonth(), decimal('5'), START + DAY);
    expect(refundedOf(part.invoice).toFixed()).toBe('5');
    expect(part.subscription.status).toBe('active');
    const full = refundedElsewhere(part, decimal('15'), START + 2 * DAY);
    expect(full.subscription).toMatchObject({ status: 'cancelled', endsAt: START + 2 * DAY });
    expect(refundedElsewhere(full, decimal('5'), START + 3 * DAY)).toEqual(full);
    const past = refundedElsewhere(firstMonth(), decimal('15'), START + 40 * DAY);
    expect(past.subscription.status).toBe('active');
  });
});
