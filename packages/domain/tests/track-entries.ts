import type { RecordedEntry } from '../src/index.js';

type Content = Pick<RecordedEntry, 'kind' | 'body'>;

/** An entry of a track record at that time. */
export const entryAt = (at: number, content: Content): RecordedEntry => ({ at, ...content });

const content = (kind: RecordedEntry['kind'], body: object): Content => ({
  kind,
  body: JSON.stringify(body),
});

interface FillMore {
  readonly price: string;
  readonly bid?: string | null | undefined;
  readonly ask?: string | null | undefined;
  readonly fee?: string;
  readonly rounding?: string;
  readonly value?: string | null;
  readonly stock?: string;
}

/** A fill at a quote without a spread; after it the strategy is worth 1. */
export function fill(action: 'buy' | 'sell', amount: string, more: FillMore): Content {
  const { price, bid, ask } = { bid: more.price, ask: more.price, ...more };
  return content('trade', {
    stock_id: more.stock ?? 'AAA',
    ...{
      action,
      amount,
      price,
      total: String(Number((Number(price) * Number(amount)).toFixed(12))),
    },
    fee_total: more.fee ?? '0',
    rounding: more.rounding ?? '0',
    strategy_value: more.value === undefined ? '1' : more.value,
    ...{ quote_bid: bid, quote_ask: ask },
  });
}

/** The end of a day; with its samples in the present format. */
export const closed = (value: string, samples?: Readonly<Record<string, string>>): Content =>
  content('value', { ...(samples && { format: 2 }), strategy_value: value, ...samples });

/** A corporate action on the holding of AAA. */
export const adjustment = (kind: string, amountAfter: string, cash: string): Content =>
  content('adjustment', { stock_id: 'AAA', kind, amount_after: amountAfter, cash });

/** The opening of a segment. */
export const opened = (): Content => content('segment', { format: 2, state: 'opened' });

/** The start of a segment with its first value. */
export const started = (value: string): Content =>
  content('segment', { format: 2, state: 'started', start_value: value });
