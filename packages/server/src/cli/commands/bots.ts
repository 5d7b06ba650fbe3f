import type { Command } from 'commander';
import { type Environment, remote } from '../remote.js';
import { type Bot, botColumns } from './bot-columns.js';
import { CREDENTIALS_HELP, credentialsFrom, credentialsOption } from './bot-credentials.js';
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

/** `<strategy_id>`, or `<strategy_id>=0.5` */
function share(text: string, before: readonly Share[] = []): Share[] {
  const [strategy_id = '', percent = '1'] = text.split('=');
  return [...before, { strategy_id, percent }];
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
    .addOption(credentialsOption())
    .option('--leverage <factor>', '0.01 to 2')
    .option('--set <settings...>', 'more settings as key=value, see below')
    .addHelpText('after', CREDENTIALS_HELP)
    .addHelpText('after', settingsHelp);
  remote(create, environment, async ({ client, showOne }, allocations: Share[], given: NewBot) => {
    const { type, broker, leverage, set = [] } = given;
    const request = {
      ...{ type, broker, allocations, leverage },
      credentials: await credentialsFrom(given.credentials ?? '{}', environment),
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
