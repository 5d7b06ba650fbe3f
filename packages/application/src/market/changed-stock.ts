import {
  type Decimal,
  Refusal,
  type Security,
  type Stock,
  type StockStatus,
  ZERO,
  decimal,
  requireWithin,
} from '@slipstream/domain';
import type { Core } from '../core.js';

/** The operator's data of an instrument. An omitted field keeps its value, or gets the default of its kind. */
export interface StockChange {
  readonly stockId?: string | undefined;
  readonly figiComposite?: string | null | undefined;
  readonly symbol?: string | undefined;
  readonly stock?: string | undefined;
  readonly name?: string | undefined;
  readonly sector?: string | undefined;
  readonly security?: Security | undefined;
  readonly exchange?: string | undefined;
  readonly peg?: string | undefined;
  readonly provider?: string | undefined;
  readonly slippage?: Decimal | undefined;
  readonly fee?: Decimal | undefined;
  readonly links?: Readonly<Record<string, string>> | undefined;
  readonly stockStatus?: StockStatus | undefined;
  /** With `delisted`: the final price of a share, at which positions are closed. */
  readonly settlePrice?: Decimal | undefined;
}

/** Contract 2, "Stock". */
const DEFAULTS: Readonly<Record<Security, { readonly fee: Decimal; readonly slippage: Decimal }>> =
  {
    stock: { fee: decimal('0'), slippage: decimal('0.0005') },
    cryptocurrency: { fee: decimal('0.0025'), slippage: decimal('0.001') },
  };

/** The stock that a change names, as it is stored; undefined when it is new. */
function namedBy(
  { live }: Pick<Core, 'live'>,
  { stockId, symbol, exchange }: StockChange,
): Stock | undefined {
  if (stockId !== undefined) return live.stocks.asSaved(live.stocks.resolve(stockId));
  if (symbol === undefined || exchange === undefined) return undefined;
  const named = live.stocks.lookUp(`${symbol}:${exchange}`);
  return named && live.stocks.asSaved(named);
}

type Fields = Partial<Omit<Stock, 'id' | 'status'>>;

/** The fields of the stock that a change gives. */
function fieldsOf({
  stockId: _,
  stockStatus: __,
  settlePrice: ___,
  ...fields
}: StockChange): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function newStock({ ids }: Pick<Core, 'ids'>, fields: Fields, status: StockStatus): Stock {
  const { symbol, exchange, security, name } = fields;
  if (
    symbol === undefined ||
    exchange === undefined ||
    security === undefined ||
    name === undefined
  ) {
    throw new Refusal('invalid_field', 'a new stock needs symbol, exchange, security and name');
  }
  return {
    figiComposite: null,
    stock: symbol,
    sector: '',
    peg: 'USD',
    provider: 'operator',
    ...DEFAULTS[security],
    links: {},
    ...fields,
    symbol,
    exchange,
    security,
    name,
    id: ids.next(),
    status,
  };
}

/** The most of a fee or a slippage (contract 2). */
const MOST_COSTS = decimal('0.1');

function requireFigures({ fee = ZERO, slippage = ZERO, settlePrice = ZERO }: StockChange): void {
  requireWithin('fee', fee, ZERO, MOST_COSTS);
  requireWithin('slippage', slippage, ZERO, MOST_COSTS);
  if (settlePrice.lt(ZERO)) throw new Refusal('invalid_field', 'settle_price must not be negative');
}

/** The stock after the change. Refuses `invalid_field`. */
export function changedStock(core: Core, change: StockChange): Stock {
  requireFigures(change);
  const before = namedBy(core, change);
  if (before && change.security !== undefined && change.security !== before.security) {
    throw new Refusal(
      'invalid_field',
      `${before.symbol} is a ${before.security}: security cannot change`,
    );
  }
  const status = change.stockStatus ?? before?.status ?? 'active';
  if (change.settlePrice && status !== 'delisted') {
    throw new Refusal('invalid_field', 'settle_price comes with stock_status delisted');
  }
  const fields = fieldsOf(change);
  if (!before) return newStock(core, fields, status);
  if (change.stockId !== undefined) return { ...before, ...fields, status };
  // Symbol and exchange only name the stock here, in any letter case; they change nothing.
  const { symbol, exchange } = before;
  return { ...before, ...fields, symbol, exchange, status };
}
