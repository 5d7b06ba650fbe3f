import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type Book,
  type BookChange,
  type Market,
  type Pricing,
  decimal,
  decimalText,
  id,
  newBook,
  matchOrders,
  submit,
} from '../src/index.js';
import {
  type Prices,
  aMarket,
  aRequest,
  counting,
  limit,
  oco,
  stopLimit,
  stopMarket,
} from './builders.js';

/** Facts from the public test suites of other engines: an order, its events and its outcome. */
interface Case {
  readonly id: string;
  readonly engine: string;
  readonly test: string;
  readonly order: {
    readonly type: string;
    readonly side: 'buy' | 'sell';
    readonly qty: number;
    readonly stop_price: number | null;
    readonly limit_price: number | null;
  };
  readonly steps: readonly Step[];
}
interface Step {
  readonly data: {
    readonly event: string;
    readonly [field: string]: unknown;
  };
  readonly expect: {
    readonly status?: string;
    readonly limit_leg?: string;
    readonly fill_price?: number;
    readonly fill_qty?: number;
  };
}

const file = new URL('../../../../shared/cases/order_fills.json', import.meta.url);
const cases = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases
  : [];

/** Quantities are scaled down, so that none comes near the exposure limit. */
const SCALE = decimal('0.000000001');
/** A quote is fresh for this long (contract 3). */
const FRESH = 60_000;

/** `open`, `triggered` or `filled <price>`. */
type Outcome = string;

/** Differences that the contract requires: why, and our outcome after each step. */
// oxfmt-ignore
const DECIDED_OTHERWISE: Readonly<Record<string, { readonly why: string; readonly ours: readonly Outcome[] }>> = {
  F006: { why: 'a limit order that rests fills at its own price, not at a better open', ours: ['open', 'filled 290.5'] },
  F011: { why: 'a limit order that rests fills at its own price, not at a better open', ours: ['open', 'filled 291.5'] },
  F013: { why: 'a stop fills at the first quote at or through it, here the high; nobody quoted the stop itself', ours: ['open', 'filled 102.5'] },
  F015: { why: 'on arrival an order meets the latest fresh quote, which is past the stop already', ours: ['filled 291', 'filled 291'] },
  F019: { why: 'a stop fills at the first quote at or through it, here the high; nobody quoted the stop itself', ours: ['open', 'filled 292'] },
  F023: { why: 'after its trigger the limit rests and fills at its own price, not at a better one', ours: ['open', 'triggered', 'filled 101.75'] },
  F031: { why: 'a market order fills at the first fresh quote, not at the close of a bar', ours: ['open', 'filled 102'] },
  F038: { why: 'a market order fills at the first quote of the session (ask), there is no opening auction', ours: ['open', 'open', 'filled 1.46', 'filled 1.46'] },
  F063: { why: 'a stop-market order fires and fills on the same quote', ours: ['open', 'filled 5070'] },
};

/**
 * A trade is a quote with bid = ask = its price; a bar is its open, the extreme against the order's side (high for a
 * buy, so that a stop comes before a better limit), the other extreme, its close.
 */
function quotesOf({ data }: Step, side: 'buy' | 'sell'): Prices[] {
  const prices = (name: string): number[] => data[name] as number[];
  const price = (name: string): number => data[name] as number;
  const both = (numbers: readonly number[]): Prices[] => numbers.map((number) => String(number));
  switch (data.event) {
    case 'trade':
      return both([price('price')]);
    case 'trades_in_one_slice':
      return both(prices('prices'));
    case 'trade_bar':
      return both(
        side === 'buy'
          ? [price('open'), price('high'), price('low'), price('close')]
          : [price('open'), price('low'), price('high'), price('close')],
      );
    case 'quote_bar':
      return [0, 1, 2, 3].map((at) => [String(prices('bid')[at]), String(prices('ask')[at])]);
    case 'quote':
      return [[String(price('bid')), String(price('ask'))]];
    default:
      return [];
  }
}

function pricingOf({ type, stop_price, limit_price }: Case['order']): Pricing {
  const [stop, price] = [String(stop_price), String(limit_price)];
  switch (type) {
    case 'limit':
      return limit(price);
    case 'stop_market':
      return stopMarket(stop);
    case 'stop_limit':
      return stopLimit(stop, price);
    case 'oco':
      return oco(stop, price);
    default:
      return { type: 'market' };
  }
}

const clock = (text: unknown): number => Date.parse(String(text));

/**
 * The market of a step: the quote is old if the step says so, and the market is closed before the opening bell that the step
 * names.
 */
function marketAt({ data }: Step, prices: Prices | undefined): Market {
  const isOld = data['now'] !== undefined && clock(data['now']) - clock(data['bar_end']) > FRESH;
  const isBeforeOpen = /^\d\d:\d\d$/.test(String(data['when'])) && String(data['when']) < '09:30';
  return aMarket({
    quotes: prices === undefined ? {} : { AAA: prices },
    stale: isOld ? ['AAA'] : [],
    opensAt: isBeforeOpen ? null : 0,
  });
}

/** Our outcome after each step. The order is placed where the case says `submit`, otherwise right after its first step. */
function play({ order, steps }: Case): Outcome[] {
  const quantity = decimal(String(order.qty)).times(SCALE);
  const request = aRequest({
    action: order.side,
    pricing: pricingOf(order),
    size: { by: 'amount', amount: quantity },
  });
  const tradeId = counting('t');
  const hasSubmit = steps.some(({ data }) => data.event === 'submit');
  let book: Book = newBook(id('s1'));
  let placed = false;
  let latest: Prices | undefined;
  let outcome: Outcome = 'open';

  const tell = (result: { readonly book: Book; readonly changes: readonly BookChange[] }) => {
    book = result.book;
    for (const change of result.changes) {
      if (change.kind === 'triggered') outcome = 'triggered';
      if (change.kind === 'filled') {
        expect(change.trade.amount).toEqual(quantity);
        outcome = `filled ${decimalText(change.trade.price)}`;
      }
    }
  };
  return steps.map((step, at) => {
    for (const prices of quotesOf(step, order.side)) {
      latest = prices;
      if (placed) tell(matchOrders(book, marketAt(step, prices), tradeId));
    }
    if (!placed && (hasSubmit ? step.data.event === 'submit' : at === 0)) {
      tell(submit(book, [request], marketAt(step, latest), tradeId));
      placed = true;
    }
    return outcome;
  });
}

/** The case's outcome after each step, in our words; a fill without a price agrees with any. */
const agrees = ({ steps }: Case, ours: readonly Outcome[]): boolean =>
  steps.every(({ expect: { status, limit_leg, fill_price } }, at) => {
    const expected = status ?? limit_leg ?? 'open';
    const outcome = ours[at] ?? '';
    return fill_price === undefined
      ? outcome.startsWith(expected)
      : outcome === `${expected} ${decimalText(decimal(String(fill_price)))}`;
  });

describe('orders that other engines filled (shared/cases/order_fills.json)', () => {
  if (cases.length === 0) {
    it('are absent here: nothing is compared', () => {
      expect(existsSync(file)).toBe(false);
    });
    return;
  }

  it.each(cases.filter((found) => !(found.id in DECIDED_OTHERWISE)))(
    '$id $engine $test: as theirs',
    (found) => {
      const ours = play(found);
      expect({ ours, agrees: agrees(found, ours) }).toEqual({ ours, agrees: true });
    },
  );

  it.each(Object.entries(DECIDED_OTHERWISE).map(([name, decision]) => ({ name, ...decision })))(
    '$name: $why',
    ({ name, ours }) => {
      const found = cases.find((candidate) => candidate.id === name);
      expect(found).toBeDefined();
      if (!found) return;
      expect(play(found)).toEqual(ours);
      expect(agrees(found, ours)).toBe(false);
    },
  );

  it('19 agree, 9 differ by decision, none is unlisted', () => {
    const differing = cases.filter((found) => !agrees(found, play(found))).map((found) => found.id);
    expect(differing).toEqual(Object.keys(DECIDED_OTHERWISE));
    expect(cases.length - differing.length).toBe(19);
  });
});
