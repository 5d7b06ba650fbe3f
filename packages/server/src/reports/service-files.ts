import { csvText } from '@slipstream/wire';
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
  request: Request<'getReport'>,
): Promise<Readonly<Record<string, string>>> {
  const statistics = await client.getStrategyStatistics(request);
  const table = await client.getStrategyStatistics({ ...request, format: 'csv' });
  return {
    [PAGE]: await client.getReport(request),
    'statistics.json': `${JSON.stringify(statistics, null, 2)}\n`,
    'equity.csv': equityOf(table),
  };
}
