import { type Decimal, decimalText } from '../numbers/decimal.js';
import type { StrategyId, Timestamp } from '../ids.js';
import type { Trade } from '../trading/order.js';
import {
  CHAIN_BEGINNING,
  type ChainHead,
  FIRST_HASH,
  type Sha256,
  linkFault,
} from '../hash-chain.js';
import type { Adjustment } from '../market/stock-action.js';

/**
 * An entry of a strategy's track record: a fill, a corporate action on a holding, or a day's last value. Its hash covers the entry
 * before, so nobody can change, remove or insert an entry before a known hash unnoticed.
 */
export interface TrackEntry extends ChainHead {
  readonly strategyId: StrategyId;
  readonly kind: 'trade' | 'value' | 'adjustment';
  readonly at: Timestamp;
  /** The event as the text that was hashed: JSON with decimals as strings. */
  readonly body: string;
  /** Of the entry before; 64 zeros before the first. */
  readonly previousHash: string;
}

/** The text that is hashed: every field but the hash, one line each. */
export const hashedText = (entry: Omit<TrackEntry, 'hash'>): string =>
  [
    'slipstream track record 1',
    entry.previousHash,
    entry.strategyId,
    String(entry.seq),
    entry.kind,
    String(entry.at),
    entry.body,
  ].join('\n');

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

/** The text that records a sampled strategy value. */
export const valueBody = (strategyValue: Decimal): string =>
  JSON.stringify({ strategy_value: decimalText(strategyValue) });

/** The entry that follows `last` (undefined: the first one). */
export function nextEntry(
  last: ChainHead = CHAIN_BEGINNING,
  event: Pick<TrackEntry, 'strategyId' | 'kind' | 'at' | 'body'>,
  sha256: Sha256,
): TrackEntry {
  const { strategyId, kind, at, body } = event;
  const open = { strategyId, seq: last.seq + 1, kind, at, body, previousHash: last.hash };
  return { ...open, hash: sha256(hashedText(open)) };
}

/** The result of a check: the head, or the first entry that breaks the chain and why. */
export type TrackVerdict =
  | { readonly intact: true; readonly entries: number; readonly head: string }
  | { readonly intact: false; readonly seq: number; readonly reason: string };

/** Checks a whole record, oldest first. With an earlier `head`, it also checks that this head is still part of the record. */
export function verifyTrack(
  entries: readonly TrackEntry[],
  sha256: Sha256,
  knownHead?: string,
): TrackVerdict {
  let last = CHAIN_BEGINNING;
  let isKnown = knownHead === undefined || knownHead === FIRST_HASH;
  for (const entry of entries) {
    const broken = (reason: string): TrackVerdict => ({ intact: false, seq: entry.seq, reason });
    if (entry.strategyId !== entries[0]?.strategyId) return broken('it is of another strategy');
    const reason = linkFault(last, { ...entry, text: hashedText(entry) }, sha256);
    if (reason !== undefined) return broken(reason);
    last = entry;
    isKnown ||= entry.hash === knownHead;
  }
  if (!isKnown) {
    return {
      intact: false,
      seq: entries.length,
      reason: 'the hash that was known before is not part of it',
    };
  }
  return { intact: true, entries: entries.length, head: last.hash };
}
