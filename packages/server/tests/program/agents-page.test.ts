import { expect, it } from '@jest/globals';
import { OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { follow } from '../helpers/followed-page.js';

it('leads from a token with limits to an order in two steps, command by command', async () => {
  const { commands } = await follow({
    file: 'agents.md',
    known: { operator_token: OPERATOR_TOKEN },
    printed: [
      ['sign-in', 'token', /SLIPSTREAM_TOKEN=(\S+)/],
      ['strategies new', 'strategy_id', /^Made .*: (\S+)$/m],
      ['call newToken', 'agent_token', /(slipa_\w+)/],
      ['call preparePlan', 'plan_id', /"plan_id": "([^"]+)"/],
    ],
    serve: (environment) => composedServer({ environment }),
    wait: async () => undefined,
  });
  expect(commands).toBeGreaterThan(9);
});
