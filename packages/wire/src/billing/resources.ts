import { z } from 'zod';
import {
  PAYMENT_DIRECTIONS,
  PAYMENT_SOURCE_STATUSES,
  INVOICE_STATUSES,
  WITHDRAWAL_STATUSES,
  EARNING_KINDS,
} from '@slipstream/domain';
import { idOut, decimalOut, timestampOut } from '../fields/output.js';

/** ISO 8601 with the offset written out (spec 1, "Conventions"). */
const offsetTimestampOut = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  .meta({
    id: 'OffsetTimestamp',
    format: 'date-time',
    description: 'ISO 8601 in UTC with milliseconds and an explicit offset.',
    examples: ['2026-01-31T09:30:00.000+00:00'],
  });

/** Spec 2.8; only the owner sees names and addresses. */
export const paymentSourceResource = z
  .object({
    source_id: idOut,
    user_id: idOut,
    type: z.string(),
    direction: z.enum(PAYMENT_DIRECTIONS),
    primary: z.boolean(),
    description: z.string(),
    name: z.string(),
    city: z.string(),
    country: z.string(),
    line_one: z.string(),
    line_two: z.string(),
    district: z.string(),
    postal: z.string(),
    status: z.enum(PAYMENT_SOURCE_STATUSES),
    /** Only in the answer of newPaymentSource: how a pending source can be confirmed. */
    next_action: z
      .object({ url: z.string().nullable(), client_secret: z.string().nullable() })
      .nullable(),
    updated_at: offsetTimestampOut,
    created_at: offsetTimestampOut,
  })
  .meta({ id: 'PaymentSource' });

/** Spec 2.8; amounts in USD. */
export const invoiceResource = z
  .object({
    invoice_id: idOut,
    user_id: idOut,
    description: z.string(),
    status: z.enum(INVOICE_STATUSES),
    /** Why the last attempt was declined. */
    reason: z.string().nullable(),
    amount: decimalOut,
    amount_refunded: decimalOut,
    source: paymentSourceResource,
    retryable: z.boolean(),
    updated_at: timestampOut,
    created_at: timestampOut,
  })
  .meta({ id: 'Invoice' });

/** A payment of earnings; `amount` in USD, `reason` if it failed. */
export const withdrawalResource = z
  .object({
    withdrawal_id: idOut,
    user_id: idOut,
    amount: decimalOut,
    status: z.enum(WITHDRAWAL_STATUSES),
    source_id: idOut.nullable(),
    reason: z.string().nullable(),
    updated_at: timestampOut,
    created_at: timestampOut,
  })
  .meta({ id: 'Withdrawal' });

/** A row of the ledger of earnings, in USD; refunds and withdrawals are negative. */
export const earningResource = z
  .object({
    earning_id: idOut,
    kind: z.enum(EARNING_KINDS),
    invoice_id: idOut.nullable(),
    withdrawal_id: idOut.nullable(),
    amount: decimalOut.meta({ description: "The owner's part." }),
    commission: decimalOut.meta({ description: "The service's part." }),
    settles_at: timestampOut.meta({ description: 'When it becomes available for withdrawal.' }),
    created_at: timestampOut,
  })
  .meta({ id: 'Earning' });

/** Earnings in USD: the balance, and the part that newWithdrawal can pay out. */
export const withdrawalsResource = z
  .object({
    balance: decimalOut,
    settled_balance: decimalOut,
    withdrawals: z.array(withdrawalResource),
  })
  .meta({ id: 'Withdrawals' });
