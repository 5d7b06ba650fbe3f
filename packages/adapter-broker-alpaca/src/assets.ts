import {
  type Decimal,
  ONE,
  type Stock,
  type TradingRules,
  ZERO,
  decimal,
} from '@slipstream/domain';
import { type Clock, keptFor } from '@slipstream/ports';
import { type AssetAnswer, assetAnswer } from './answers.js';
import { type AlpacaApi, readAs } from './api.js';
import { CLASS_OF, isSameExchange, venueSymbol } from './identity.js';

const DAY = 86_400_000;
const MINUTE = 60_000;
/** A symbol that the list of the day does not have may be new: it is asked for this often. */
const ASKED_AGAIN = 15 * MINUTE;
const NANO = decimal('0.000000001');
const CENT = decimal('0.01');
const BELOW_A_DOLLAR = decimal('0.0001');
const LEAST_STOCK = ONE;
const LEAST_COIN = decimal('10');
/** Alpaca's documents, "Crypto Spot Trading": no order in coins may be over more. */
const MOST_COIN = decimal('200000');
/** Shorts are compared with the buying power at 3 % above the ask. */
const SHORT_RESERVE = decimal('0.03');

/** What is hard to borrow needs a locate before each short. */
const EASY_TO_BORROW = 'easy_to_borrow';

/** An asset, and how an order names it. */
export interface Listed {
  readonly asset: AssetAnswer;
  /** Its symbol; its id where one symbol means several. */
  readonly orderSymbol: string;
}

/** What the broker trades, and when: asked for once for all accounts. */
export interface AssetList {
  /** The asset that is this stock; undefined when the broker does not trade it. */
  listed(api: AlpacaApi, stock: Stock): Promise<Listed | undefined>;
  /** Has the asset read again before it is next used: the broker just refused an order in it. */
  doubt(assetId: string): void;
  exchangeOf(api: AlpacaApi, assetClass: string, assetId: string): Promise<string | undefined>;
  session(api: AlpacaApi): Promise<TradingRules['session']>;
}

/** The assets of a class by their symbols, and when they were read. */
interface Rows {
  readonly at: number;
  readonly bySymbol: ReadonlyMap<string, readonly unknown[]>;
}

const symbolOf = (row: unknown): string =>
  typeof row === 'object' && row !== null && 'symbol' in row && typeof row.symbol === 'string'
    ? row.symbol
    : readAs(assetAnswer, row).symbol;

export function assetList(clock: Clock): AssetList {
  const daily = keptFor<Rows>(clock, DAY);
  const newSymbols = keptFor<AssetAnswer | undefined>(clock, ASKED_AGAIN);
  const openUntil = keptFor<number>(clock, MINUTE);
  const again = new Map<string, { readonly at: number; readonly asset: AssetAnswer }>();
  const doubted = new Set<string>();

  const rows = (api: AlpacaApi, assetClass: string): Promise<Rows> =>
    daily(assetClass, async () => {
      const at = clock.now();
      const bySymbol = new Map<string, unknown[]>();
      for (const row of await api.assets(assetClass)) {
        const symbol = symbolOf(row);
        const same = bySymbol.get(symbol);
        if (same) same.push(row);
        else bySymbol.set(symbol, [row]);
      }
      again.clear();
      return { at, bySymbol };
    });

  /** The assets of that symbol; of a stock whose symbol changed since the list was read, or whose row cannot be read, the one that has it now. */
  const named = async (
    api: AlpacaApi,
    assetClass: string,
    symbol: string,
  ): Promise<readonly AssetAnswer[]> => {
    const { at, bySymbol } = await rows(api, assetClass);
    const listed = bySymbol.get(symbol) ?? [];
    const isStock = assetClass === CLASS_OF.stock;
    const isReadable = listed.every((row) => assetAnswer.safeParse(row).success);
    if (isReadable || !isStock) {
      const found = listed.map((row) => readAs(assetAnswer, row));
      if (found.length > 0 || !isStock || clock.now() - at < MINUTE) return found;
    }
    const asset = await newSymbols(symbol, () => api.asset(symbol));
    return asset?.symbol === symbol && asset.class === assetClass ? [asset] : [];
  };

  /** One that cannot be traded now may be tradable a minute later. */
  const asNow = async (api: AlpacaApi, row: AssetAnswer): Promise<AssetAnswer> => {
    const latest = again.get(row.id);
    const asset = latest?.asset ?? row;
    const isRecent = latest !== undefined && clock.now() - latest.at < MINUTE;
    if ((asset.tradable && !doubted.has(row.id)) || isRecent) return asset;
    // One that Alpaca no longer lists is as one that it does not let trade.
    const read = (await api.asset(row.id)) ?? { ...row, tradable: false };
    again.set(row.id, { at: clock.now(), asset: read });
    doubted.delete(row.id);
    return read;
  };

  return {
    async listed(api, stock) {
      const symbol = venueSymbol(stock);
      if (symbol === undefined) return undefined;
      const assets = await named(api, CLASS_OF[stock.security], symbol);
      const [first, second] = assets;
      const row = second ? assets.find((one) => isSameExchange(stock, one.exchange)) : first;
      if (!row) return undefined;
      const asset = await asNow(api, row);
      return { asset, orderSymbol: second ? asset.id : asset.symbol };
    },
    doubt: (assetId) => void doubted.add(assetId),
    async exchangeOf(api, assetClass, assetId) {
      for (const row of [...(await rows(api, assetClass)).bySymbol.values()].flat()) {
        const { id, exchange } = row as Partial<AssetAnswer>;
        if (id === assetId) return exchange;
      }
      return undefined;
    },
    // An order of the day that comes after the closing is one of the next day.
    session: async (api) =>
      clock.now() < (await openUntil('us', () => api.openUntil())) ? 'open' : 'closed',
  };
}

/** A step of zero is none: nothing is a multiple of it. */
const stepOf = (told: AssetAnswer['price_increment'], usual: Decimal): Decimal =>
  told?.gt(ZERO) === true ? told : usual;

/** How the asset may be traded, its session apart. */
export function rulesOf(asset: AssetAnswer, shorting: boolean): Omit<TradingRules, 'session'> {
  if (asset.class === 'crypto') {
    const amountStep = stepOf(asset.min_trade_increment, NANO);
    return {
      minTotal: LEAST_COIN,
      maxTotal: MOST_COIN,
      minAmount: asset.min_order_size ?? ZERO,
      amountStep,
      shortStep: amountStep,
      priceStep: stepOf(asset.price_increment, CENT),
      checkReserve: ZERO,
      allowsShort: false,
      crossesZero: false,
    };
  }
  const allowsShort = shorting && asset.shortable && asset.borrow_status === EASY_TO_BORROW;
  return {
    minTotal: LEAST_STOCK,
    minAmount: ZERO,
    amountStep: asset.fractionable ? NANO : ONE,
    shortStep: ONE,
    priceStep: CENT,
    priceStepBelowOne: BELOW_A_DOLLAR,
    checkReserve: allowsShort ? SHORT_RESERVE : ZERO,
    allowsShort,
    crossesZero: false,
  };
}
