import { type ReportContent, equityCsv, reportHtml, tradesCsv } from '@slipstream/report';
import { presentStatistics } from '@slipstream/wire';

/** The page of a report. */
export const PAGE = 'report.html';

/** The files of a report by their names. */
export const reportFiles = (content: ReportContent): Readonly<Record<string, string>> => ({
  [PAGE]: reportHtml(content),
  'statistics.json': `${JSON.stringify(presentStatistics(content.statistics), null, 2)}\n`,
  'trades.csv': tradesCsv(content),
  'equity.csv': equityCsv(content),
});
