import {
  type PaymentSource,
  type PaymentDetails,
  type Invoice,
  type Withdrawal,
  type Earning,
  type Decimal,
  statusOf,
  declineReasonOf,
  decimalText,
  refundedOf,
  isRetryable,
} from '@slipstream/domain';
import type { z } from 'zod';
import { timeText } from '../fields/output.js';
import type {
  paymentSourceResource,
  invoiceResource,
  withdrawalResource,
  earningResource,
  withdrawalsResource,
} from './resources.js';

const offsetTimeText = (at: number): string => timeText(at).replace('Z', '+00:00');

/** A payment source with its decrypted personal data. */
export interface SourceFigures {
  readonly source: PaymentSource;
  readonly details: PaymentDetails;
  readonly nextAction?: {
    readonly url: string | null;
    readonly clientSecret: string | null;
  } | null;
}

/** Spec 2.8, for its owner. */
export const presentPaymentSource = ({
  source,
  details,
  nextAction = null,
}: SourceFigures): z.infer<typeof paymentSourceResource> => ({
  source_id: source.id,
  user_id: source.userId,
  type: source.type,
  direction: source.direction,
  // One that waits for its bank becomes primary once it is confirmed; until then the former one is charged.
  primary: source.primary && source.status === 'active',
  description: source.description,
  name: details.name,
  city: details.city,
  country: details.country,
  line_one: details.lineOne,
  line_two: details.lineTwo,
  district: details.district,
  postal: details.postal,
  status: source.status,
  next_action: nextAction && { url: nextAction.url, client_secret: nextAction.clientSecret },
  updated_at: offsetTimeText(source.updatedAt),
  created_at: offsetTimeText(source.createdAt),
});

/** Spec 2.8, for its owner. */
export const presentInvoice = ({
  invoice,
  source,
}: {
  readonly invoice: Invoice;
  readonly source: SourceFigures;
}): z.infer<typeof invoiceResource> => ({
  invoice_id: invoice.id,
  user_id: invoice.userId,
  description: invoice.description,
  status: statusOf(invoice),
  reason: declineReasonOf(invoice),
  amount: decimalText(invoice.amount),
  amount_refunded: decimalText(refundedOf(invoice)),
  source: presentPaymentSource(source),
  retryable: isRetryable(invoice),
  updated_at: timeText(invoice.updatedAt),
  created_at: timeText(invoice.createdAt),
});

/** Amounts in USD. */
export const presentWithdrawal = (withdrawal: Withdrawal): z.infer<typeof withdrawalResource> => ({
  withdrawal_id: withdrawal.id,
  user_id: withdrawal.userId,
  amount: decimalText(withdrawal.amount),
  status: withdrawal.status,
  source_id: withdrawal.sourceId,
  reason: withdrawal.reason,
  updated_at: timeText(withdrawal.updatedAt),
  created_at: timeText(withdrawal.createdAt),
});

/** One row of the ledger of earnings; amounts in USD. */
export const presentEarning = (earning: Earning): z.infer<typeof earningResource> => ({
  earning_id: earning.id,
  kind: earning.kind,
  invoice_id: earning.invoiceId,
  withdrawal_id: earning.withdrawalId,
  amount: decimalText(earning.amount),
  commission: decimalText(earning.commission),
  settles_at: timeText(earning.settlesAt),
  created_at: timeText(earning.createdAt),
});

/** An owner's balances with the withdrawals; amounts in USD. */
export const presentWithdrawals = (view: {
  readonly balance: Decimal;
  readonly settledBalance: Decimal;
  readonly withdrawals: readonly Withdrawal[];
}): z.infer<typeof withdrawalsResource> => ({
  balance: decimalText(view.balance),
  settled_balance: decimalText(view.settledBalance),
  withdrawals: view.withdrawals.map(presentWithdrawal),
});
