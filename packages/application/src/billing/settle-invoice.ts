import {
  ASK_AGAIN_AFTER,
  type Invoice,
  type InvoiceId,
  type Subscription,
  chargeBack,
  taskOf,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { publishEnd, requireBilled } from './billed.js';
import { bookReversal } from './ledger.js';

/** When a refund that the gateway would not make is asked for again. */
const REFUSED_AGAIN_AFTER = 86_400_000;

/** Has the gateway give back what is owed. The ledger knows since the refund was decided. */
export async function refundInvoice(core: Core, invoiceId: InvoiceId): Promise<void> {
  const { unitOfWork, clock, paymentGateway, log } = core;
  const begun = await unitOfWork.run(async ({ invoices }) => {
    const invoice = await invoices.find(invoiceId);
    if (!invoice || taskOf(invoice) !== 'refund' || invoice.chargeRef === null) return undefined;
    await invoices.save({ ...invoice, asked: true, dueAt: clock.now() + ASK_AGAIN_AFTER });
    return { ...invoice, chargeRef: invoice.chargeRef };
  });
  if (!begun) return;
  const answer = await paymentGateway.refund({
    key: `${begun.id}-refund`,
    amount: begun.amountRefunded,
    isAgain: begun.asked,
    chargeRef: begun.chargeRef,
  });
  if (answer.kind === 'refused') {
    log.error(
      { invoiceId, reason: answer.reason },
      'the gateway refused a refund; it is asked again in a day',
    );
  }
  await unitOfWork.run(async ({ invoices }) => {
    const invoice = await invoices.find(invoiceId);
    if (!invoice || taskOf(invoice) !== 'refund') return;
    const now = clock.now();
    const isDone = answer.kind === 'done';
    const dueAt = isDone ? null : now + REFUSED_AGAIN_AFTER;
    await invoices.save({ ...invoice, refundOwed: !isDone, asked: false, dueAt, updatedAt: now });
  });
}

/** Asks how a charge stands, where the gateway does not tell by itself. */
export async function lookAtCharge(core: Core, invoice: Invoice): Promise<void> {
  const { chargeRef } = invoice;
  if (chargeRef === null) return;
  const lookNext = (dueAt: number | null) =>
    core.unitOfWork.run(async ({ invoices }) => {
      const current = await invoices.find(invoice.id);
      if (current && taskOf(current) === 'look') await invoices.save({ ...current, dueAt });
    });
  await lookNext(core.clock.now() + ASK_AGAIN_AFTER);
  const standing = await core.paymentGateway.standing(chargeRef);
  if (standing.kind === 'charged_back') await chargeInvoiceBack(core, invoice.id);
  else await lookNext(standing.lookAgainAt);
}

/** The bank took the money back: the subscription ends, and the earning with it (contract 5, "Billing"). */
export async function chargeInvoiceBack(core: Core, invoiceId: InvoiceId): Promise<void> {
  const ended = await core.unitOfWork.run((stores) => takeBack(core, stores, invoiceId));
  if (!ended) return;
  core.log.warn({ invoiceId }, 'a payment was charged back');
  publishEnd(core, ended.before, ended.after, 'the payment was charged back');
}

async function takeBack(
  core: Core,
  stores: Stores,
  invoiceId: InvoiceId,
): Promise<{ readonly before: Subscription; readonly after: Subscription } | undefined> {
  const invoice = await stores.invoices.find(invoiceId);
  if (invoice?.status !== 'paid') return undefined;
  const now = core.clock.now();
  const { subscription: before } = await requireBilled(stores, invoice);
  const { invoice: next, subscription: after } = chargeBack({ invoice, subscription: before }, now);
  await stores.invoices.save(next);
  await stores.subscriptions.save(after);
  await bookReversal(core, stores, next, 'chargeback', now);
  return { before, after };
}
