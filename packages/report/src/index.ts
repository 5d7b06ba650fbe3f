export { type RecordToReport, type ReportRequest, contentOfRecord } from './from-record.js';
export { type StockNames, segmentsOf, tradesOf } from './recorded.js';
export { reportHtml, reportPages } from './report-html.js';
