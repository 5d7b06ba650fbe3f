import { type Invoice, type InvoiceId, taskOf } from '@slipstream/domain';
import { PaymentUnreachable, isSure } from '@slipstream/ports';
import type { Core } from '../core.js';
import { Ended } from '../housekeeping/ended.js';
import { chargeInvoice } from './charge-invoice.js';
import { checkCharge } from './check-charge.js';
import { confirmSource } from './confirm-source.js';
import { payOutWithdrawal } from './pay-out.js';
import { refundInvoice } from './refund-invoice.js';
import { dueSubscription } from './subscription-terms.js';
import { unlinkSource } from './unlink-source.js';

/** Answers that arrive together are stored in one turn of the event loop, so more at once would hold it too long. */
const AT_ONCE = 8;
/** The most rounds in one run: work that one round makes due (the charge of a renewal) is done in the next. */
const MOST_ROUNDS = 50;

/** Processes invoices, subscriptions, withdrawals and sources. Only running work is in memory, so a restart continues. */
export interface Billing {
  /** Does the task of an invoice now: charge, refund or check. A gateway that does not answer is not an error. */
  process(invoiceId: InvoiceId): Promise<void>;
  /**
   * Asks how the charge of an invoice stands, after what is under way for it: an answer that was given earlier and arrives later
   * would undo a newer one.
   * @throws if the gateway does not answer.
   */
  check(invoice: Invoice): Promise<void>;
  /** Does all due work: ends, renewals, charges, refunds, payouts. A tick calls it; calls may overlap. */
  run(): Promise<void>;
}

/** `goesOn`: false when the process ends, so that what is due stays for the next one. */
export function createBilling(core: Core, goesOn: () => boolean): Billing {
  const { unitOfWork, clock, log } = core;
  const underWay = new Map<string, Promise<boolean>>();

  /** Runs one task at a time for each object; a second caller waits for the running one. False if the task failed. */
  const once = (thing: string, task: () => Promise<void>): Promise<boolean> => {
    const running = underWay.get(thing);
    if (running) return running;
    const started = task()
      .then(
        () => true,
        (error: unknown) => failed(thing, error),
      )
      .finally(() => underWay.delete(thing));
    underWay.set(thing, started);
    return started;
  };

  /** The same after the running task, as one of its own; throws the error of the task. */
  const inTurn = async (thing: string, task: () => Promise<void>): Promise<void> => {
    for (let running = underWay.get(thing); running; running = underWay.get(thing)) await running;
    let failure: unknown;
    const isDone = await once(thing, () =>
      task().catch((error: unknown) => {
        failure = error;
        throw error;
      }),
    );
    if (!isDone) throw failure;
  };

  /** Logs an error. The stored rows name the open work and its next time, so nothing else is needed. */
  const failed = (thing: string, error: unknown): false => {
    const known = error instanceof PaymentUnreachable || error instanceof Ended;
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

  /** True if something was done, because then another round may find more. */
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
      ...due.sources.map(({ id, status }) =>
        once(`source ${id}`, () =>
          status === 'deleted' ? unlinkSource(core, id) : confirmSource(core, id),
        ),
      ),
    ]);
    return done.includes(true);
  };

  return {
    async process(invoiceId) {
      await processInvoice(invoiceId);
    },
    check: (invoice) => inTurn(`invoice ${invoice.id}`, () => checkCharge(core, invoice)),
    async run() {
      await core.ends.resume();
      for (let rounds = 0; rounds < MOST_ROUNDS && goesOn() && isSure(clock); rounds += 1)
        if (!(await round())) return;
    },
  };
}
