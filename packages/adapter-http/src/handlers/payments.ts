import {
  presentInvoice,
  presentPaymentSource,
  presentWithdrawal,
  presentWithdrawals,
} from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const paymentHandlers: HandlersOf<
  | 'getPaymentSources'
  | 'newPaymentSource'
  | 'deletePaymentSource'
  | 'getInvoices'
  | 'retryInvoice'
  | 'getWithdrawals'
  | 'newWithdrawal'
  | 'deleteWithdrawal'
> = {
  getPaymentSources: async (application, _, caller) =>
    (await application.getPaymentSources(caller)).map(presentPaymentSource),
  newPaymentSource: async (application, request, caller) =>
    presentPaymentSource(
      await application.newPaymentSource(caller, {
        token: request.token,
        direction: request.direction,
        primary: request.primary,
        password: request.password,
        totp: request.totp,
        details: {
          name: request.name,
          city: request.city,
          country: request.country,
          lineOne: request.line_one,
          lineTwo: request.line_two ?? '',
          district: request.district ?? '',
          postal: request.postal,
        },
      }),
    ),
  deletePaymentSource: async (application, { source_id: sourceId }, caller) => {
    await application.deletePaymentSource(caller, { sourceId });
    return 'Payment source deleted.';
  },
  getInvoices: async (application, request, caller) => {
    const { invoice_id: invoiceIds, source_id: sourceId, status, limit, cursor } = request;
    const command = { invoiceIds, sourceId, status, limit, cursor };
    return (await application.getInvoices(caller, command)).map(presentInvoice);
  },
  retryInvoice: async (application, { invoice_id: invoiceId }, caller) =>
    presentInvoice(await application.retryInvoice(caller, { invoiceId })),
  getWithdrawals: async (application, { limit, cursor }, caller) =>
    presentWithdrawals(await application.getWithdrawals(caller, { limit, cursor })),
  newWithdrawal: async (application, request, caller) =>
    presentWithdrawal(await application.newWithdrawal(caller, request)),
  deleteWithdrawal: async (application, { withdrawal_id: withdrawalId }, caller) => {
    await application.deleteWithdrawal(caller, { withdrawalId });
    return 'Withdrawal cancelled.';
  },
};
