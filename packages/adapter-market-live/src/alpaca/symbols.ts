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
 * is asked for by itself. Of one symbol alone nothing tells whether it is refused or the request: it counts as refused, and is not named.
 * @throws when several symbols are asked for, none is answered for and not each refused one is named: then it is not for them.
 */
export async function askWithoutRefused<Answer>(
  symbols: readonly string[],
  ask: (symbols: readonly string[]) => Promise<Answered<Answer>>,
  refused: (symbol: string, reason: string, isNamed: boolean) => void,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const pending = [symbols];
  /** Told as soon as another one is answered for: until then it may be the request that is refused. */
  let waiting: (readonly [symbol: string, reason: string])[] = [];
  let inVain = 0;
  const tell = (): void => {
    for (const [symbol, reason] of waiting) refused(symbol, reason, false);
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
      tell();
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
    if (answers.length > 0 || symbols.length === 1) tell();
  }
  const [one] = waiting;
  if (one) throw new Error(`it answered 400 ${one[1]}`.trim());
  return answers;
}

/** Whether Alpaca can be asked for the stock: by its own symbol, at an exchange whose stocks it names by their tickers. */
export const isAlpacaStock = ({
  security,
  exchange,
  symbol,
}: Pick<Stock, 'security' | 'exchange' | 'symbol'>): boolean =>
  security === 'stock' && EXCHANGES.includes(exchange) && SYMBOL.test(symbol);
