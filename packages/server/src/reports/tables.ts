import type { ReportContent, TrackEntry, TradeView } from '@slipstream/domain';
import { type Cell, csvText, presentTrade, tradeResource } from '@slipstream/wire';

/** A fill with the fields of getTrades; what its record does not say is absent. */
type Fill = Partial<Readonly<Record<keyof typeof tradeResource.shape, Cell>>>;

const FIELDS = tradeResource.keyof().options;

/** The columns of `trades.csv`: the fields of getTrades. */
export const TRADE_COLUMNS: readonly string[] = FIELDS;

const cellsOf = (fill: Fill): readonly Cell[] => FIELDS.map((name) => fill[name] ?? null);

/** A fill as a line of `trades.csv`. */
export const tradeLine = (view: TradeView): string => csvText([cellsOf(presentTrade(view))]);

const isoTime = (at: number): string => new Date(at).toISOString();

const fillOf = ({ strategyId, at, body }: TrackEntry): Fill & { readonly stock_id: string } => {
  const { quote_at, ...fill } = JSON.parse(body) as Fill & { readonly stock_id: string };
  return {
    ...fill,
    ...{ strategy_id: strategyId, created_at: isoTime(at) },
    market: fill.market ?? 'unknown',
    quote_at: typeof quote_at === 'number' ? isoTime(quote_at) : null,
  };
};

/** The fills of a record, oldest first, with the exact figures of their entries. */
export const tradesCsv = (
  entries: readonly TrackEntry[],
  symbolOf: (stockId: string) => string,
): string =>
  csvText([
    TRADE_COLUMNS,
    ...entries
      .filter(({ kind }) => kind === 'trade')
      .map(fillOf)
      .map((fill) => cellsOf({ ...fill, symbol: symbolOf(fill.stock_id) })),
  ]);

/** The daily values as `at,value`, oldest first: the series that the statistics are of. */
export const equityCsv = ({ series }: Pick<ReportContent, 'series'>): string =>
  csvText([['at', 'value'], ...series.map(({ date, value }) => [date, value])]);
