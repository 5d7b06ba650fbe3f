import type { Command } from 'commander';
import { type Environment, remote } from '../remote.js';

/** `bots connect` and `bots finish`: access that is given on the broker's page instead of credentials. */
export function addConnections(group: Command, environment: Environment): void {
  const connect = group
    .command('connect')
    .description("connect a brokerage account on the broker's own page, instead of credentials")
    .argument('<broker>', 'the name of the broker');
  remote(connect, environment, async ({ client, showText }, broker: string) => {
    const asked = await client.newConnection({ broker });
    showText(
      asked,
      `Open this page in your browser, and then run "bots finish" with the code and the state that it ends with:\n${asked.url}`,
    );
  });

  const finish = group
    .command('finish')
    .description('finish a connection, and show which account it opens')
    .argument('<code>', 'as the page showed it')
    .argument('<state>', 'as the page showed it');
  remote(finish, environment, async ({ client, showOne }, code: string, state: string) => {
    showOne(await client.finishConnection({ code, state }), {
      CONNECTION: ({ connection_id }) => connection_id,
      ACCOUNT: ({ account_id }) => account_id,
      LABEL: ({ label }) => label,
      LIVE: ({ live }) => (live ? 'real money' : 'no'),
      UNTIL: ({ expires_at }) => expires_at,
    });
  });
}
