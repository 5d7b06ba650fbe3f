import { decimal, isMultipleOf } from '@slipstream/domain';
import { z } from 'zod';
import { positive } from '../fields/decimals.js';
import { operation } from '../operations/operation.js';
import { limit, cursor } from '../fields/lists.js';
import { withdrawalsResource, withdrawalResource } from './resources.js';
import { presentWithdrawals, presentWithdrawal } from './present.js';
import { aWithdrawal, paymentIds } from './examples.js';
import { proofFields } from '../accounts/sign-in-fields.js';
import { idOf } from '../fields/text.js';
import { message } from '../fields/output.js';
import { says } from '../operations/answers.js';

const group = 'Withdrawals';
const CENT = decimal('0.01');

const usd = positive
  .refine((value) => isMultipleOf(value, CENT), { error: 'must be a multiple of 0.01' })
  .meta({
    description: 'USD: a decimal greater than 0 and multiple of 0.01, as text or a number.',
  });

export const withdrawals = {
  getWithdrawals: operation({
    name: 'getWithdrawals',
    group,
    method: 'GET',
    summary: "The caller's withdrawals, newest first, and the balance of the earnings.",
    description:
      'balance is all earnings after commission, refunds, chargebacks and withdrawals. settled_balance is the part whose month ended seven days ago (after deleteStrategy: the remainder, seven days later) and that can no longer be refunded: the most that newWithdrawal pays out. Either may be negative after a chargeback.',
    request: z.strictObject({ limit: limit.optional(), cursor: cursor.optional() }),
    response: withdrawalsResource,
    present: presentWithdrawals,
    example: {
      request: {},
      response: { balance: '36', settled_balance: '12', withdrawals: [aWithdrawal] },
    },
  }),
  newWithdrawal: operation({
    name: 'newWithdrawal',
    group,
    method: 'POST',
    summary:
      'Pays settled earnings out to the primary payment source of direction out, an hour later.',
    description:
      'Needs the password, and the code of the second factor if it is on. The source is the present primary one, even if others are added later; a source newer than three days gets no payout (payouts_disabled).',
    request: z.strictObject({ amount: usd, ...proofFields }),
    response: withdrawalResource,
    present: presentWithdrawal,
    example: {
      request: { amount: '24', password: 'correct horse battery' },
      response: aWithdrawal,
    },
  }),
  deleteWithdrawal: operation({
    name: 'deleteWithdrawal',
    group,
    method: 'POST',
    summary: 'Cancels a pending withdrawal.',
    request: z.strictObject({ withdrawal_id: idOf<'withdrawal'>() }),
    response: message,
    present: says('Withdrawal cancelled.'),
    example: {
      request: { withdrawal_id: paymentIds.withdrawal },
      response: 'Withdrawal cancelled.',
    },
  }),
};
