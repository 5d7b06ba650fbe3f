import type { Adjustment } from '../market/stock-action.js';
import { type Decimal, decimalText } from '../numbers/decimal.js';
import type { Trade } from '../trading/order.js';
import { type ValueDay, heldFraction } from './values/value-day.js';
import type { SegmentOpening, Segmented } from './segments.js';

/** The kinds of entries: a fill, a day's last value, a corporate action on a holding, the opening or start of a segment. */
export const TRACK_ENTRY_KINDS = ['trade', 'value', 'adjustment', 'segment'] as const;
export type TrackEntryKind = (typeof TRACK_ENTRY_KINDS)[number];

/**
 * The format of the bodies that name their source. Bodies without a format are older: their fills are of an `unknown` market.
 * The hashed text is the same for both.
 */
export const SOURCED_FORMAT = 2;

/** The record of a fill: every figure that the ledger's sum needs, and the quote that it filled at. */
export const tradeBody = (trade: Trade): string =>
  JSON.stringify({
    format: SOURCED_FORMAT,
    trade_id: trade.id,
    order_id: trade.orderId,
    stock_id: trade.stockId,
    action: trade.action,
    price: decimalText(trade.price),
    amount: decimalText(trade.amount),
    total: decimalText(trade.total),
    fee_total: decimalText(trade.feeTotal),
    rounding: decimalText(trade.rounding),
    strategy_value: trade.strategyValue && decimalText(trade.strategyValue),
    market: trade.market,
    provider: trade.provider,
    quote_bid: trade.quoteBid && decimalText(trade.quoteBid),
    quote_ask: trade.quoteAsk && decimalText(trade.quoteAsk),
    quote_at: trade.quoteAt,
  });

/** The record of a split or dividend: its effect on the holding and on cash. */
export const adjustmentBody = (adjustment: Adjustment): string =>
  JSON.stringify({
    stock_id: adjustment.stockId,
    kind: adjustment.kind,
    figure: decimalText(adjustment.figure),
    amount_before: decimalText(adjustment.amountBefore),
    amount_after: decimalText(adjustment.amountAfter),
    cash: decimalText(adjustment.cash),
  });

/** The record of a day: its last value, normalized, its extremes, its own drawdown and its exposure (contract 9). */
export const dayBody = (day: ValueDay): string =>
  JSON.stringify({
    format: SOURCED_FORMAT,
    strategy_value: decimalText(day.last),
    high: decimalText(day.high),
    low: decimalText(day.low),
    drawdown: decimalText(day.drawdown),
    gross: decimalText(day.gross),
    held: decimalText(heldFraction(day)),
  });

/** The record of a day whose samples were not measured: its last value only. */
export const valueBody = (strategyValue: Decimal): string =>
  JSON.stringify({ strategy_value: decimalText(strategyValue) });

/** The record of a kind of market that begins, or of a long stop of the server: the segment before ends. */
export const openedBody = ({ segments }: Segmented, { kind, reason }: SegmentOpening): string => {
  const end = segments.at(-1)?.end;
  return JSON.stringify({
    format: SOURCED_FORMAT,
    segment: segments.length + 1,
    state: 'opened',
    kind,
    reason,
    end_value: end ? decimalText(end.value) : null,
    // Nothing else in the record proves them: the last day of a segment may have no entry.
    max_drawdown: end ? decimalText(end.maxDrawdown) : null,
    ended_at: end ? end.at : null,
  });
};

/** The record of the first value of a segment. The jump before it belongs to no segment. */
export const startedBody = ({ segments }: Segmented): string => {
  const started = segments.at(-1) ?? segments[0];
  return JSON.stringify({
    format: SOURCED_FORMAT,
    segment: segments.length,
    state: 'started',
    kind: started.kind,
    start_value: decimalText(started.startValue),
    jump: started.jump && decimalText(started.jump),
  });
};
