import { type InvoiceId, beginRefund, isInvoiceIn } from '@slipstream/domain';
import type { Core } from '../core.js';
import { askRefund } from './ask-refund.js';
import { checkCharge } from './check-charge.js';

/** Has the gateway pay an owed refund. The ledger has had it since the decision. */
export async function refundInvoice(core: Core, invoiceId: InvoiceId): Promise<void> {
  const { unitOfWork, clock } = core;
  const begun = await unitOfWork.run(async ({ invoices }) => {
    const before = await invoices.find(invoiceId);
    if (!before || !isInvoiceIn(before, 'refunding')) return undefined;
    const refunding = beginRefund(before, clock.now());
    await invoices.save(refunding);
    const { chargeRef, owed } = refunding.state;
    return { chargeRef, total: owed.total, isAgain: before.state.owed.inFlight };
  });
  if (!begun || (await askRefund(core, invoiceId, begun))) return;
  // A disputed charge cannot be refunded, and the notice of the dispute may be lost.
  const refused = await unitOfWork.read(({ invoices }) => invoices.find(invoiceId));
  if (refused) await checkCharge(core, refused);
}
