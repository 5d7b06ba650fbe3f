import type { AskedConnectionView, GrantedAccountView } from '@slipstream/domain';
import { z } from 'zod';
import { AT, ids } from '../example-ids.js';
import { idOut, timeText, timestampOut } from '../fields/output.js';
import { line } from '../fields/text.js';
import { operation } from '../operations/operation.js';

const group = 'Bots';

const askedResource = z
  .object({
    url: z.string().meta({ description: "The broker's page: open it in a browser." }),
    expires_at: timestampOut,
  })
  .meta({ id: 'AskedConnection' });

const grantedResource = z
  .object({
    connection_id: idOut.meta({
      description: 'Give it to newBot or updateBot as {"connection_id": …} in credentials.',
    }),
    broker: z.string(),
    account_id: z.string(),
    label: z.string().meta({ description: 'How the broker names the account for its owner.' }),
    live: z.boolean().meta({ description: 'Whether the account holds real money.' }),
    warnings: z.array(z.string()),
    expires_at: timestampOut,
  })
  .meta({ id: 'Connection' });

const presentAsked = ({ url, expiresAt }: AskedConnectionView): z.infer<typeof askedResource> => ({
  url,
  expires_at: timeText(expiresAt),
});

const presentGranted = (view: GrantedAccountView): z.infer<typeof grantedResource> => ({
  connection_id: view.id,
  broker: view.broker,
  account_id: view.accountId,
  label: view.label,
  live: view.live,
  warnings: [...view.warnings],
  expires_at: timeText(view.expiresAt),
});

export const connections = {
  newConnection: operation({
    name: 'newConnection',
    group,
    method: 'POST',
    summary: "Begins to connect a brokerage account on the broker's own page (OAuth).",
    description:
      'Instead of credentials. The page sends the browser back to /connect of this service, which shows the code and the state for finishConnection. The state works once, within ten minutes, for the user who asked for it. At most 10 calls a minute.',
    request: z.strictObject({
      broker: line(50, 1).meta({ description: 'A broker with a page of its own for that.' }),
    }),
    response: askedResource,
    present: presentAsked,
    example: {
      request: { broker: 'alpaca_paper' },
      response: {
        url: 'https://app.alpaca.markets/oauth/authorize?response_type=code&…',
        expires_at: AT,
      },
    },
  }),
  finishConnection: operation({
    name: 'finishConnection',
    group,
    method: 'POST',
    summary: 'Exchanges the code of the broker, and shows which account it opens.',
    description:
      'Check account and label: giving connection_id to newBot or updateBot confirms them, within an hour and once. A state that was tried is used up, whatever the broker answered. At most 10 calls a minute.',
    request: z.strictObject({
      code: line(2_000, 1).meta({ description: 'As /connect shows it.' }),
      state: line(100, 1).meta({ description: 'As /connect shows it.' }),
    }),
    response: grantedResource,
    present: presentGranted,
    example: {
      request: { code: '7b1c…', state: 'slipc_…' },
      response: {
        connection_id: ids.connection,
        broker: 'alpaca_paper',
        account_id: 'PA3EXAMPLE01',
        label: 'Alpaca paper account PA3EXAMPLE01',
        live: false,
        warnings: [],
        expires_at: AT,
      },
    },
  }),
};
