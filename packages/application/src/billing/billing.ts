import { type Invoice, type InvoiceId, taskOf } from '@slipstream/domain';
import { PaymentUnreachable } from '@slipstream/ports';
import type { Core } from '../core.js';
import { chargeInvoice } from './charge-invoice.js';
import { checkCharge } from './check-charge.js';
import { confirmSource } from './confirm-source.js';
import { payOutWithdrawal } from './pay-out.js';
import { refundInvoice } from './refund-invoice.js';
import { dueSubscription } from './subscription-terms.js';

const AT_ONCE = 16;
/** What one round makes due (the charge of a renewal) is done in the next; no more rounds than these in one run. */
const MOST_ROUNDS = 50;

/** Processes invoices, subscriptions, withdrawals and sources. Only work under way is in memory, so a restart goes on. */
export interface Billing {
  /** Charges, refunds or checks an invoice now, whichever is its task; a gateway that does not answer is no error. */
  process(invoiceId: InvoiceId): Promise<void>;
  /** Settles followers, ends, renews, charges, refunds and pays out what is due. Called by a tick; calls may overlap. */
  run(): Promise<void>;
}

export function createBilling(core: Core): Billing {
  const { unitOfWork, clock, log } = core;
  const underWay = new Map<string, Promise<boolean>>();

  /** One at a time for each thing; a second caller waits for the first one's. False when it could not be done. */
  const once = (thing: string, work: () => Promise<void>): Promise<boolean> => {
    const running = underWay.get(thing);
    if (running) return running;
    const started = work()
      .then(
        () => true,
        (error: unknown) => failed(thing, error),
      )
      .finally(() => underWay.delete(thing));
    underWay.set(thing, started);
    return started;
  };

  /** Whatever it was, what is kept says that it is to be done, and when again. */
  const failed = (thing: string, error: unknown): false => {
    const known = error instanceof PaymentUnreachable;
    const fields = {
      thing,
      error: error instanceof Error ? `${error.name}: ${error.message}` : '?',
    };
    if (known) log.warn(fields, 'the payment gateway did not answer');
    else log.error(fields, 'billing failed; will retry');
    return false;
  };

  const processInvoice = (invoiceId: InvoiceId): Promise<boolean> =>
    once(`invoice ${invoiceId}`, async () => {
      const invoice = await unitOfWork.read(({ invoices }) => invoices.find(invoiceId));
      if (invoice) await work(invoice);
    });

  const work = async (invoice: Invoice): Promise<void> => {
    switch (taskOf(invoice)) {
      case 'charge':
        return chargeInvoice(core, invoice.id);
      case 'refund':
        return refundInvoice(core, invoice.id);
      case 'check':
        return checkCharge(core, invoice);
      case null:
        return undefined;
    }
  };

  /** True when something was done: another round may find more. */
  const round = async (): Promise<boolean> => {
    const now = clock.now();
    const due = await unitOfWork.read(
      async ({ subscriptions, invoices, withdrawals, paymentSources }) => ({
        subscriptions: await subscriptions.due(now, AT_ONCE),
        invoices: await invoices.due(now, AT_ONCE),
        withdrawals: await withdrawals.due(now, AT_ONCE),
        sources: await paymentSources.due(now, AT_ONCE),
      }),
    );
    const done = await Promise.all([
      ...due.invoices.map(({ id }) => processInvoice(id)),
      ...due.subscriptions.map(({ id }) =>
        once(`subscription ${id}`, () => dueSubscription(core, id)),
      ),
      ...due.withdrawals.map(({ id }) =>
        once(`withdrawal ${id}`, () => payOutWithdrawal(core, id)),
      ),
      ...due.sources.map(({ id }) => once(`source ${id}`, () => confirmSource(core, id))),
    ]);
    return done.includes(true);
  };

  return {
    async process(invoiceId) {
      await processInvoice(invoiceId);
    },
    async run() {
      await core.ends.resume();
      for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) if (!(await round())) return;
    },
  };
}
