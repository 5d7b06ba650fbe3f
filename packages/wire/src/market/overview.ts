import {
  type BotStatus,
  type OutgoingMail,
  type OverviewView,
  type ServiceFailures,
  declineReasonOf,
  decimalText,
} from '@slipstream/domain';
import { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import { decimalOut, idOut, timeText, timestampOut } from '../fields/output.js';
import { aHalt, haltResource, presentHalt } from '../mirroring/halts.js';
import { operation } from '../operations/operation.js';
import { feedResource, presentFeed } from './service-info.js';

const countByStatus = {
  off: z.int(),
  scheduled_rebalance: z.int(),
  rebalancing: z.int(),
  running: z.int(),
  stopping: z.int(),
  closing: z.int(),
  error: z.int(),
} satisfies Record<BotStatus, z.ZodInt>;

const failedMail = z.object({
  mail_id: idOut,
  user_id: idOut,
  subject: z.string(),
  attempts: z.int(),
  reason: z.string(),
  created_at: timestampOut,
});
const failedPayment = z.object({
  kind: z.enum(['invoice', 'withdrawal']),
  id: idOut,
  user_id: idOut,
  amount: decimalOut.meta({ description: 'USD.' }),
  reason: z.string().nullable(),
  created_at: timestampOut,
});

const presentFailedMail = (mail: OutgoingMail): z.infer<typeof failedMail> => ({
  mail_id: mail.id,
  user_id: mail.userId,
  subject: mail.subject,
  attempts: mail.attempts,
  reason: mail.failure ?? '',
  created_at: timeText(mail.createdAt),
});

/** Invoices and withdrawals in one list, newest first. */
const presentFailedPayments = ({
  invoices,
  withdrawals,
}: ServiceFailures): z.infer<typeof failedPayment>[] =>
  [
    ...invoices.map((one) => ({ ...one, kind: 'invoice' as const, reason: declineReasonOf(one) })),
    ...withdrawals.map((one) => ({ ...one, kind: 'withdrawal' as const })),
  ]
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .map(({ kind, id, userId, amount, reason, createdAt }) => ({
      ...{ kind, id, user_id: userId, amount: decimalText(amount), reason },
      created_at: timeText(createdAt),
    }));

/** Contract 17, "getOverview". */
const overviewResource = z
  .object({
    users: z.int(),
    strategies: z.int(),
    bots: z.object(countByStatus).meta({ description: 'How many bots have each status.' }),
    failed_mails: z.int().meta({
      description: 'Mails that are not tried again; each is kept for 30 days.',
    }),
    failed_payments: z.int().meta({
      description: 'Invoices and withdrawals whose status is failed.',
    }),
    latest_failed_mails: z.array(failedMail).meta({
      description: 'The newest 25 of them, the newest first.',
    }),
    latest_failed_payments: z.array(failedPayment).meta({
      description: 'The newest 25 invoices and the newest 25 withdrawals, the newest first.',
    }),
    feeds: z.array(feedResource).meta({ description: 'The sources of quotes.' }),
    disk_free: z.int().nullable().meta({
      description: 'Bytes on the disk of the database; null if they are not known.',
    }),
    halts: z.array(haltResource).meta({ description: 'The newest 100, the newest first.' }),
  })
  .meta({ id: 'Overview' });

const presentOverview = (view: OverviewView): z.infer<typeof overviewResource> => ({
  users: view.users,
  strategies: view.strategies,
  bots: view.bots,
  failed_mails: view.failedMails,
  failed_payments: view.failedPayments,
  latest_failed_mails: view.failures.mails.map(presentFailedMail),
  latest_failed_payments: presentFailedPayments(view.failures),
  feeds: view.feeds.map(presentFeed),
  disk_free: view.diskFree,
  halts: view.halts.map(presentHalt),
});

export const overview = {
  getOverview: operation({
    name: 'getOverview',
    group: 'Stocks',
    method: 'GET',
    auth: 'operator',
    summary: 'The state of the whole service: counts, failures, sources, disk, halts.',
    request: z.strictObject({}),
    response: overviewResource,
    present: presentOverview,
    example: {
      request: {},
      response: {
        users: 412,
        strategies: 96,
        bots: {
          off: 20,
          scheduled_rebalance: 1,
          rebalancing: 2,
          running: 130,
          stopping: 0,
          closing: 0,
          error: 3,
        },
        failed_mails: 2,
        failed_payments: 1,
        latest_failed_mails: [
          {
            mail_id: '01988f4e-0a1c-7f11-8a31-5b7d9f1c3e0d',
            user_id: ids.user,
            subject: 'Confirm your e-mail address',
            attempts: 12,
            reason: '550 no such mailbox',
            created_at: AT,
          },
        ],
        latest_failed_payments: [
          {
            kind: 'withdrawal',
            id: '01988f4e-0a1d-7a22-9b42-6c8e0a2d4f0e',
            user_id: ids.user,
            amount: '120',
            reason: 'the bank refused the account',
            created_at: AT,
          },
        ],
        feeds: [{ name: 'kraken', age: 412, healthy: true }],
        disk_free: 52_000_000_000,
        halts: [aHalt],
      },
    },
  }),
};
