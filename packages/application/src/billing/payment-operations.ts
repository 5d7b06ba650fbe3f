import { confirmed } from '../accounts/confirmed-address.js';
import type { Billing } from './billing.js';
import type { Core } from '../core.js';
import * as invoices from './invoices.js';
import * as sources from './payment-sources.js';
import * as withdrawals from './withdrawals.js';

/** The groups Payments and Withdrawals (contract 5). */
export const paymentOperations = (billing: Billing) => ({
  getPaymentSources: sources.getPaymentSources,
  newPaymentSource: confirmed(sources.newPaymentSource),
  deletePaymentSource: sources.deletePaymentSource,
  getInvoices: invoices.getInvoices,
  retryInvoice: confirmed((core: Core) => invoices.retryInvoice(core, billing)),
  getWithdrawals: withdrawals.getWithdrawals,
  newWithdrawal: confirmed(withdrawals.newWithdrawal),
  deleteWithdrawal: withdrawals.deleteWithdrawal,
});
