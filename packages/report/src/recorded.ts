import {
  type Basis,
  FILL_MARKETS,
  type RecordedEntry,
  type RecordedFill,
  type ReportSegment,
  type ReportTrade,
  ONE,
  SEGMENT_KINDS,
  type SegmentReason,
  type StockId,
  type Timestamp,
  ZERO,
  basisOfKind,
  decimal,
  decimalText,
  divide,
  segmentKind,
} from '@slipstream/domain';

/** How a stock is called for people. */
export type StockNames = (stockId: StockId) => string;

type Body = Readonly<Record<string, unknown>>;

const bodyOf = ({ body }: RecordedEntry): Body => JSON.parse(body) as Body;
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The fills of a record, oldest first, with the exact figures of their entries. */
export const tradesOf = (
  entries: readonly RecordedEntry[],
  nameOf: StockNames,
): readonly ReportTrade[] =>
  entries
    .filter(({ kind }) => kind === 'trade')
    .map(({ at, body }) => {
      const fill = JSON.parse(body) as RecordedFill;
      return {
        at,
        stock: nameOf(fill.stock_id),
        ...{ action: fill.action, amount: fill.amount, price: fill.price, total: fill.total },
        fee: fill.fee_total,
        strategyValue: fill.strategy_value,
      };
    });

/** The kind of the prices by the market that the fill names; fills from before they named one are of an unknown market. */
const basisOfFill = (body: Body): Basis =>
  basisOfKind(segmentKind(FILL_MARKETS.find((market) => market === body['market']) ?? 'unknown'));

const basisOfSegment = (body: Body): Basis =>
  basisOfKind(SEGMENT_KINDS.find((kind) => kind === body['kind']) ?? 'unknown');

const growth = (start: string, end: string | null): string | null =>
  end === null || decimal(start).lte(ZERO)
    ? null
    : decimalText(divide(decimal(end), decimal(start)).minus(ONE));

/**
 * The segments that the entries themselves prove, oldest first (contract 8). `startedAt` is when the strategy was created; without
 * it the first segment starts with the first entry. `maxDrawdown` is the one of the segment that goes on. The basis of a segment without a fill or a start is `simulated`: no better one
 * is proven.
 */
export function segmentsOf(
  entries: readonly RecordedEntry[],
  startedAt: Timestamp | undefined,
  maxDrawdown: string | null,
): readonly ReportSegment[] {
  const done: ReportSegment[] = [];
  let [from, start, basis]: [Timestamp | undefined, string, Basis] = [startedAt, '1', 'simulated'];
  let [reason, last]: [SegmentReason, string | null] = ['created', null];
  let lastAt = -Infinity;
  for (const entry of entries) {
    const { kind, at } = entry;
    const body = bodyOf(entry);
    if (kind === 'segment' && body['state'] === 'opened') {
      const end = textOf(body['end_value']);
      const fall = textOf(body['max_drawdown']);
      const to = typeof body['ended_at'] === 'number' ? body['ended_at'] : at;
      if (from !== undefined)
        done.push({ from, to, basis, reason, return: growth(start, end), maxDrawdown: fall });
      from = undefined;
      reason = body['reason'] === 'gap' ? 'gap' : 'market';
    } else if (kind === 'segment') {
      [from, start, last] = [at, textOf(body['start_value']) ?? '1', null];
      lastAt = at;
      basis = basisOfSegment(body);
    } else {
      if (done.length === 0) from ??= at;
      if (kind === 'trade' && done.length === 0) basis = basisOfFill(body);
      const value = textOf(body['strategy_value']);
      // A day's entry may follow the fills of the next day.
      if (value !== null && at >= lastAt) [last, lastAt] = [value, at];
    }
  }
  if (from !== undefined)
    done.push({ from, to: null, basis, reason, return: growth(start, last), maxDrawdown });
  return done;
}
