import { type Decimal, decimal } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';

/** A fill, as the service tells it. */
export type Trade = ResponseOf<'getTrades'>[number];

/** What happens to everybody at a moment; at a `sample` the service looks at all values. */
export type Happening = { readonly at: number } & (
  | { readonly kind: 'sample' }
  | { readonly kind: 'quote'; readonly stockId: string; readonly bid: string; readonly ask: string }
  | {
      readonly kind: 'split';
      readonly stockId: string;
      readonly newShares: string;
      readonly oldShares: string;
    }
  | { readonly kind: 'dividend'; readonly stockId: string; readonly amount: string }
  /** What it does to a strategy is one of its trades. */
  | { readonly kind: 'delisting'; readonly stockId: string; readonly price: string }
);

/** A value at a moment, with the sum of |value| of the positions: after a fill, or one that changed. */
export interface OwnSample {
  readonly at: number;
  readonly value: number;
  readonly gross: number;
}

/** What trades and prices make of a new strategy. */
export interface Replayed {
  readonly cash: Decimal;
  /** Signed, by stock. */
  readonly amounts: ReadonlyMap<string, Decimal>;
  readonly value: Decimal;
  readonly samples: readonly OwnSample[];
  /** The trades after which the service told another value. */
  readonly wrong: readonly Trade[];
}

const ZERO = decimal('0');
const [SMALLEST, MINUS_SMALLEST] = [decimal('1e-18'), decimal('-1e-18')];
/** Amounts after a split, and the totals of fills, are rounded at 18 places. */
const ROUNDING = decimal('0.000000000000001');

/** Whether they are one figure, but for the rounding of the figures that it is made of. */
export const isSame = (one: Decimal, other: Decimal): boolean =>
  one.minus(other).abs().lte(ROUNDING);

/** A holding after a split: what is beyond 18 places of it is paid at the price of before. */
export function ownSplit(
  held: Decimal,
  { newShares, oldShares }: Extract<Happening, { kind: 'split' }>,
  price: Decimal,
): {
  readonly after: Decimal;
  readonly paid: Decimal;
  readonly priceOf: (before: Decimal) => Decimal;
} {
  const [more, less] = [decimal(newShares), decimal(oldShares)];
  const whole = held.times(more);
  const near = whole.div(less);
  const isBeyond = near.times(less).abs().gt(whole.abs());
  const after = isBeyond ? near.minus(held.gt(ZERO) ? SMALLEST : MINUS_SMALLEST) : near;
  const paid = whole.minus(after.times(less)).times(price).div(more);
  return { after, paid, priceOf: (before) => before.times(less).div(more) };
}

/** Books the trades at the prices of their moments, from cash 1 (contract 3, "Value"). Both lists are the oldest first. */
export function replay(trades: readonly Trade[], happenings: readonly Happening[]): Replayed {
  const amounts = new Map<string, Decimal>();
  const prices = new Map<string, { readonly bid: Decimal; readonly ask: Decimal }>();
  const samples: OwnSample[] = [];
  const wrong: Trade[] = [];
  let cash = decimal('1');

  const worths = (): Decimal[] =>
    [...amounts].map(([stockId, amount]) => {
      const price = prices.get(stockId);
      return price ? amount.times(amount.gte(ZERO) ? price.bid : price.ask) : ZERO;
    });
  const valueNow = (): Decimal => worths().reduce((sum, worth) => sum.plus(worth), cash);
  const sample = (at: number, isOfFill = false): void => {
    const gross = worths().reduce((sum, worth) => sum.plus(worth.abs()), ZERO);
    const value = Number(valueNow().toFixed());
    if (isOfFill || value !== (samples.at(-1)?.value ?? 1))
      samples.push({ at, value, gross: Number(gross.toFixed()) });
  };
  const book = (trade: Trade): void => {
    const [amount, total] = [decimal(trade.amount), decimal(trade.total)];
    const held = amounts.get(trade.stock_id) ?? ZERO;
    const isBuy = trade.action === 'buy';
    amounts.set(trade.stock_id, isBuy ? held.plus(amount) : held.minus(amount));
    cash = (isBuy ? cash.minus(total) : cash.plus(total))
      .minus(decimal(trade.fee_total))
      .minus(decimal(trade.rounding));
    if (!isSame(valueNow(), decimal(trade.strategy_value ?? '0'))) wrong.push(trade);
    sample(Date.parse(trade.created_at), true);
  };
  const happen = (one: Happening): void => {
    if (one.kind === 'delisting') return;
    if (one.kind === 'sample') sample(one.at);
    else if (one.kind === 'quote')
      prices.set(one.stockId, { bid: decimal(one.bid), ask: decimal(one.ask) });
    else {
      const held = amounts.get(one.stockId) ?? ZERO;
      if (one.kind === 'dividend') cash = cash.plus(held.times(decimal(one.amount)));
      else {
        const { bid = ZERO, ask = ZERO } = prices.get(one.stockId) ?? {};
        const split = ownSplit(held, one, held.gte(ZERO) ? bid : ask);
        amounts.set(one.stockId, split.after);
        cash = cash.plus(split.paid);
        prices.set(one.stockId, { bid: split.priceOf(bid), ask: split.priceOf(ask) });
      }
    }
  };

  let next = 0;
  const bookBefore = (at: number): void => {
    for (
      let trade = trades[next];
      trade && Date.parse(trade.created_at) < at;
      trade = trades[next]
    ) {
      book(trade);
      next += 1;
    }
  };
  for (const one of happenings) {
    bookBefore(one.at);
    happen(one);
  }
  bookBefore(Infinity);
  return { cash, amounts, value: valueNow(), samples, wrong };
}
