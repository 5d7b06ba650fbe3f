import {
  type HistoryPoint,
  type ShownEntry,
  type StrategyId,
  type StrategyValueView,
  type TimeframeFigures,
  decimalText,
} from '@slipstream/domain';
import type { z } from 'zod';
import {
  type timeframeResource,
  type strategyValueResource,
  historyPointResource,
  type trackRecordResource,
} from './resources.js';
import { presentRecordProof } from './anchors.js';
import { recordsTable } from '../fields/csv.js';
import { orNull, recordedTimeText, timeOrNull, timeText } from '../fields/output.js';

/** The ranks and figures of one timeframe; what is unknown is null. */
export const presentTimeframe = (figures: TimeframeFigures): z.infer<typeof timeframeResource> => ({
  timeframe: figures.timeframe,
  rank_performance: orNull(figures.rankPerformance),
  rank_popular: orNull(figures.rankPopular),
  rank_trending: orNull(figures.rankTrending),
  rank_top: orNull(figures.rankTop),
  max_drawdown: decimalText(figures.maxDrawdown),
  past_value: decimalText(figures.pastValue),
  return: orNull(figures.return),
});

/** A record of getStrategyValues; the value stream's data. */
export const presentStrategyValue = (
  view: StrategyValueView,
): z.infer<typeof strategyValueResource> => ({
  strategy_id: view.strategyId,
  strategy_value: orNull(view.strategyValue),
  closing_only: view.state.closingOnly,
  ended_at: timeOrNull(view.state.endedAt),
});

/** One point of a value history; values are normalized. */
export const presentHistoryPoint = (point: HistoryPoint): z.infer<typeof historyPointResource> => ({
  at: timeText(point.at),
  strategy_value: decimalText(point.value),
  high: decimalText(point.high),
  low: decimalText(point.low),
  ...(point.claimed && { basis: 'claimed' }),
  ...(point.benchmark !== undefined && { benchmark: point.benchmark }),
});

/** The same as a table; an imported history says so in each row, and a benchmark has its column. */
export const historyTable = (points: readonly HistoryPoint[]): string => {
  const hasBenchmark = points[0]?.benchmark !== undefined;
  return recordsTable(
    historyPointResource.omit({
      ...(!points[0]?.claimed && { basis: true }),
      ...(!hasBenchmark && { benchmark: true }),
    }),
    points.map(presentHistoryPoint),
  );
};

/** The entries with their hashes, so that a reader can check the chain. */
export const presentTrackRecord = (record: {
  readonly strategyId: StrategyId;
  readonly entries: readonly ShownEntry[];
  readonly proof?: Parameters<typeof presentRecordProof>[0];
}): z.infer<typeof trackRecordResource> => ({
  strategy_id: record.strategyId,
  entries: record.entries.map(({ seq, kind, at, body, previousHash, hash }) => ({
    seq,
    kind,
    at: recordedTimeText(at),
    body,
    previous_hash: previousHash,
    hash,
  })),
  ...(record.proof && { proof: presentRecordProof(record.proof) }),
});
