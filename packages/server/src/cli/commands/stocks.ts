import type { Command } from 'commander';
import { type Environment, remote } from '../remote.js';

export function stocks(program: Command, environment: Environment): void {
  const find = program
    .command('stocks')
    .description('find instruments by symbol or name')
    .argument('<query>')
    .option('--limit <count>', 'the number of instruments, 1 to 100', '20');
  remote(
    find,
    environment,
    async ({ client, showAll }, query: string, { limit }: { limit: string }) => {
      showAll(
        await client.findStocks({ query, limit }),
        {
          STOCK: (stock) => `${stock.symbol}:${stock.exchange}`,
          NAME: (stock) => stock.name,
          BID: (stock) => stock.bid,
          ASK: (stock) => stock.ask,
          STATUS: (stock) => stock.stock_status,
        },
        'No such instrument.',
      );
    },
  );
}
