import {
  type Invoice,
  type InvoiceState,
  ZERO,
  chargeRefOf,
  declineReasonOf,
  dueAtOf,
  isRetryable,
  refundedOf,
  statusOf,
} from '@slipstream/domain';
import { type InvoiceFields, invoiceColumns } from './columns.js';

/** The columns of an invoice, to be stored. */
export function fieldsOf(invoice: Invoice): InvoiceFields {
  const { state, attempts, firstAttemptAt, ...facts } = invoice;
  const owed = 'owed' in state ? state.owed : null;
  return {
    ...facts,
    status: statusOf(invoice),
    reason: declineReasonOf(invoice),
    amountRefunded: owed?.total ?? refundedOf(invoice),
    refundOwed: owed !== null,
    amountGiven: owed && 'refunded' in state ? state.refunded : ZERO,
    amountDisputed: 'disputed' in state ? state.disputed : ZERO,
    retryable: isRetryable(invoice),
    tries: attempts,
    asked: state.kind === 'charging' || owed?.inFlight === true,
    firstTriedAt: firstAttemptAt,
    chargeRef: chargeRefOf(invoice),
    dueAt: dueAtOf(invoice),
  };
}

/** Throws an error that names the invoice when its columns fit no state. */
export function invoiceOf(fields: InvoiceFields): Invoice {
  const { status, reason, amountRefunded, refundOwed, amountGiven, retryable, ...others } = fields;
  const { amountDisputed, chargeRef, dueAt, ...rest } = others;
  const { tries: attempts, asked, firstTriedAt: firstAttemptAt, ...facts } = rest;
  const state = isCharged(fields) ? chargedState(fields) : unpaidState(fields);
  if (state) return { ...facts, attempts, firstAttemptAt, state };
  const figures = {
    ...{ status, refundOwed, retryable, asked, dueAt },
    refunded: amountRefunded.toFixed(),
    given: amountGiven.toFixed(),
    disputed: amountDisputed?.toFixed() ?? null,
    hasReason: reason !== null,
    hasCharge: chargeRef !== null,
  };
  throw new Error(`invoice ${facts.id} is in no state: ${JSON.stringify(figures)}`);
}

const isCharged = ({ status }: InvoiceFields): boolean =>
  status === 'paid' || status === 'chargeback';

/** `asked` of a refund that a refund by hand overtook means nothing any more. */
function chargedState(fields: InvoiceFields): InvoiceState | undefined {
  const { status, amountRefunded, refundOwed, amountGiven, chargeRef, asked, dueAt } = fields;
  if (chargeRef === null || fields.retryable || fields.reason !== null) return undefined;
  const owed = refundOwed ? { total: amountRefunded, inFlight: asked } : null;
  const refunded = owed ? amountGiven : amountRefunded;
  if (status !== 'paid') {
    const disputed = fields.amountDisputed ?? fields.amount.minus(refunded);
    return { kind: 'charged_back', chargeRef, refunded, disputed, owed, checkAt: dueAt };
  }
  if (fields.amountDisputed?.eq(ZERO) === false) return undefined;
  if (!owed) return { kind: 'paid', chargeRef, refunded, checkAt: dueAt };
  return dueAt === null ? undefined : { kind: 'refunding', chargeRef, refunded, owed, dueAt };
}

function unpaidState(fields: InvoiceFields): InvoiceState | undefined {
  const { status, reason, retryable, asked, dueAt } = fields;
  if (fields.chargeRef !== null || fields.refundOwed || !fields.amountRefunded.eq(ZERO))
    return undefined;
  if (status === 'failed') {
    if (asked) return undefined;
    if (retryable) return dueAt === null ? undefined : { kind: 'retrying', reason, dueAt };
    return dueAt === null ? { kind: 'failed', reason } : undefined;
  }
  if (status !== 'pending' || retryable || dueAt === null) return undefined;
  if (asked) return { kind: 'charging', reason, dueAt };
  return reason === null ? { kind: 'due', dueAt } : undefined;
}

/** The columns of an invoice. */
export const invoiceRows = {
  names: invoiceColumns.names,
  store: (invoice: Invoice) => invoiceColumns.store(fieldsOf(invoice)),
  load: (row: object): Invoice => invoiceOf(invoiceColumns.load(row)),
};
