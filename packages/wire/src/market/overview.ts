import type { BotStatus, OverviewView } from '@slipstream/domain';
import { z } from 'zod';
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
        feeds: [{ name: 'kraken', age: 412, healthy: true }],
        disk_free: 52_000_000_000,
        halts: [aHalt],
      },
    },
  }),
};
