import {
  type Earning,
  type Invoice,
  type PaymentSource,
  type Withdrawal,
  decimal,
  id,
} from '@slipstream/domain';
import { NOON } from './noon.js';

/** A card of `user-2`. */
export const aPaymentSource = (overrides: Partial<PaymentSource> = {}): PaymentSource => ({
  id: id('source-1'),
  userId: id('user-2'),
  type: 'card',
  direction: 'in',
  primary: true,
  description: 'Card ending in 4242',
  sealedDetails: 'sealed',
  status: 'active',
  gatewayRef: 'ref-1',
  dueAt: null,
  createdAt: NOON,
  updatedAt: NOON,
  ...overrides,
});

/** The first month of `subscription-1`, paid. */
export const anInvoice = (overrides: Partial<Invoice> = {}): Invoice => ({
  id: id('invoice-1'),
  userId: id('user-2'),
  subscriptionId: id('subscription-1'),
  strategyId: id('strategy-1'),
  description: 'Steady, month 1',
  amount: decimal('15'),
  sourceId: id('source-1'),
  month: 1,
  anchorAt: NOON,
  attempts: 1,
  firstAttemptAt: NOON,
  state: {
    kind: 'paid',
    chargeRef: `charge of ${overrides.id ?? 'invoice-1'}`,
    refunded: decimal('0'),
    checkAt: null,
  },
  createdAt: NOON,
  updatedAt: NOON,
  ...overrides,
});

/** What `user-1` earned by `invoice-1`. */
export const anEarning = (overrides: Partial<Earning> = {}): Earning => ({
  id: id('earning-1'),
  userId: id('user-1'),
  kind: 'sale',
  invoiceId: id('invoice-1'),
  withdrawalId: null,
  money: 'live',
  amount: decimal('12'),
  commission: decimal('3'),
  settlesAt: NOON,
  createdAt: NOON,
  ...overrides,
});

/** Of `user-1`, pending. */
export const aWithdrawal = (overrides: Partial<Withdrawal> = {}): Withdrawal => ({
  id: id('withdrawal-1'),
  userId: id('user-1'),
  money: 'live',
  amount: decimal('10.01'),
  status: 'pending',
  sourceId: null,
  reason: null,
  dueAt: null,
  createdAt: NOON,
  updatedAt: NOON,
  ...overrides,
});
