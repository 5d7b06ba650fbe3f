import type { Command } from 'commander';
import { printError } from '../output.js';
import { type Environment, PAGE, remote } from '../remote.js';

export function stocks(program: Command, environment: Environment): void {
  const find = program
    .command('stocks')
    .description('find instruments by symbol or name')
    .argument('<query>')
    .option('--limit <count>', 'the number of instruments, 1 to 100', '20');
  remote(
    find,
    environment,
    async ({ client, showAll, json }, query: string, { limit }: { limit: string }) => {
      const found = await client.findStocks({ query, limit });
      showAll(
        found,
        {
          STOCK: (stock) => `${stock.symbol}:${stock.exchange}`,
          NAME: (stock) => stock.name,
          BID: (stock) => stock.bid,
          ASK: (stock) => stock.ask,
          STATUS: (stock) => stock.stock_status,
        },
        'No such instrument.',
      );
      if (json || found.length < Number(limit)) return;
      const more = Number(limit) < PAGE ? `, or add --limit ${PAGE}` : '';
      printError(`The first ${limit} are shown. Search for more of the name${more}.`);
    },
  );
}
