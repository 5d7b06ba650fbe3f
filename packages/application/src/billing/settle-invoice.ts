import {
  ASK_AGAIN_AFTER,
  type Invoice,
  type InvoiceId,
  chargeBack,
  refundedElsewhere,
  taskOf,
  winBack,
} from '@slipstream/domain';
import type { ChargeStanding, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { afterEnds } from '../strategies/ends-under-way.js';
import { publishNotifications } from '../messages/notify.js';
import { publishEnd, requireBilled } from './billed.js';
import { bookChange } from './ledger.js';
import { tellEnded } from './tell-money.js';

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
    // What is left of it can still be disputed: looking at it goes on.
    const lookNext = invoice.amountRefunded.lt(invoice.amount) ? now : null;
    const dueAt = isDone ? lookNext : now + REFUSED_AGAIN_AFTER;
    await invoices.save({ ...invoice, refundOwed: !isDone, asked: false, dueAt, updatedAt: now });
  });
}

/** Asks how a charge stands: disputed, won back, given back at the gateway, or as it was. Asked again, it changes nothing more. */
export async function lookAtCharge(core: Core, { id, chargeRef }: Invoice): Promise<void> {
  if (chargeRef === null) return;
  await core.unitOfWork.run(async ({ invoices }) => {
    const current = await invoices.find(id);
    if (current && taskOf(current) === 'look') {
      await invoices.save({ ...current, dueAt: core.clock.now() + ASK_AGAIN_AFTER });
    }
  });
  const standing = await core.paymentGateway.standing(chargeRef);
  const seen = await afterEnds(core, () =>
    core.unitOfWork.run((stores) => follow(core, stores, id, standing)),
  );
  if (!seen) return;
  publishNotifications(core, seen.told);
  publishEnd(
    core,
    seen.before,
    seen.after,
    seen.after.statusReason ?? 'the payment was taken back',
  );
  core.log.warn({ invoiceId: id, change: seen.changed }, 'a payment was changed');
}

async function follow(
  core: Core,
  stores: Stores,
  invoiceId: InvoiceId,
  { kind, refunded, lookAgainAt }: ChargeStanding,
) {
  const current = await stores.invoices.find(invoiceId);
  if (current?.status !== 'paid' && current?.status !== 'chargeback') return undefined;
  const now = core.clock.now();
  const { subscription: before } = await requireBilled(stores, current);
  const asOfRefunds = refundedElsewhere({ invoice: current, subscription: before }, refunded, now);
  const { invoice, subscription: after } =
    kind === 'charged_back'
      ? chargeBack(asOfRefunds, now)
      : { ...asOfRefunds, invoice: winBack(asOfRefunds.invoice, now) };
  const next = taskOf(invoice) === 'refund' ? invoice : { ...invoice, dueAt: lookAgainAt };
  await stores.invoices.save(next);
  if (invoice === current) return undefined;
  await stores.subscriptions.save(after);
  const changed = changeOf(current, next);
  await bookChange(core, stores, next, { kind: changed }, now);
  return { before, after, changed, told: await tellEnded(core, stores, before, after) };
}

function changeOf(before: Invoice, after: Invoice) {
  if (before.status === after.status) return 'refund';
  return after.status === 'chargeback' ? 'chargeback' : 'dispute_won';
}
