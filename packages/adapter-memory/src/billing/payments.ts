import { type Invoice, chargeRefOf, dueAtOf, statusOf, totalsOf } from '@slipstream/domain';
import type {
  EarningStore,
  InvoiceFilter,
  InvoiceStore,
  PaymentSourceStore,
  WithdrawalStore,
} from '@slipstream/ports';
import { byAge, byNewest, due, page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryPaymentSources = ({ paymentSources }: Tables): PaymentSourceStore => ({
  find: async (sourceId) => paymentSources.get(sourceId),
  listOf: async (userId) =>
    paymentSources
      .values()
      .filter((source) => source.userId === userId)
      .toSorted(byNewest),
  due: async (now, limit) => due(paymentSources.values(), ({ dueAt }) => dueAt, now, limit),
  save: async (source) => paymentSources.set(source.id, source),
});

const matches = (invoice: Invoice, { invoiceIds, sourceId, status }: InvoiceFilter): boolean =>
  (invoiceIds === undefined || invoiceIds.includes(invoice.id)) &&
  (sourceId === undefined || invoice.sourceId === sourceId) &&
  (status === undefined || statusOf(invoice) === status);

export const memoryInvoices = ({ invoices }: Tables): InvoiceStore => ({
  find: async (invoiceId) => invoices.get(invoiceId),
  list: async (userId, filter, wanted) => {
    const own = invoices.values().filter((invoice) => invoice.userId === userId);
    return page(
      own.filter((invoice) => matches(invoice, filter)),
      wanted,
      (cursor) => own.find((invoice) => invoice.id === cursor),
    );
  },
  listOfSubscription: async (subscriptionId) =>
    invoices
      .values()
      .filter((invoice) => invoice.subscriptionId === subscriptionId)
      .toSorted(byNewest),
  findByCharge: async (chargeRef) =>
    invoices.values().find((invoice) => chargeRefOf(invoice) === chargeRef),
  due: async (now, limit) => due(invoices.values(), dueAtOf, now, limit),
  save: async (invoice) => invoices.set(invoice.id, invoice),
});

export const memoryEarnings = ({ earnings, refuse }: Tables): EarningStore => ({
  list: async (userId, wanted) => {
    const own = earnings.values().filter((earning) => earning.userId === userId);
    return page(own, wanted, (cursor) => own.find((earning) => earning.id === cursor));
  },
  ofInvoice: async (invoiceId) =>
    earnings
      .values()
      .filter((earning) => earning.invoiceId === invoiceId)
      .toSorted(byAge),
  totals: async (userId, money, now) =>
    totalsOf(
      earnings.values().filter((earning) => earning.userId === userId && earning.money === money),
      now,
    ),
  save: async (earning) => {
    if (earnings.get(earning.id)) refuse('the ledger of earnings is append-only');
    earnings.set(earning.id, earning);
  },
});

export const memoryWithdrawals = ({ withdrawals }: Tables): WithdrawalStore => ({
  find: async (withdrawalId) => withdrawals.get(withdrawalId),
  list: async (userId, wanted) => {
    const own = withdrawals.values().filter((withdrawal) => withdrawal.userId === userId);
    return page(own, wanted, (cursor) => own.find((withdrawal) => withdrawal.id === cursor));
  },
  listOpen: async (userId) =>
    withdrawals
      .values()
      .filter(
        ({ userId: owner, status }) =>
          owner === userId && (status === 'pending' || status === 'processing'),
      )
      .toSorted(byNewest),
  due: async (now, limit) => due(withdrawals.values(), ({ dueAt }) => dueAt, now, limit),
  save: async (withdrawal) => withdrawals.set(withdrawal.id, withdrawal),
});
