import {
  type Invoice,
  type InvoiceId,
  type InvoiceStatus,
  Refusal,
  type UserId,
  id,
  isRetryable,
  retryNow,
} from '@slipstream/domain';
import { NoticeRefused, type PaymentGateway, type ReadStores } from '@slipstream/ports';
import { requireUser } from '../strategies/access.js';
import type { Billing } from './billing.js';
import { type InvoiceView, viewInvoices } from './payment-views.js';
import { noSource, primarySource } from './primary-source.js';
import { confirmSource } from './confirm-source.js';
import { requireSureClock } from './settled-up.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, itemsAfter, pageOf } from '../page.js';

/** The caller's invoices with the given filters (spec 4.6), newest first, or in the order of the given ids (contract 1). */
export const getInvoices =
  (core: Core) =>
  async (
    caller: Caller,
    command: PageRequest & {
      readonly invoiceIds?: readonly string[] | undefined;
      readonly sourceId?: string | undefined;
      readonly status?: InvoiceStatus | undefined;
    },
  ): Promise<InvoiceView[]> => {
    const { userId } = requireUser(caller);
    const { sourceId, status } = command;
    const page = pageOf(command);
    const filter = {
      ...(sourceId !== undefined && { sourceId: id<'payment_source'>(sourceId) }),
      status,
    };
    const asked = [...new Set(command.invoiceIds)].map((text) => id<'invoice'>(text));
    return core.unitOfWork.read(async (stores) => {
      if (asked.length === 0)
        return viewInvoices(core, stores, await stores.invoices.list(userId, filter, page));
      const invoiceIds = idsAfter(asked, page.cursor);
      const whole = { ...page, cursor: undefined, limit: invoiceIds.length };
      const found = await stores.invoices.list(userId, { ...filter, invoiceIds }, whole);
      const inAskedOrder = invoiceIds.flatMap((one) => found.filter((other) => other.id === one));
      return viewInvoices(core, stores, inAskedOrder.slice(0, page.limit));
    });
  };

/** The requested ids after that of the cursor: results keep their order (contract 1), so that pages do too. */
const idsAfter = (asked: readonly InvoiceId[], cursor: string | undefined): InvoiceId[] =>
  itemsAfter(
    asked.map((invoiceId) => ({ id: invoiceId })),
    cursor,
  ).map((one) => one.id);

/** Retries a failed invoice at once, with the present primary payment source; it counts as one of the attempts. */
export const retryInvoice =
  (core: Core, billing: Billing) =>
  async (caller: Caller, command: { readonly invoiceId: string }): Promise<InvoiceView> => {
    const { userId } = requireUser(caller);
    const invoiceId = id<'invoice'>(command.invoiceId);
    requireSureClock(core.clock);
    await core.unitOfWork.run(async (stores) => {
      const invoice = await ownInvoice(stores, userId, invoiceId);
      if (!isRetryable(invoice)) {
        throw new Refusal('not_retryable', `invoice ${invoiceId} cannot be retried`);
      }
      if (!(await primarySource(stores, userId, 'in'))) throw noSource();
      await stores.invoices.save(retryNow(invoice, core.clock.now()));
    });
    await billing.process(invoiceId);
    const [view] = await core.unitOfWork.read(async (stores) =>
      viewInvoices(core, stores, [await ownInvoice(stores, userId, invoiceId)]),
    );
    return view as InvoiceView;
  };

async function ownInvoice(
  { invoices }: Pick<ReadStores, 'invoices'>,
  userId: UserId,
  invoiceId: Invoice['id'],
): Promise<Invoice> {
  const invoice = await invoices.find(invoiceId);
  if (invoice?.userId === userId) return invoice;
  throw new Refusal('not_found', `invoice ${invoiceId} does not exist`, invoice !== undefined);
}

/**
 * Handles a notice of the payment gateway. A repeat changes nothing more. By a clock in doubt none is taken: the days of a month would
 * seem over, and the gateway posts again what was refused.
 */
export const handlePaymentWebhook =
  (core: Core, billing: Billing) =>
  async (
    body: string,
    headers: Parameters<NonNullable<PaymentGateway['readNotice']>>[1],
  ): Promise<void> => {
    const { paymentGateway, unitOfWork, log } = core;
    if (!paymentGateway.readNotice) throw new NoticeRefused('this gateway tells nothing by itself');
    const notice = await paymentGateway.readNotice(body, headers);
    if (notice) requireSureClock(core.clock);
    if (notice?.kind === 'charge_decided') return billing.process(notice.invoiceId);
    if (notice?.kind === 'source_decided') return confirmSource(core, notice.sourceId);
    if (!notice) return;
    const { chargeRef } = notice;
    const invoice = await unitOfWork.read(({ invoices }) => invoices.findByCharge(chargeRef));
    if (invoice) await billing.check(invoice);
    else
      log.error({ chargeRef }, 'the payment gateway changed a charge that belongs to no invoice');
  };
