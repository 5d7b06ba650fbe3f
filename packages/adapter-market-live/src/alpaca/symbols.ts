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

/** So many requests that nobody answers are for halves of the halves: a few refused symbols leave one of them free, also neighbours. */
const WIDE = 7;
/** After so many without an answer the request is refused, and not its symbols. */
const MOST_IN_VAIN = 16;

/**
 * Asks for the symbols, and again without those that Alpaca refuses a whole request for. It names one of them; if it does not, each half
 * is asked for by itself. Once another one is answered for, one that is refused alone is refused for sure. Where none is, nothing tells
 * whether these are refused or the request.
 * @throws after so many refusals of parts that it is not for them.
 */
export async function askWithoutRefused<Answer>(
  symbols: readonly string[],
  ask: (symbols: readonly string[]) => Promise<Answered<Answer>>,
  refused: (symbol: string, reason: string, isSure: boolean) => void,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const pending = [symbols];
  let waiting: (readonly [symbol: string, reason: string])[] = [];
  let inVain = 0;
  const tell = (isSure: boolean): void => {
    for (const [symbol, reason] of waiting) refused(symbol, reason, isSure);
    waiting = [];
  };
  for (;;) {
    // The largest part while nothing is answered for, then the smallest.
    const isWide = answers.length === 0 && inVain < WIDE;
    const some = isWide ? pending.shift() : pending.pop();
    if (!some) break;
    const answered = await ask(some);
    if ('answer' in answered) {
      answers.push(answered.answer);
      tell(true);
      continue;
    }
    const { refusal } = answered;
    const named = INVALID_SYMBOL.exec(refusal)?.[1];
    if (named !== undefined && some.includes(named)) {
      refused(named, refusal, true);
      const others = some.filter((symbol) => symbol !== named);
      if (others.length > 0) pending.push(others);
      continue;
    }
    if (answers.length === 0) inVain += 1;
    if (inVain === MOST_IN_VAIN) throw new Error(`it answered 400 ${refusal}`.trim());
    const middle = Math.ceil(some.length / 2);
    if (some.length > 1) pending.push(some.slice(0, middle), some.slice(middle));
    else waiting.push([some[0] as string, refusal]);
    if (answers.length > 0) tell(true);
  }
  tell(false);
  return answers;
}

/** Whether Alpaca can be asked for the stock: by its own symbol, at an exchange whose stocks it names by their tickers. */
export const isAlpacaStock = ({
  security,
  exchange,
  symbol,
}: Pick<Stock, 'security' | 'exchange' | 'symbol'>): boolean =>
  security === 'stock' && EXCHANGES.includes(exchange) && SYMBOL.test(symbol);
