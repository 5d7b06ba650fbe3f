import type { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import type { paymentSourceResource, invoiceResource, withdrawalResource } from './resources.js';

const OFFSET_AT = AT.replace('Z', '+00:00');

export const paymentIds = {
  source: '01988f4e-0a20-7d13-9c42-5b7a9d1f3e09',
  invoice: '01988f4e-0a21-7e35-8d64-7c9b1e3f5a0a',
  withdrawal: '01988f4e-0a22-7f57-9e86-8dac2f4a6b0b',
} as const;

export const someDetails = {
  name: 'Ada Lovelace',
  city: 'London',
  country: 'GB',
  line_one: '12 St James Square',
  line_two: '',
  district: 'Westminster',
  postal: 'SW1Y 4JH',
};

export const aPaymentSource: z.infer<typeof paymentSourceResource> = {
  source_id: paymentIds.source,
  user_id: ids.user,
  type: 'card',
  direction: 'in',
  primary: true,
  description: 'Test card ending in 4242',
  ...someDetails,
  status: 'active',
  next_action: null,
  updated_at: OFFSET_AT,
  created_at: OFFSET_AT,
};

export const anInvoice: z.infer<typeof invoiceResource> = {
  invoice_id: paymentIds.invoice,
  user_id: ids.user,
  description: 'Momentum, month 1',
  status: 'paid',
  reason: null,
  amount: '15',
  amount_refunded: '0',
  source: aPaymentSource,
  retryable: false,
  updated_at: AT,
  created_at: AT,
};

export const aWithdrawal: z.infer<typeof withdrawalResource> = {
  withdrawal_id: paymentIds.withdrawal,
  user_id: ids.user,
  amount: '24',
  status: 'pending',
  source_id: null,
  reason: null,
  updated_at: AT,
  created_at: AT,
};
