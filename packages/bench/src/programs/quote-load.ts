import { answerQuestions } from '../program.js';
import { OPERATOR_TOKEN } from '../requests.js';
import { randomPrice } from '../many-strategies.js';
import { below, seeded } from '../seeded.js';

/** Posts quotes to newQuotes in batches, at a steady rate. */
export interface QuoteLoad {
  readonly port: number;
  readonly stockIds: readonly string[];
  readonly quotesPerSecond: number;
}

const BATCHES = 20;
const random = seeded(9);
let beating: NodeJS.Timeout | undefined;
let accepted = 0;

async function post({ port, stockIds, quotesPerSecond }: QuoteLoad): Promise<void> {
  const quotes = Array.from({ length: quotesPerSecond / BATCHES }, () => {
    const price = randomPrice(random);
    return {
      stock_id: stockIds[below(random, stockIds.length)],
      bid: price,
      ask: price,
      last: price,
    };
  });
  const answer = await fetch(`http://127.0.0.1:${port}/newQuotes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: OPERATOR_TOKEN },
    body: JSON.stringify({ quotes }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  accepted += quotes.length;
}

answerQuestions({
  async start(load: QuoteLoad) {
    await post(load);
    accepted = 0;
    beating = setInterval(() => void post(load).catch(() => undefined), 1000 / BATCHES);
  },
  /** The number of accepted quotes. */
  stop() {
    clearInterval(beating);
    return accepted;
  },
});
