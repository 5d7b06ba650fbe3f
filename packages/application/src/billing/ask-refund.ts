import { type Decimal, type InvoiceId, isInvoiceIn, recordRefund } from '@slipstream/domain';
import type { Core } from '../core.js';

/** A refund whose request is recorded. */
interface BegunRefund {
  readonly chargeRef: string;
  /** The total of refunds to reach. */
  readonly total: Decimal;
  /** Whether it was asked for before, without a known answer. */
  readonly isAgain: boolean;
}

/** Asks the gateway for a refund and records the answer. Returns whether it was made. */
export async function askRefund(
  { unitOfWork, clock, paymentGateway, log }: Core,
  invoiceId: InvoiceId,
  { chargeRef, total, isAgain }: BegunRefund,
): Promise<boolean> {
  const key = `${invoiceId}-refund`;
  const answer = await paymentGateway.refund({ key, amount: total, isAgain, chargeRef });
  const isDone = answer.kind === 'done';
  if (!isDone) {
    log.error(
      { invoiceId, reason: answer.reason },
      'the payment gateway refused a refund; will retry in a day',
    );
  }
  await unitOfWork.run(async ({ invoices }) => {
    const invoice = await invoices.find(invoiceId);
    if (!invoice || !isInvoiceIn(invoice, 'refunding', 'charged_back')) return;
    await invoices.save(recordRefund(invoice, isDone ? total : null, clock.now()));
  });
  return isDone;
}
