export * from './accounts/account-code.js';
export * from './accounts/token-limits.js';
export * from './accounts/token.js';
export * from './accounts/user.js';
export * from './alerts/alert-record.js';
export * from './alerts/plan-alert.js';
export * from './alerts/platform-move.js';
export * from './audit/audit.js';
export * from './billing/billing.js';
export * from './billing/earnings.js';
export * from './billing/invoice.js';
export * from './billing/payment.js';
export * from './billing/refund.js';
export * from './billing/standing.js';
export * from './calendar.js';
export * from './endpoints/delivery.js';
export * from './endpoints/endpoint.js';
export * from './endpoints/happening.js';
export * from './hash-chain.js';
export * from './ids.js';
export * from './market/announced-action.js';
export * from './market/daily-close.js';
export * from './market/market-day.js';
export * from './market/market.js';
export * from './market/source.js';
export * from './market/split-like.js';
export * from './market/split.js';
export * from './market/stock-action.js';
export * from './market/stock.js';
export * from './market/stock-numbers.js';
export * from './messages/mail.js';
export * from './messages/notification.js';
export * from './mirroring/bot-account.js';
export * from './mirroring/bot-rules.js';
export * from './mirroring/bot-transitions.js';
export * from './mirroring/bot.js';
export * from './mirroring/broker-connection.js';
export * from './mirroring/collar.js';
export * from './mirroring/followed-trades.js';
export * from './mirroring/halt.js';
export * from './mirroring/holdings/held-part.js';
export * from './mirroring/holdings/kept.js';
export * from './mirroring/holdings/managed-account.js';
export * from './mirroring/holdings/late-split.js';
export * from './mirroring/holdings/renamed-holding.js';
export * from './mirroring/holdings/reported-split.js';
export { type LegKind, type RebalanceOrder, onlyCloses } from './mirroring/rebalance/order.js';
export * from './mirroring/rebalance/target.js';
export {
  type Bounds,
  type Weights,
  lessWeights,
  plusWeights,
  scaledTo,
  withinBounds,
} from './mirroring/rebalance/weights.js';
export * from './mirroring/rebalance/rebalance.js';
export * from './mirroring/rebalance/whole-plan.js';
export * from './mirroring/restraint.js';
export * from './mirroring/still-open.js';
export * from './mirroring/stock-lists.js';
export * from './mirroring/joining/join.js';
export * from './mirroring/pacing/pace.js';
export * from './mirroring/pacing/paced-target.js';
export * from './mirroring/pacing/rebalance-rule.js';
export * from './mirroring/history/account-history.js';
export * from './mirroring/history/target-mark.js';
export * from './mirroring/history/unheld.js';
export * from './mirroring/limits/account-activity.js';
export * from './mirroring/limits/envelope.js';
export * from './mirroring/limits/expected-equity.js';
export * from './mirroring/limits/given-up.js';
export * from './mirroring/limits/kept-shorts.js';
export * from './mirroring/limits/limited-target.js';
export * from './mirroring/limits/limits.js';
export * from './mirroring/limits/loss-watch.js';
export * from './mirroring/limits/reported-flows.js';
export * from './mirroring/limits/trading-day.js';
export * from './mirroring/limits/watched-account.js';
export * from './mirroring/views/bot-views.js';
export * from './numbers/decimal.js';
export * from './numbers/figures.js';
export * from './numbers/units.js';
export * from './performance/anchors/anchor.js';
export * from './performance/anchors/merkle-tree.js';
export * from './performance/claimed-history.js';
export * from './performance/disclosure.js';
export * from './performance/owner-trades.js';
export * from './performance/ranks.js';
export { Revaluation } from './performance/revaluation/revaluation.js';
export * from './performance/segments.js';
export * from './performance/timeframes.js';
export * from './performance/track-bodies.js';
export * from './performance/track-record.js';
export { namesQuote } from './performance/track-sources.js';
export * from './performance/valuation.js';
export * from './performance/values/equal-times.js';
export * from './performance/values/value-day.js';
export * from './performance/values/value-history.js';
export * from './performance/values/value-window.js';
export * from './plans/prepared-plan.js';
export * from './refusal.js';
export * from './social/post.js';
export {
  type AccountFigures,
  type AccountStatistics,
  accountStatistics,
} from './statistics/account-statistics.js';
export type { Benchmark, BenchmarkFigures } from './statistics/compared.js';
export { besideBenchmark } from './statistics/compared.js';
export {
  type DeflatedSharpe,
  dailySharpe,
  deflatedSharpeOf,
} from './statistics/measures/deflated-sharpe.js';
export type { Drawdown, FallFigures } from './statistics/fall-figures.js';
export { FIGURE_GAPS, type Figure, type FigureGap, figureText } from './statistics/figure.js';
export type { RoundTrip } from './statistics/record/holdings.js';
export type { RecordedFill } from './statistics/record/recorded-bodies.js';
export {
  type RecordFigures,
  type RecordReader,
  type RecordedEntry,
  recordReader,
} from './statistics/record/record-reader.js';
export type {
  AccountStatisticsView,
  BotReportContent,
  RefusedRequest,
  ReportBenchmark,
  ReportClaims,
  ReportBotOrder,
  ReportContent,
  ReportFlow,
  ReportReading,
  ReportSegment,
  ReportTrade,
} from './statistics/report-content.js';
export type { DatedFigure, ReturnFigures } from './statistics/return-figures.js';
export type { RoundTripFigures, RoundTripsBySide } from './statistics/round-trips.js';
export type { StatisticsView, StockRoundTrips } from './statistics/statistics-view.js';
export {
  type MonthlyReturn,
  type SeriesPoint,
  type StatisticsRequest,
  type StrategyStatistics,
  statisticsInSteps,
  strategySeries,
  strategyStatistics,
} from './statistics/strategy-statistics.js';
export type { TrackingFigures } from './statistics/tracking-difference.js';
export * from './strategies/below-zero.js';
export * from './strategies/listing.js';
export * from './strategies/membership.js';
export * from './strategies/strategy.js';
export { type Steps, finish, mapInSteps } from './steps.js';
export * from './time.js';
export * from './trading/book.js';
export * from './trading/buffer.js';
export * from './trading/commands.js';
export * from './trading/dependencies.js';
export * from './trading/execute.js';
export * from './trading/exposure.js';
export * from './trading/fill.js';
export * from './trading/increases.js';
export * from './trading/ledger.js';
export * from './trading/max-order-size.js';
export * from './trading/order.js';
export * from './trading/packed-book.js';
export * from './trading/plan-allocations.js';
export * from './trading/plan.js';
export * from './trading/matching.js';
export * from './trading/trigger-index.js';
export * from './trading/order-types/index.js';
export * from './views.js';
