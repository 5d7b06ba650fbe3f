import { z } from 'zod';
import { PAYMENT_DIRECTIONS, INVOICE_STATUSES } from '@slipstream/domain';
import { line, idOf } from '../fields/text.js';
import { operation } from '../operations/operation.js';
import { paymentSourceResource, invoiceResource } from './resources.js';
import { list, says } from '../operations/answers.js';
import { presentPaymentSource, presentInvoice } from './present.js';
import { aPaymentSource, someDetails, paymentIds, anInvoice } from './examples.js';
import { listFields, tableOf } from '../fields/csv.js';
import { oneOf, flag } from '../fields/lists.js';
import { proofFields } from '../accounts/sign-in-fields.js';
import { message } from '../fields/output.js';

const group = 'Payments';

/** Spec 4.6: at most 100; without it, or with an empty one, all. */
const invoiceIds = z
  .array(line(50), { error: 'must be an array' })
  .max(100, { error: 'must have at most 100 items' })
  .transform((items) => [...new Set(items)].filter((item) => item !== ''));

export const payments = {
  getPaymentSources: operation({
    name: 'getPaymentSources',
    group,
    method: 'GET',
    summary: "The caller's payment sources, newest first.",
    request: z.strictObject({}),
    response: z.array(paymentSourceResource),
    present: list(presentPaymentSource),
    example: { request: {}, response: [aPaymentSource] },
  }),
  newPaymentSource: operation({
    name: 'newPaymentSource',
    group,
    method: 'POST',
    summary: 'Adds a means of payment, or one of payout.',
    description:
      "`token` is what the payment gateway's own form gave: a payment method (pm_…) or, with direction out, a connected account (acct_…) of Stripe. While payments are simulated it is test_card_paid, test_card_declined, test_card_retried (the second try is paid), test_card_chargeback (paid, and charged back ten days later), test_card_chargeback_late (sixty days later), test_card_chargeback_half (half of it charged back ten days later), test_card_dispute_won (charged back, and won thirty days after the charge), test_card_confirm (pending for a minute) or, with direction out, test_bank. A card whose bank wants its owner to confirm it answers pending, with next_action: open url, or finish with client_secret in an app of Stripe's; it becomes active by itself within a minute after that, and is removed when it was not confirmed within a day. Withdrawals are paid to the primary source of direction out, three days after it was added at the earliest; adding one needs the password, and the code of the second factor where it is on, and is mailed to the owner.",
    request: z.strictObject({
      token: line(255, 1).meta({ description: 'As the payment gateway’s own form gave it.' }),
      direction: oneOf(PAYMENT_DIRECTIONS)
        .optional()
        .meta({ description: 'in (default): you pay with it. out: you are paid to it.' }),
      primary: flag.optional().meta({
        description: 'Whether it is used from now on, as the first one of a direction always is.',
      }),
      password: proofFields.password.optional(),
      totp: proofFields.totp,
      name: line(100, 1).meta({ description: 'Of its owner.' }),
      city: line(100, 1),
      country: line(60, 1),
      line_one: line(200, 1),
      line_two: line(200).optional(),
      district: line(100).optional(),
      postal: line(20, 1),
    }),
    command: (request) => ({
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
    response: paymentSourceResource,
    present: presentPaymentSource,
    example: {
      request: { token: 'test_card_paid', ...someDetails },
      response: aPaymentSource,
    },
  }),
  deletePaymentSource: operation({
    name: 'deletePaymentSource',
    group,
    method: 'POST',
    summary: 'Removes a payment source and erases its name and address.',
    request: z.strictObject({ source_id: idOf<'payment_source'>() }),
    response: message,
    present: says('Payment source deleted.'),
    example: { request: { source_id: paymentIds.source }, response: 'Payment source deleted.' },
  }),
  getInvoices: operation({
    name: 'getInvoices',
    group,
    method: 'GET',
    summary: "The caller's invoices, newest first.",
    request: z.strictObject({
      invoice_id: invoiceIds.optional(),
      source_id: idOf<'payment_source'>().optional(),
      status: oneOf(INVOICE_STATUSES).optional().meta({ description: 'Only those.' }),
      ...listFields,
    }),
    command: ({ invoice_id: invoiceIds, source_id: sourceId, format: _, ...asked }) => ({
      ...{ invoiceIds, sourceId, ...asked },
    }),
    response: z.array(invoiceResource),
    present: list(presentInvoice),
    csv: tableOf(invoiceResource, presentInvoice),
    example: { request: { status: 'paid', limit: '10' }, response: [anInvoice] },
  }),
  retryInvoice: operation({
    name: 'retryInvoice',
    group,
    method: 'POST',
    summary: 'Retries a failed invoice at once, with the primary payment source.',
    request: z.strictObject({ invoice_id: idOf<'invoice'>() }),
    response: invoiceResource,
    present: presentInvoice,
    example: { request: { invoice_id: paymentIds.invoice }, response: anInvoice },
  }),
};
