import type { Billing } from '../billing/billing.js';
import type { Core } from '../core.js';
import * as invoices from './invoices.js';
import * as sources from './payment-sources.js';
import * as withdrawals from './withdrawals.js';

/** The groups Payments and Withdrawals (contract 5). */
export const paymentOperations = (core: Core, billing: Billing) => ({
  getPaymentSources: sources.getPaymentSources(core),
  newPaymentSource: sources.newPaymentSource(core),
  deletePaymentSource: sources.deletePaymentSource(core),
  getInvoices: invoices.getInvoices(core),
  retryInvoice: invoices.retryInvoice(core, billing),
  getWithdrawals: withdrawals.getWithdrawals(core),
  newWithdrawal: withdrawals.newWithdrawal(core),
  deleteWithdrawal: withdrawals.deleteWithdrawal(core),
});
