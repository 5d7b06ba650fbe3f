import {
  type Invoice,
  type InvoiceId,
  beginCheck,
  beginRefundBeside,
  chargeRefOf,
  isInvoiceIn,
  isUnanswered,
  owedBeside,
  recordStanding,
  recordUnknown,
} from '@slipstream/domain';
import { type ChargeStanding, ChargeUnknown, type Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { afterEnds } from '../strategies/ends-under-way.js';
import { askRefund } from './ask-refund.js';
import { addEnd, hasEnded, requireBilled } from './billed.js';
import { bookChange } from './ledger.js';
import { notifyEnded, notifyTakenBack } from './notify-money.js';
import { bookRefunds, refundOf, refundsOf } from './refund-unused.js';

/**
 * Checks the state of a charge: disputed, dispute won, refunded at the gateway, a refund that failed, or unchanged. A repeat changes
 * nothing more. If another server recorded an answer meanwhile, that may be the newer one, so the gateway is asked again.
 */
export async function checkCharge(core: Core, { id }: Pick<Invoice, 'id'>): Promise<void> {
  const asked = await core.unitOfWork.run(async ({ invoices }) => {
    const current = await invoices.find(id);
    if (current && isInvoiceIn(current, 'paid', 'charged_back'))
      await invoices.save(beginCheck(current, core.clock.now()));
    return current;
  });
  const chargeRef = asked && chargeRefOf(asked);
  if (!asked || !chargeRef) return;
  const standing = await standingOf(core, id, chargeRef);
  if (!standing) return;
  const change = await afterEnds(core, () =>
    core.unitOfWork.run((stores) => follow(core, stores, asked, standing)),
  );
  if (change === 'changed_meanwhile') return checkCharge(core, asked);
  if (change === 'refund_failed')
    core.log.error({ invoiceId: id }, 'a refund failed after it was made; will retry in a day');
  else if (change !== null)
    core.log.warn({ invoiceId: id, change }, 'the payment gateway changed a payment');
  if (standing.isLost === true) await refundBeside(core, id);
}

/** Undefined if the gateway does not know the charge; that is recorded. */
async function standingOf(
  { paymentGateway, unitOfWork, clock, log }: Core,
  invoiceId: InvoiceId,
  chargeRef: string,
): Promise<ChargeStanding | undefined> {
  try {
    return await paymentGateway.standing(chargeRef);
  } catch (error) {
    if (!(error instanceof ChargeUnknown)) throw error;
  }
  await unitOfWork.run(async ({ invoices }) => {
    const current = await invoices.find(invoiceId);
    if (current && chargeRefOf(current) !== null)
      await invoices.save(recordUnknown(current, clock.now()));
  });
  log.warn(
    { invoiceId, chargeRef },
    'the payment gateway does not know a charge: it is of another account',
  );
  return undefined;
}

/** A lost dispute of a part of the payment leaves the rest of what is owed to its payer. */
async function refundBeside(core: Core, invoiceId: InvoiceId): Promise<void> {
  const begun = await core.unitOfWork.run(async ({ invoices }) => {
    const invoice = await invoices.find(invoiceId);
    if (!invoice || !isInvoiceIn(invoice, 'charged_back')) return undefined;
    const total = owedBeside(invoice);
    if (total === null) return undefined;
    await invoices.save(beginRefundBeside(invoice, core.clock.now()));
    const { chargeRef, owed } = invoice.state;
    return { chargeRef, total, isAgain: owed?.inFlight === true };
  });
  if (begun) await askRefund(core, invoiceId, begun);
}

/** Returns the change. */
async function follow(core: Core, stores: Stores, asked: Invoice, standing: ChargeStanding) {
  const current = await stores.invoices.find(asked.id);
  if (!current || chargeRefOf(current) === null) return null;
  const now = core.clock.now();
  if (!isUnanswered(asked, current, now)) return 'changed_meanwhile';
  const { subscription: before } = await requireBilled(stores, current);
  const billed = { invoice: current, subscription: before };
  const { invoice, subscription: after, change } = recordStanding(billed, standing, now);
  await stores.invoices.save(invoice);
  if (change === null) return null;
  await stores.subscriptions.save(after);
  const amount = await bookChange(core, stores, invoice, { kind: change }, now);
  await notifyTakenBack(core, stores, invoice, { kind: change, amount });
  // An earlier month may be disputed while a later one runs, or is about to be charged.
  const refunds = hasEnded(before, after) ? await refundsOf(core, stores, after, now) : [];
  await bookRefunds(stores, refunds);
  await notifyEnded(core, stores, before, after, refundOf(refunds));
  await addEnd(stores, before, after, after.statusReason ?? 'the payment was taken back');
  return change;
}
