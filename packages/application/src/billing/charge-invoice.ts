import {
  type Invoice,
  type InvoiceId,
  type Notification,
  type PaymentSource,
  type Strategy,
  type Subscription,
  type TryAnswer,
  beginTry,
  settleTry,
  taskOf,
  tryKey,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { afterEnds } from '../strategies/ends-under-way.js';
import { notify, publishNotifications } from '../messages/notify.js';
import { tellOwner } from '../messages/tell-owner.js';
import { publishEnd, requireBilled } from './billed.js';
import { bookChange, bookSale } from './ledger.js';
import { primarySource } from './primary-source.js';
import { tellDeclined } from './tell-money.js';

interface Try {
  readonly invoice: Invoice;
  readonly isAgain: boolean;
  /** Undefined when there is nothing to pay with. */
  readonly source: PaymentSource | undefined;
  readonly strategy: Strategy;
}

/**
 * One try of a charge that is due: the intent is kept before the gateway hears of it, the answer after. When no answer
 * comes the same try is due again, under the same key.
 */
export async function chargeInvoice(core: Core, invoiceId: InvoiceId): Promise<void> {
  const begun = await afterEnds(core, () =>
    core.unitOfWork.run((stores) => begin(core, stores, invoiceId)),
  );
  if (!begun) return;
  const answer = await ask(core, begun);
  const settled = await afterEnds(core, () =>
    core.unitOfWork.run((stores) => settle(core, stores, begun, answer)),
  );
  if (!settled) return;
  publishNotifications(core, settled.told);
  publishEnd(core, settled.before, settled.after, 'the subscription was not paid');
}

async function begin(
  { clock }: Core,
  stores: Stores,
  invoiceId: InvoiceId,
): Promise<Try | undefined> {
  const before = await stores.invoices.find(invoiceId);
  if (!before || taskOf(before) !== 'charge') return undefined;
  const { strategy } = await requireBilled(stores, before);
  const source = before.asked
    ? await stores.paymentSources.find(before.sourceId)
    : await primarySource(stores, before.userId, 'in');
  const invoice = beginTry(before, source?.id ?? before.sourceId, clock.now());
  await stores.invoices.save(invoice);
  return { invoice, isAgain: before.asked, source, strategy };
}

async function ask(
  { paymentGateway }: Core,
  { invoice, isAgain, source, strategy }: Try,
): Promise<TryAnswer> {
  if (!source) return { kind: 'declined', reason: 'there is no payment source' };
  return paymentGateway.charge({
    key: tryKey(invoice),
    amount: invoice.amount,
    isAgain,
    sourceRef: source.gatewayRef,
    invoiceId: invoice.id,
    triesBefore: invoice.tries - 1,
    description: invoice.description,
    product: { id: strategy.productId, name: strategy.name },
  });
}

interface Settled {
  readonly before: Subscription;
  readonly after: Subscription;
  readonly told: readonly Notification[];
}

async function settle(
  core: Core,
  stores: Stores,
  { invoice: asked, strategy }: Try,
  answer: TryAnswer,
): Promise<Settled | undefined> {
  const current = await stores.invoices.find(asked.id);
  if (!current?.asked || current.tries !== asked.tries) return undefined;
  const now = core.clock.now();
  const { subscription: before } = await requireBilled(stores, current);
  const { invoice, subscription: after } = settleTry(
    { invoice: current, subscription: before },
    answer,
    now,
  );
  await stores.invoices.save(invoice);
  await stores.subscriptions.save(after);
  if (invoice.status !== 'paid') {
    return { before, after, told: await tellDeclined(core, stores, invoice) };
  }
  await bookSale(core, stores, invoice, now);
  if (invoice.refundOwed) {
    await bookChange(core, stores, invoice, { kind: 'refund' }, now);
    return { before, after, told: [] };
  }
  return { before, after, told: await tell(core, stores, invoice, strategy) };
}

/** The payer that it is paid, and in the first month the owner that they have a subscriber. */
async function tell(
  core: Core,
  stores: Stores,
  invoice: Invoice,
  strategy: Strategy,
): Promise<Notification[]> {
  const paid = await notify(core, stores, {
    userId: invoice.userId,
    types: ['payment_complete_email'],
    text: `You paid ${invoice.amount.toFixed(2)} USD for ${invoice.description}.`,
    strategyId: strategy.id,
  });
  if (invoice.month > 1) return paid;
  const subscribed = await tellOwner(core, stores, strategy, invoice.userId);
  return [...paid, ...subscribed];
}
