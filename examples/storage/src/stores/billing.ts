import { ZERO, chargeRefOf, dueAtOf, statusOf } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Tables, dueBy, newestFirst, oldestFirst, pageOf } from '../table.js';

type BillingStores = Pick<Stores, 'paymentSources' | 'invoices' | 'earnings' | 'withdrawals'>;

export const billingStores = (tables: Tables): BillingStores => {
  const { paymentSources, invoices, earnings, withdrawals } = tables;
  return {
    paymentSources: {
      find: async (sourceId) => paymentSources.get(sourceId),
      listOf: async (userId) =>
        newestFirst(paymentSources.where((source) => source.userId === userId)),
      due: async (now, limit) =>
        dueBy(
          paymentSources.where(() => true),
          ({ dueAt }) => dueAt,
          now,
          limit,
        ),
      save: async (source) => paymentSources.set(source.id, source),
    },
    invoices: {
      find: async (invoiceId) => invoices.get(invoiceId),
      list: async (userId, { invoiceIds, sourceId, status }, page) =>
        pageOf(
          invoices.where((invoice) => invoice.userId === userId),
          page,
          (invoice) =>
            (invoiceIds === undefined || invoiceIds.includes(invoice.id)) &&
            (sourceId === undefined || invoice.sourceId === sourceId) &&
            (status === undefined || statusOf(invoice) === status),
        ),
      listOfSubscription: async (subscriptionId) =>
        newestFirst(invoices.where((invoice) => invoice.subscriptionId === subscriptionId)),
      findByCharge: async (chargeRef) =>
        invoices.where((invoice) => chargeRefOf(invoice) === chargeRef)[0],
      due: async (now, limit) =>
        dueBy(
          invoices.where(() => true),
          dueAtOf,
          now,
          limit,
        ),
      save: async (invoice) => invoices.set(invoice.id, invoice),
    },
    earnings: {
      list: async (userId, page) =>
        pageOf(
          earnings.where((row) => row.userId === userId),
          page,
        ),
      ofInvoice: async (invoiceId) =>
        oldestFirst(earnings.where((row) => row.invoiceId === invoiceId)),
      totals: async (userId, money, now) => {
        const own = earnings.where((row) => row.userId === userId && row.money === money);
        const sum = (rows: typeof own) => rows.reduce((all, row) => all.plus(row.amount), ZERO);
        const settled = own.filter((row) => row.withdrawalId !== null || row.settlesAt <= now);
        return { balance: sum(own), settled: sum(settled) };
      },
      save: async (earning) => earnings.add(earning.id, earning),
    },
    withdrawals: {
      find: async (withdrawalId) => withdrawals.get(withdrawalId),
      list: async (userId, page) =>
        pageOf(
          withdrawals.where((one) => one.userId === userId),
          page,
        ),
      listOpen: async (userId) =>
        newestFirst(
          withdrawals.where(
            (one) => one.userId === userId && ['pending', 'processing'].includes(one.status),
          ),
        ),
      due: async (now, limit) =>
        dueBy(
          withdrawals.where(() => true),
          ({ dueAt }) => dueAt,
          now,
          limit,
        ),
      save: async (withdrawal) => withdrawals.set(withdrawal.id, withdrawal),
    },
  };
};
