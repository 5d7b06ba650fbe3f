import { SIMULATED_CREDENTIALS } from '@slipstream/adapter-broker-simulated';
import { Refusal } from '@slipstream/domain';
import { type DocumentedBroker, credentialsInWords } from '@slipstream/wire';
import type { Command } from 'commander';
import { askCredentials } from '../password.js';
import { type Environment, remote } from '../remote.js';
import { type Bot, botColumns } from './bot-columns.js';
import { addConnections } from './connections.js';
import { addSettings, settingsFrom, settingsHelp } from './bot-settings.js';

interface Share {
  readonly strategy_id: string;
  readonly percent: string;
}

interface NewBot {
  readonly type: Bot['type'];
  readonly broker: string;
  readonly leverage?: string;
  readonly credentials?: string;
  readonly set?: readonly string[];
}

/** The brokers of a server whose BROKERS is not set. */
const BROKERS: readonly DocumentedBroker[] = [
  { name: 'simulated', asksFor: SIMULATED_CREDENTIALS },
];

const CREDENTIALS_HELP = `
Credentials, by broker:
${BROKERS.map((broker) => `  ${credentialsInWords(broker)}`).join('\n')}
  Other brokers of a server are listed on its /docs, at newBot.
  Arguments are seen by other programs, and kept by shells. With "--credentials -" the command asks for the
  fields, or reads them from SLIPSTREAM_CREDENTIALS or from standard input.`;

/** `<strategy_id>`, or `<strategy_id>=0.5` */
function share(text: string, before: readonly Share[] = []): Share[] {
  const [strategy_id = '', percent = '1'] = text.split('=');
  return [...before, { strategy_id, percent }];
}

function jsonOf(text: string): Record<string, string> {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    throw new Refusal('invalid_json', '--credentials takes JSON');
  }
}

export function bots(program: Command, environment: Environment): void {
  const group = program
    .command('bots')
    .description('your bots, which mirror strategies into brokerage accounts');
  const list = group.command('list', { isDefault: true }).description('list your bots');
  remote(list, environment, async ({ client, showAll }) => {
    showAll(await client.getBots(), botColumns, 'No bots yet.');
  });

  const create = group
    .command('new')
    .description(
      'create a bot that mirrors strategies into one brokerage account; it is off until you start it',
    )
    .argument('<strategies...>', 'strategy ids, or <strategy_id>=<fraction> of the account', share)
    .option('--type <type>', 'stock or cryptocurrency', 'stock')
    .option('--broker <name>', 'the name of the broker', 'simulated')
    .option(
      '--credentials <json>',
      'the fields that the broker needs (listed below), for example {"starting_balance":"10000"}; - asks for them',
    )
    .option('--leverage <factor>', '0.01 to 2')
    .option('--set <settings...>', 'more settings as key=value, see below')
    .addHelpText('after', CREDENTIALS_HELP)
    .addHelpText('after', settingsHelp);
  remote(create, environment, async ({ client, showOne }, allocations: Share[], given: NewBot) => {
    const { type, broker, leverage, credentials = '{}', set = [] } = given;
    const fields = credentials === '-' ? await askCredentials(environment) : credentials;
    const request = {
      ...{ type, broker, allocations, leverage, credentials: jsonOf(fields) },
      ...settingsFrom(set),
    };
    showOne(await client.newBot(request), botColumns);
  });

  addSettings(group, environment);
  addConnections(group, environment);

  const start = group
    .command('start')
    .description('start a bot that is off')
    .argument('<bot_id>')
    .option('--live', 'yes, with real money; without it such a bot does not start');
  remote(
    start,
    environment,
    async ({ client, showOne }, bot_id: string, { live }: { live?: true }) => {
      showOne(await client.startBot({ bot_id, live }), botColumns);
    },
  );

  const stop = group
    .command('stop')
    .description('stop an active bot')
    .argument('<bot_id>')
    .option('--close', 'also close its positions')
    .option('--no-close', 'keep its positions');
  remote(
    stop,
    environment,
    async ({ client, showOne }, bot_id: string, given: { close?: boolean }) => {
      showOne(await client.stopBot({ bot_id, close_on_stop: given.close }), botColumns);
    },
  );

  const reset = group
    .command('reset')
    .description('rebalance again; also restarts a bot in error')
    .argument('<bot_id>')
    .option('--acknowledge-breach', 'end a breach of its loss limits: peak and day begin anew');
  remote(
    reset,
    environment,
    async ({ client, showOne }, bot_id: string, given: { acknowledgeBreach?: true }) => {
      const request = { bot_id, acknowledge_breach: given.acknowledgeBreach };
      showOne(await client.resetBot(request), botColumns);
    },
  );

  const remove = group
    .command('delete')
    .description('delete a bot that is off')
    .argument('<bot_id>');
  remote(remove, environment, async ({ client, showText }, bot_id: string) => {
    const said = await client.deleteBot({ bot_id });
    showText(said, said);
  });

  const account = group
    .command('account')
    .description('show its brokerage account')
    .argument('<bot_id>');
  remote(account, environment, async ({ client, json, showAll, showOne }, bot_id: string) => {
    const found = await client.getBotAccount({ bot_id });
    showOne(found, {
      EQUITY: ({ equity }) => equity,
      CASH: ({ cash }) => cash,
      DRIFT: ({ drift }) => drift,
    });
    if (json) return;
    showAll(
      found.positions,
      {
        STOCK: ({ symbol, stock_id }) => symbol ?? stock_id,
        AMOUNT: (position) => position.amount,
        PRICE: (position) => position.price,
        VALUE: (position) => position.value,
      },
      'No positions.',
    );
  });

  const history = group
    .command('history')
    .description("show its account's history of a month")
    .argument('<bot_id>');
  remote(history, environment, async ({ client, showAll }, bot_id: string) => {
    showAll(
      await client.getBotHistory({ bot_id }),
      {
        AT: ({ at }) => at,
        EQUITY: ({ equity }) => equity,
        CASH: ({ cash }) => cash,
        FLOW: ({ flow }) => flow ?? '',
        TARGET: ({ target }) => target ?? '',
      },
      'Its account was not read yet.',
    );
  });
}
