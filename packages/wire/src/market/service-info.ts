import { BASES, type FeedView, type ServiceInfoView } from '@slipstream/domain';
import { z } from 'zod';
import { operation } from '../operations/operation.js';

/** A source of quotes. */
export const feedResource = z.object({
  name: z.string(),
  age: z
    .int()
    .nullable()
    .meta({ description: 'Milliseconds since it was last heard; null if never.' }),
  healthy: z.boolean(),
});

/** Contract 17, "getServiceInfo". */
const serviceInfoResource = z
  .object({
    name: z.string(),
    version: z.string(),
    basis: z.enum(BASES).meta({ description: 'The prices that strategies trade at now.' }),
    feeds: z
      .array(feedResource)
      .meta({ description: 'The sources of quotes; none if the operator sends them.' }),
    signup: z.enum(['open', 'closed']),
    payments: z.enum(['simulated', 'real']),
    brokers: z.array(
      z.object({
        name: z.string(),
        live: z.boolean().meta({ description: 'Whether it trades real money.' }),
        connects: z.boolean().meta({
          description:
            "Whether accounts can be connected on the broker's own page (newConnection).",
        }),
      }),
    ),
    disclosure: z.string().meta({ description: 'What the figures are; show it beside them.' }),
    halted: z.boolean().meta({ description: 'Whether the operator has halted all trading.' }),
  })
  .meta({ id: 'ServiceInfo' });

/** Its age in whole milliseconds. */
export const presentFeed = ({ name, age, healthy }: FeedView): z.infer<typeof feedResource> => ({
  name,
  age: age === null ? null : Math.round(age),
  healthy,
});

const presentServiceInfo = (view: ServiceInfoView): z.infer<typeof serviceInfoResource> => ({
  ...view,
  feeds: view.feeds.map(presentFeed),
  brokers: [...view.brokers],
});

export const serviceInfo = {
  getServiceInfo: operation({
    name: 'getServiceInfo',
    group: 'Stocks',
    method: 'GET',
    auth: 'none',
    summary: 'The service itself: its prices, sources, brokers, and what its figures are.',
    request: z.strictObject({}),
    response: serviceInfoResource,
    present: presentServiceInfo,
    example: {
      request: {},
      response: {
        name: 'Slipstream',
        version: '1.0',
        basis: 'hypothetical',
        feeds: [{ name: 'kraken', age: 412, healthy: true }],
        signup: 'open',
        payments: 'real',
        brokers: [{ name: 'alpaca_paper', live: false, connects: true }],
        disclosure:
          'All figures are hypothetical results on prices of real markets, filled without touching the market, before the costs of those who follow, and no guarantee of future results.',
        halted: false,
      },
    },
  }),
};
