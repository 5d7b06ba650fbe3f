import fc from 'fast-check';
import { type Commands, place, user } from './shared.js';

/** Payments, earnings and withdrawals. */
export const paying: Commands = [
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('setPrice' as const),
      strategy: place,
      price: fc.constantFrom(0, 7, 30),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('newPaymentSource' as const),
      by: user,
      token: fc.constantFrom(
        'test_card_paid',
        'test_card_declined',
        'test_card_retried',
        'test_card_chargeback',
        'test_card_chargeback_late',
        'test_card_dispute_won',
        'test_bank' as const,
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('subscribe', 'subscribe', 'unsubscribe' as const),
      by: fc.constantFrom('bob', 'bob', 'cyd' as const),
      strategy: place,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('retryInvoice' as const), invoice: fc.nat({ max: 2 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('newWithdrawal' as const),
      by: fc.constant('ada' as const),
      percent: fc.constantFrom(0, 30, 90, 99, 100),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('deleteWithdrawal' as const),
      withdrawal: fc.nat({ max: 2 }),
    }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('runBilling' as const) }) },
];

/** What ends a card, a follower or an account, and refunds that the service has not made. */
export const partings: Commands = [
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('deletePaymentSource' as const),
      by: user,
      source: place,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('exclude' as const), user, strategy: place }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteUser' as const), by: user }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('refundElsewhere' as const),
      charge: place,
      percent: fc.constantFrom(10, 33, 100),
      isTold: fc.boolean(),
    }),
  },
];

/** The same over weeks. */
export const money: Commands = [
  ...paying,
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.constantFrom(61, 3_700, ...[1, 3, 8, 31, 31, 31].map((days) => days * 86_400)),
    }),
  },
];
