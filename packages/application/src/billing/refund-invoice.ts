import { type InvoiceId, beginRefund, isInvoiceIn, recordRefund } from '@slipstream/domain';
import type { Core } from '../core.js';
import { checkCharge } from './check-charge.js';

/** Has the gateway pay an owed refund. The ledger has had it since the decision. */
export async function refundInvoice(core: Core, invoiceId: InvoiceId): Promise<void> {
  const { unitOfWork, clock, paymentGateway, log } = core;
  const begun = await unitOfWork.run(async ({ invoices }) => {
    const before = await invoices.find(invoiceId);
    if (!before || !isInvoiceIn(before, 'refunding')) return undefined;
    const refunding = beginRefund(before, clock.now());
    await invoices.save(refunding);
    return { ...refunding.state, isAgain: before.state.owed.inFlight };
  });
  if (!begun) return;
  const answer = await paymentGateway.refund({
    key: `${invoiceId}-refund`,
    amount: begun.owed.total,
    isAgain: begun.isAgain,
    chargeRef: begun.chargeRef,
  });
  if (answer.kind === 'refused') {
    log.error(
      { invoiceId, reason: answer.reason },
      'the payment gateway refused a refund; will retry in a day',
    );
  }
  await unitOfWork.run(async ({ invoices }) => {
    const invoice = await invoices.find(invoiceId);
    if (!invoice || !isInvoiceIn(invoice, 'refunding', 'charged_back')) return;
    await invoices.save(recordRefund(invoice, answer.kind === 'done', clock.now()));
  });
  if (answer.kind === 'done') return;
  // A disputed charge cannot be refunded, and the notice of the dispute may be lost.
  const refused = await unitOfWork.read(({ invoices }) => invoices.find(invoiceId));
  if (refused) await checkCharge(core, refused);
}
