import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addMonths } from '../calendar.js';
import {
  type Billed,
  type AttemptAnswer,
  beginAttempt,
  endSubscription,
  firstInvoice,
  givesAccess,
  isHalfOver,
  renew,
  resumeSubscription,
  recordAttempt,
  stopTrying,
  attemptKey,
} from './billing.js';
import { chargeRefOf, dueAtOf, isRetryable, refundedOf, statusOf, taskOf } from './invoice.js';
import { ASK_AGAIN_AFTER } from './payment.js';
import { ZERO } from '../numbers/decimal.js';
import { id } from '../ids.js';
import { SUBSCRIPTION_STATUSES, type Subscription } from '../strategies/strategy.js';
import { DAY } from '../time.js';

const MOST_ATTEMPTS = 3;
const START = Date.UTC(2026, 0, 31, 12);
const card = id<'payment_source'>('card');
const paid: AttemptAnswer = { kind: 'paid', ref: 'charge', checkAgainAt: null };
const declined: AttemptAnswer = { kind: 'declined', reason: 'insufficient_funds' };

const aSubscription = (overrides: Partial<Subscription> = {}): Subscription => ({
  id: id('subscription'),
  strategyId: id('strategy'),
  userId: id('user'),
  relation: 'subscriber',
  status: 'pending',
  statusReason: null,
  price: 15,
  inputValue: null,
  inputDate: null,
  inputMultiplier: null,
  renewsAt: null,
  endsAt: null,
  createdAt: START,
  updatedAt: START,
  ...overrides,
});

const beginning = (subscription: Subscription, now: number) => ({
  id: id<'invoice'>(`invoice-${now}`),
  subscription,
  strategy: { name: 'Momentum' },
  sourceId: card,
  now,
});

const begun = (): Billed => {
  const subscription = aSubscription();
  return { subscription, invoice: firstInvoice(beginning(subscription, START)) };
};

/** One attempt and its answer. */
const tried = ({ invoice, subscription }: Billed, answer: AttemptAnswer, now: number): Billed =>
  recordAttempt({ invoice: beginAttempt(invoice, card, now), subscription }, answer, now);

const firstMonth = (): Billed => tried(begun(), paid, START);

const renewed = ({ invoice, subscription }: Billed, now: number): Billed => {
  const next = renew(beginning(subscription, now), invoice);
  if (!next.invoice) throw new Error('nothing is charged');
  return { invoice: next.invoice, subscription: next.subscription };
};

const renewal = (): Billed => {
  const first = firstMonth();
  return renewed(first, first.subscription.renewsAt ?? 0);
};

describe('the first month (contract 5, "Billing")', () => {
  it('is pending, without access, until it is charged', () => {
    const { invoice, subscription } = begun();
    expect([statusOf(invoice), invoice.amount.toFixed(), dueAtOf(invoice)]).toEqual([
      'pending',
      '15',
      START,
    ]);
    expect(givesAccess(subscription)).toBe(false);
  });

  it('makes the subscription active for a calendar month from when it is paid', () => {
    const { invoice, subscription } = tried(begun(), paid, START + DAY);
    expect([statusOf(invoice), chargeRefOf(invoice), dueAtOf(invoice)]).toEqual([
      'paid',
      'charge',
      null,
    ]);
    expect(subscription.status).toBe('active');
    expect(subscription.renewsAt).toBe(addMonths(START + DAY, 1));
    expect(givesAccess(subscription)).toBe(true);
  });

  it('that is declined is past due without access, tried after 3 and 7 days, then cancelled', () => {
    const first = tried(begun(), declined, START);
    expect([statusOf(first.invoice), isRetryable(first.invoice)]).toEqual(['failed', true]);
    expect(dueAtOf(first.invoice)).toBe(START + 3 * DAY);
    expect(first.subscription.status).toBe('past_due');
    expect(givesAccess(first.subscription)).toBe(false);

    const second = tried(first, declined, START + 3 * DAY);
    expect(dueAtOf(second.invoice)).toBe(START + 7 * DAY);

    const third = tried(second, declined, START + 7 * DAY);
    expect(third.invoice.state).toEqual({ kind: 'failed', reason: 'insufficient_funds' });
    expect(third.subscription).toMatchObject({ status: 'cancelled', endsAt: START + 7 * DAY });
  });

  it('is followed by the next one when a later attempt is paid, counted from then', () => {
    const { subscription } = tried(tried(begun(), declined, START), paid, START + 3 * DAY);
    expect(subscription.renewsAt).toBe(addMonths(START + 3 * DAY, 1));
  });

  it('leaves a day between attempts that a standstill has delayed', () => {
    const late = tried(tried(begun(), declined, START), declined, START + 10 * DAY);
    expect(dueAtOf(late.invoice)).toBe(START + 11 * DAY);
  });
});

describe('an attempt', () => {
  it('keeps its key and source until its answer is known', () => {
    const asked = beginAttempt(begun().invoice, card, START);
    const again = beginAttempt(asked, id('another'), START + ASK_AGAIN_AFTER);
    expect(attemptKey(again)).toBe(attemptKey(asked));
    expect([again.sourceId, again.attempts, dueAtOf(again)]).toEqual([
      card,
      1,
      START + 2 * ASK_AGAIN_AFTER,
    ]);
  });

  it.each([
    ['past_due', 'the charge was declined', 'active', null],
    ['active', null, 'active', null],
    ['cancelled', 'the owner ended it', 'cancelled', 'the owner ended it'],
  ] as const)(
    'that was never made leaves a month free, and a %s subscription (%s) %s (%s)',
    (status, statusReason, after, reasonAfter) => {
      const { invoice, subscription } = renewal();
      const asked = beginAttempt(invoice, card, START + 28 * DAY);
      const before = { invoice: asked, subscription: { ...subscription, status, statusReason } };
      const free = recordAttempt(before, { kind: 'not_made' }, START + 50 * DAY);
      expect(free.invoice.state).toEqual({ kind: 'failed', reason: null });
      expect(free.subscription).toMatchObject({ status: after, statusReason: reasonAfter });
    },
  );

  it('has a key of its own after an answer', () => {
    const { invoice } = tried(begun(), declined, START);
    const next = beginAttempt(invoice, id('another'), START + DAY);
    expect(attemptKey(next)).not.toBe(attemptKey(invoice));
    expect(next.sourceId).toBe('another');
  });
});

describe('a renewal', () => {
  it('is of the next month, counted from the anchor', () => {
    const { invoice, subscription } = renewal();
    expect([invoice.month, statusOf(invoice)]).toEqual([2, 'pending']);
    expect(subscription.renewsAt).toBe(Date.UTC(2026, 2, 31, 12));
  });

  it('keeps access until the third decline', () => {
    const first = tried(renewal(), declined, START + 28 * DAY);
    expect(first.subscription.status).toBe('past_due');
    expect(givesAccess(first.subscription)).toBe(true);
    const third = tried(tried(first, declined, START + 31 * DAY), declined, START + 35 * DAY);
    expect(third.subscription.status).toBe('cancelled');
    expect(givesAccess(third.subscription)).toBe(false);
  });

  it('that is paid late does not move the months', () => {
    const late = tried(tried(renewal(), declined, START + 28 * DAY), paid, START + 31 * DAY);
    expect(late.subscription.renewsAt).toBe(Date.UTC(2026, 2, 31, 12));
  });

  it('charges no month before it begins when an earlier one is paid after a later one', () => {
    const second = renewal();
    const now = Date.UTC(2026, 3, 2);
    const third = renewed(second, now);
    const paidThird = tried(third, paid, now);
    const { subscription } = paidThird;
    const paidSecond = tried({ invoice: second.invoice, subscription }, paid, now);
    expect(paidSecond.subscription.renewsAt).toBe(subscription.renewsAt);
  });

  it.each([paid, { kind: 'not_made' }, declined] as const)(
    'that is declined stays past due, whatever is heard late of an earlier month: %j',
    (answer) => {
      const second = renewal();
      const now = Date.UTC(2026, 3, 2);
      const third = tried(renewed(second, now), declined, now);
      expect(third.subscription.status).toBe('past_due');
      const charging = beginAttempt(second.invoice, card, now);
      const { subscription } = third;
      const late = recordAttempt({ invoice: charging, subscription }, answer, now + 60_000);
      expect(late.subscription).toMatchObject({
        status: 'past_due',
        statusReason: subscription.statusReason,
        renewsAt: subscription.renewsAt,
      });
    },
  );

  it('charges no months in which the service did not run', () => {
    const late = renewed(firstMonth(), Date.UTC(2026, 5, 14));
    expect([late.invoice.month, late.subscription.renewsAt]).toEqual([
      5,
      Date.UTC(2026, 5, 30, 12),
    ]);
  });

  it('does not charge a month that is half over when the service runs again: it is free', () => {
    const { invoice, subscription } = firstMonth();
    const next = Date.UTC(2026, 2, 31, 12);
    for (const now of [Date.UTC(2026, 2, 16), next - DAY, next - 1]) {
      const free = renew(beginning(subscription, now), invoice);
      expect([free.invoice, free.subscription.renewsAt]).toEqual([null, next]);
      expect(renewed({ invoice, subscription: free.subscription }, next).invoice.month).toBe(3);
    }
    const half = Date.UTC(2026, 2, 16);
    expect(renewed(firstMonth(), half - 1).invoice.month).toBe(2);
    expect([half - 1, half].map((now) => isHalfOver(renewal().invoice, now))).toEqual([
      false,
      true,
    ]);
  });
});

describe('the end', () => {
  const rows = SUBSCRIPTION_STATUSES.map(
    (status) => [status, status === 'active' ? 'active' : 'cancelled'] as const,
  );

  it.each(rows)('by the caller of a %s one leaves it %s', (status, after) => {
    const { invoice, subscription } = firstMonth();
    const ended = endSubscription({ ...subscription, status }, invoice, START + DAY);
    expect(ended.status).toBe(after);
    if (after === 'active') {
      expect(ended).toMatchObject({ renewsAt: null, endsAt: subscription.renewsAt });
      expect(resumeSubscription(ended, START + 2 * DAY).renewsAt).toBe(subscription.renewsAt);
    }
  });

  it('by the caller once more changes nothing: the month is paid', () => {
    const { invoice, subscription } = firstMonth();
    const ended = endSubscription(subscription, invoice, START + DAY);
    expect(endSubscription(ended, invoice, START + DAY)).toEqual(ended);
  });

  it('by the caller of a free one is at once', () => {
    const free = aSubscription({ status: 'active', price: 0 });
    expect(endSubscription(free, undefined, START + 1)).toMatchObject({
      status: 'cancelled',
      endsAt: START + 1,
    });
  });

  it('while a renewal is not paid is at once', () => {
    const { invoice, subscription } = renewal();
    expect(endSubscription(subscription, invoice, START + 30 * DAY).status).toBe('cancelled');
    expect(stopTrying(invoice, START).state).toEqual({ kind: 'failed', reason: null });
  });

  it('waits for the answer of an attempt in flight, and refunds its charge', () => {
    const { invoice, subscription } = begun();
    const asked = beginAttempt(invoice, card, START);
    expect(stopTrying(asked, START)).toBe(asked);
    const over = { ...subscription, status: 'cancelled' } as const;
    const settled = recordAttempt({ invoice: asked, subscription: over }, paid, START + 1);
    expect(settled.subscription).toBe(over);
    expect(settled.invoice.state).toMatchObject({ kind: 'refunding', dueAt: START + 1 });
    expect(statusOf(settled.invoice)).toBe('paid');
    expect(refundedOf(settled.invoice).toFixed()).toBe('15');
    expect(
      recordAttempt({ invoice: asked, subscription: over }, declined, START).invoice.state.kind,
    ).toBe('failed');
  });
});

describe('after any answers', () => {
  it('an invoice has at most three attempts, ends paid or failed, and agrees with its subscription', () => {
    const answers = fc.array(fc.boolean(), { minLength: MOST_ATTEMPTS, maxLength: 6 });
    fc.assert(
      fc.property(answers, fc.boolean(), (list, isRenewal) => {
        let now = START + 40 * DAY;
        let billed = isRenewal ? renewal() : begun();
        for (const isPaid of list) {
          if (taskOf(billed.invoice) !== 'charge') break;
          billed = tried(billed, isPaid ? paid : declined, now);
          now = Math.max(now, dueAtOf(billed.invoice) ?? now);
          const { invoice, subscription } = billed;
          expect(isRetryable(invoice)).toBe(subscription.status === 'past_due');
          expect(statusOf(invoice) === 'paid').toBe(subscription.status === 'active');
          expect(dueAtOf(invoice) === null).toBe(taskOf(invoice) === null);
        }
        expect(billed.invoice.attempts).toBeLessThanOrEqual(MOST_ATTEMPTS);
        expect(taskOf(billed.invoice)).toBeNull();
        expect(refundedOf(billed.invoice).eq(ZERO)).toBe(true);
      }),
    );
  });
});
