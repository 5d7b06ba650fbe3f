import type { ResponseOf } from '@slipstream/wire';
import type { Command } from 'commander';
import type { Columns } from './output.js';
import { type Environment, remote } from './remote.js';

export type Bot = ResponseOf<'getBots'>[number];

export const botColumns: Columns<Bot> = {
  BOT: (bot) => bot.bot_id,
  BROKER: (bot) => `${bot.broker}${bot.live ? '' : ' (no real money)'}`,
  ACCOUNT: (bot) => bot.account_id,
  STATUS: (bot) => bot.status,
  LEVERAGE: (bot) => bot.leverage,
  DRIFT: (bot) => bot.drift,
  WHY: (bot) => bot.status_reason,
};

export function bots(program: Command, environment: Environment): void {
  const group = program
    .command('bots')
    .description('what mirrors strategies into brokerage accounts');
  const list = group.command('list', { isDefault: true }).description('your bots');
  remote(list, environment, async ({ client, showAll }) => {
    showAll(await client.getBots(), botColumns, 'No bots yet.');
  });

  const start = group.command('start').description('start a bot that is off').argument('<bot_id>');
  remote(start, environment, async ({ client, showOne }, bot_id: string) => {
    showOne(await client.startBot({ bot_id }), botColumns);
  });

  const stop = group
    .command('stop')
    .description('stop an active bot')
    .argument('<bot_id>')
    .option('--close', 'close its positions too')
    .option('--no-close', 'keep its positions');
  remote(
    stop,
    environment,
    async ({ client, showOne }, bot_id: string, given: { close?: boolean }) => {
      showOne(await client.stopBot({ bot_id, close_on_stop: given.close }), botColumns);
    },
  );

  const account = group
    .command('account')
    .description('what is in its brokerage account')
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
        STOCK: (position) => position.stock_id,
        AMOUNT: (position) => position.amount,
        PRICE: (position) => position.price,
        VALUE: (position) => position.value,
      },
      'No positions.',
    );
  });
}
