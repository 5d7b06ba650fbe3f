import { instruments } from '@slipstream/adapter-market';
import { type Decimal, type Security, type Stock, Refusal, decimal, id } from '@slipstream/domain';

/** The costs of trading that the user states; the instrument's own where they are undefined. */
export interface Costs {
  readonly fee: Decimal | undefined;
  readonly slippage: Decimal | undefined;
}

/** An instrument that only the data knows. */
const unknownStock = (symbol: string, security: Security): Stock => ({
  id: id(`${symbol}.replay`.toLowerCase()),
  figiComposite: null,
  symbol,
  stock: security === 'cryptocurrency' ? symbol.replace(/USD$/, '') : symbol,
  name: symbol,
  sector: '',
  security,
  exchange: 'REPLAY',
  peg: 'USD',
  provider: 'replay',
  slippage: decimal(security === 'cryptocurrency' ? '0.001' : '0.0005'),
  fee: decimal(security === 'cryptocurrency' ? '0.0025' : '0'),
  links: {},
  status: 'active',
});

/** The instruments of the type, by symbol. */
export class Instruments {
  private readonly known: ReadonlyMap<string, Stock>;
  private readonly byId: ReadonlyMap<string, string>;

  constructor(private readonly type: Security) {
    const all = instruments().filter(({ security }) => security === type);
    this.known = new Map(all.map((stock) => [stock.symbol.toUpperCase(), stock]));
    this.byId = new Map(all.map((stock) => [stock.id.toUpperCase(), stock.symbol.toUpperCase()]));
  }

  /** The symbol that a name means, of an order or of the data: `AAPL`, `AAPL:NASDAQ` or a stock_id; of a coin also `BTC/USD` or `BTC`. */
  symbolOf(name: string): string {
    const text = name.trim().toUpperCase();
    const plain = this.byId.get(text) ?? text.replace(/:.*$/, '').replace(/\.REPLAY$/, '');
    const symbol = this.type === 'cryptocurrency' ? plain.replace(/[/-]/, '') : plain;
    return this.type === 'cryptocurrency' &&
      !this.known.has(symbol) &&
      this.known.has(`${symbol}USD`)
      ? `${symbol}USD`
      : symbol;
  }

  stockOf(symbol: string, { fee, slippage }: Costs): Stock {
    const stock = this.known.get(symbol) ?? unknownStock(symbol, this.type);
    return { ...stock, ...(fee && { fee }), ...(slippage && { slippage }) };
  }
}

/** The stocks of the data, by the place of their symbol. */
export interface Traded {
  readonly stocks: readonly Stock[];
  /** By any of its names; undefined for one that the data has not. */
  find(name: string): Stock | undefined;
  /** The same; refuses one that the data has not. */
  resolve(name: string, place: string): Stock;
}

export function tradedOf(all: Instruments, symbols: readonly string[], costs: Costs): Traded {
  const stocks = symbols.map((symbol) => all.stockOf(symbol, costs));
  const bySymbol = new Map(stocks.map((stock, index) => [symbols[index] as string, stock]));
  const find = (name: string): Stock | undefined => bySymbol.get(all.symbolOf(name));
  return {
    stocks,
    find,
    resolve(name, place) {
      const found = find(name);
      if (!found) throw new Refusal('invalid_field', `${place}: the data has no bars of ${name}`);
      return found;
    },
  };
}
