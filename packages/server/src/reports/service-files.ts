import {
  type ResponseOf,
  botHistoryRowResource,
  botOrderResource,
  csvText,
  recordsTable,
} from '@slipstream/wire';
import type { Client, Request } from '@slipstream/client';
import { parse } from 'csv-parse/sync';
import { PAGE } from './report-files.js';

/** The daily values in a table of getStrategyStatistics. */
const equityOf = (table: string): string =>
  csvText([
    ['at', 'value'],
    ...parse<Record<string, string>>(table, { columns: true })
      .filter(({ kind }) => kind === 'day')
      .map(({ date = '', value = '' }) => [date, value]),
  ]);

/** The files of a strategy's report as the service answers it: for readers who may not see the record, without its trades. */
export async function filesOfService(
  client: Pick<Client, 'getReport' | 'getStrategyStatistics'>,
  request: Request<'getStrategyStatistics'> & { readonly format?: never },
): Promise<Readonly<Record<string, string>>> {
  const statistics = await client.getStrategyStatistics(request);
  const table = await client.getStrategyStatistics({ ...request, format: 'csv' });
  return {
    [PAGE]: await client.getReport(request),
    'statistics.json': `${JSON.stringify(statistics, null, 2)}\n`,
    'equity.csv': equityOf(table),
  };
}

/** The most orders in an answer. */
const PAGE_OF_ORDERS = 100;
/** The longest history that the service answers. */
const LONGEST = 'five_year';

/** All orders of the bot, oldest first. */
async function ordersOf(
  client: Pick<Client, 'getBotOrders'>,
  bot_id: string,
): Promise<ResponseOf<'getBotOrders'>> {
  const orders: ResponseOf<'getBotOrders'> = [];
  for (let cursor: string | undefined; ; cursor = orders.at(-1)?.bot_order_id) {
    const page = await client.getBotOrders({
      bot_id,
      limit: String(PAGE_OF_ORDERS),
      ...(cursor !== undefined && { cursor }),
    });
    orders.push(...page);
    if (page.length < PAGE_OF_ORDERS) return orders.reverse();
  }
}

/** The files of the report of the caller's own bot: what the service answers. */
export async function filesOfBot(
  client: Pick<Client, 'getReport' | 'getBotStatistics' | 'getBotOrders' | 'getBotHistory'>,
  request: Request<'getBotStatistics'>,
): Promise<Readonly<Record<string, string>>> {
  const { bot_id } = request;
  const statistics = await client.getBotStatistics(request);
  const orders = await ordersOf(client, bot_id);
  const history = await client.getBotHistory({ bot_id, timeframe: LONGEST });
  return {
    [PAGE]: await client.getReport(request),
    'statistics.json': `${JSON.stringify(statistics, null, 2)}\n`,
    'orders.csv': recordsTable(botOrderResource, orders),
    'equity.csv': recordsTable(botHistoryRowResource, history),
  };
}
