import type { BotReportContent, ReportContent, Steps } from '@slipstream/domain';

/** Draws reports for people as one HTML file that loads nothing. The same content gives the same text. */
export interface ReportPages {
  /** In steps of some milliseconds. */
  ofStrategy(content: ReportContent): Steps<string>;
  /** The same of a bot. */
  ofBot(content: BotReportContent): Steps<string>;
}
