import type { Stock } from '@slipstream/domain';

/** What Alpaca's symbols are written of. It refuses a whole request for one that is none, and may not name it as it was asked. */
const SYMBOL = /^[\w./-]+$/;
/** Alpaca names these exchanges' stocks by their tickers. */
const EXCHANGES = ['NYSE', 'NASDAQ', 'CBOE', 'NYSEARCA', 'AMEX', 'BATS'];

/** The place of the stock's exchange among them. */
export const exchangeRank = ({ exchange }: Pick<Stock, 'exchange'>): number =>
  EXCHANGES.indexOf(exchange);

const INVALID_SYMBOL = /invalid symbol:? "?([\w./-]+)/i;

/** An answer for all symbols that were asked for, or why the whole request was refused (400). */
export type Answered<Answer> = { readonly answer: Answer } | { readonly refusal: string };

/**
 * Asks for the symbols, and again without those that Alpaca refuses a whole request for. It names one of them; if it does not, each half
 * is asked for by itself. Of one symbol alone nothing tells whether it is refused or the request, so it counts as refused.
 * @throws when each of several symbols is refused and none is named: then it is not for them.
 */
export async function askWithoutRefused<Answer>(
  symbols: readonly string[],
  ask: (symbols: readonly string[]) => Promise<Answered<Answer>>,
  refused: (symbol: string, reason: string) => void,
): Promise<readonly Answer[]> {
  const answered = await ask(symbols);
  if ('answer' in answered) return [answered.answer];
  const { refusal } = answered;
  const named = INVALID_SYMBOL.exec(refusal)?.[1];
  const [first = '', ...more] = symbols;
  const one = named !== undefined && symbols.includes(named) ? named : undefined;
  if (one !== undefined || more.length === 0) {
    const gone = one ?? first;
    refused(gone, refusal);
    const others = symbols.filter((symbol) => symbol !== gone);
    return others.length === 0 ? [] : askWithoutRefused(others, ask, refused);
  }
  // Told when another one was answered for: until then it may be the request that is refused.
  const waiting: [symbol: string, reason: string][] = [];
  const wait = (symbol: string, reason: string): void => void waiting.push([symbol, reason]);
  const middle = Math.floor(symbols.length / 2);
  const answers = [
    ...(await askWithoutRefused(symbols.slice(0, middle), ask, wait)),
    ...(await askWithoutRefused(symbols.slice(middle), ask, wait)),
  ];
  if (answers.length === 0) throw new Error(`it answered 400 ${refusal}`.trim());
  for (const [symbol, reason] of waiting) refused(symbol, reason);
  return answers;
}

/** Whether Alpaca can be asked for the stock: by its own symbol, at an exchange whose stocks it names by their tickers. */
export const isAlpacaStock = ({
  security,
  exchange,
  symbol,
}: Pick<Stock, 'security' | 'exchange' | 'symbol'>): boolean =>
  security === 'stock' && EXCHANGES.includes(exchange) && SYMBOL.test(symbol);
