import type { ReportContent, TrackEntry } from '@slipstream/domain';
import { reportHtml } from '@slipstream/report';
import { presentStatistics } from '@slipstream/wire';
import { equityCsv, tradesCsv } from './tables.js';

/** The page of a report. */
export const PAGE = 'report.html';

/** The files of a record's report by their names. */
export const reportFiles = (
  content: ReportContent,
  entries: readonly TrackEntry[],
  symbolOf: (stockId: string) => string,
): Readonly<Record<string, string>> => ({
  [PAGE]: reportHtml(content),
  'statistics.json': `${JSON.stringify(presentStatistics(content.statistics), null, 2)}\n`,
  'trades.csv': tradesCsv(entries, symbolOf),
  'equity.csv': equityCsv(content),
});
