export type {
  RefusedRequest,
  ReportBenchmark,
  ReportContent,
  ReportSegment,
  ReportTrade,
} from './content.js';
export { type RecordToReport, type ReportRequest, contentOfRecord } from './from-record.js';
export { type StockNames, segmentsOf, tradesOf } from './recorded.js';
export { reportHtml } from './report-html.js';
