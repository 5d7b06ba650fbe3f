import { DAY } from '@slipstream/domain';
import type { Happening, OwnSample, Trade } from './ledger.js';

/** What the figures of contract 9 are made of; the last day is over. */
export interface OwnRecord {
  readonly createdAt: number;
  /** Oldest first, as all lists are. */
  readonly samples: readonly OwnSample[];
  readonly trades: readonly Trade[];
  readonly happenings: readonly Happening[];
  /** The days that count, and the last day. */
  readonly dates: readonly string[];
  readonly to: string;
  /** The days before them that count, since the creation. */
  readonly earlier: readonly string[];
  /** The first day; that of the creation without it. */
  readonly from?: string;
  readonly daysPerYear: number;
  readonly riskFree: number;
}

/** Less than this is the rounding of an amount, as after a split. */
const FLAT = 1e-14;

type Figures = Readonly<Record<string, number | null>>;

const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);
const meanOf = (all: readonly number[]): number => sumOf(all) / all.length;
const deviationOf = (all: readonly number[]): number => {
  const mean = meanOf(all);
  return Math.sqrt(sumOf(all.map((one) => (one - mean) ** 2)) / (all.length - 1));
};
/** The date of a moment, in UTC. */
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const timeOf = ({ created_at }: Trade): number => Date.parse(created_at);
const costOf = (trade: Trade): number => Number(trade.fee_total) + Number(trade.rounding);

/** The last value of each counted day, and the gross exposure there; `before` is the value before the first of them. */
export function closesOf({ samples, dates, from = '' }: OwnRecord) {
  let [next, value, gross] = [0, 1, 0];
  const take = (isIncluded: (date: string) => boolean): void => {
    for (let one = samples[next]; one && isIncluded(dateOf(one.at)); one = samples[next]) {
      ({ value, gross } = one);
      next += 1;
    }
  };
  take((date) => date < from);
  const before = value;
  const closes = dates.map((date) => {
    take((one) => one <= date);
    return { date, value, gross: gross / value };
  });
  return { before, closes };
}

/** The daily values by date. */
export const ownCloses = (record: OwnRecord): ReadonlyMap<string, number> =>
  new Map(closesOf(record).closes.map(({ date, value }) => [date, value]));

/** When the span begins: with its first day, or with the record on its day. */
export const startOf = ({ createdAt, from = '' }: OwnRecord): number =>
  Math.max(createdAt, from === '' ? 0 : Date.parse(from));

/** The probability of less than `x` deviations, by the integral of the density in small steps (Simpson). */
function normal(x: number): number {
  const [STEPS, ALL] = [2000, 12];
  const density = (at: number): number => Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
  const width = Math.max(-ALL, Math.min(ALL, x)) / STEPS;
  const parts = Array.from(
    { length: STEPS + 1 },
    (_, at) => density(at * width) * (at === 0 || at === STEPS ? 1 : at % 2 === 0 ? 2 : 4),
  );
  return 0.5 + (width / 3) * sumOf(parts);
}

/** The figures of a record by the definitions of contract 9, in doubles and without any optimization; `benchmark`: closes by date. */
export function ownFigures(record: OwnRecord, benchmark: ReadonlyMap<string, number>): Figures {
  const { samples, to, daysPerYear, riskFree } = record;
  const { before, closes } = closesOf(record);
  const start = startOf(record);
  const end = Date.parse(to) + DAY;
  const isInside = (at: number): boolean => at >= start && at < end;
  const values = closes.map(({ value }) => value);
  const returnsOf = (all: readonly number[]): number[] =>
    all.slice(1).map((value, at) => value / (all[at] ?? 1) - 1);
  const returns = returnsOf([before, ...values]);
  const daily = riskFree / daysPerYear;
  const excess = returns.map((one) => one - daily);
  const year = Math.sqrt(daysPerYear);
  const downside = Math.sqrt(meanOf(excess.map((one) => Math.min(one, 0) ** 2)));
  const varies = deviationOf(returns) > 1e-12;

  const ratio = meanOf(excess) / deviationOf(excess);
  const spread = Math.sqrt(meanOf(excess.map((one) => (one - meanOf(excess)) ** 2)));
  const moment = (power: number): number =>
    meanOf(excess.map((one) => ((one - meanOf(excess)) / spread) ** power));
  const width = 1 - moment(3) * ratio + ((moment(4) - 1) / 4) * ratio ** 2;
  const QUANTILE = 1.6448536269514722;

  let [peak, deepest] = [before, 0];
  const inside = samples.filter(({ at }) => isInside(at));
  for (const { value } of inside) {
    peak = Math.max(peak, value);
    deepest = Math.max(deepest, (peak - value) / peak);
  }
  const last = samples.findLast(({ at }) => at < start);
  const looks = last ? [{ ...last, at: start }, ...inside] : inside;
  const held = looks.map(({ at, gross }, index) =>
    gross > FLAT ? (looks[index + 1]?.at ?? end) - at : 0,
  );

  const done = record.trades.filter((trade) => isInside(timeOf(trade)));
  const totals = (action: Trade['action']): number =>
    sumOf(done.map((trade) => (trade.action === action ? Number(trade.total) : 0)));
  const slippages = done.map(({ action, price, amount, quote_bid: bid, quote_ask: ask }) => {
    if (bid === null) return 0;
    const worse = action === 'buy' ? Number(price) - Number(ask) : Number(bid) - Number(price);
    return worse * Number(amount);
  });
  const years = (end - Date.parse(dateOf(start))) / DAY / 365.25;
  const value = meanOf(values);
  const [fees, slippage] = [sumOf(done.map(costOf)) / value, sumOf(slippages) / value];

  // From close to close: the part of the day in which the record begins is left out.
  const known = record.earlier.filter((date) => benchmark.has(date)).slice(-1);
  const paired = [
    ...closesOf({ ...record, from: '', dates: known }).closes,
    ...closes.filter(({ date }) => benchmark.has(date)),
  ];
  const own = returnsOf(paired.map((close) => close.value));
  const theirs = returnsOf(paired.map(({ date }) => benchmark.get(date) ?? 0));
  const product = (one: readonly number[], other: readonly number[]): number =>
    sumOf(one.map((each, at) => (each - meanOf(one)) * ((other[at] ?? 0) - meanOf(other))));
  const beta = product(own, theirs) / product(theirs, theirs);
  const apart = own.map((one, at) => one - daily - beta * ((theirs[at] ?? 0) - daily));

  const growth = (values.at(-1) ?? 1) / before;
  const firstDay = Date.parse(dateOf(start)) - (start > record.createdAt ? DAY : 0);
  const days = (Date.parse(closes.at(-1)?.date ?? '') - firstDay) / DAY;
  const cagr = days < 90 ? null : growth ** (365.25 / days) - 1;
  const margin = ratio / Math.sqrt(width / (returns.length - 1));

  return {
    total_return: growth - 1,
    cagr,
    calmar: cagr === null || deepest === 0 ? null : cagr / deepest,
    probabilistic_sharpe: varies ? normal(margin) : null,
    volatility: deviationOf(returns) * year,
    sharpe: varies ? ratio * year : null,
    sortino: varies && downside > 0 ? (meanOf(excess) * daysPerYear) / (downside * year) : null,
    max_drawdown: deepest,
    best_day: Math.max(...returns),
    worst_day: Math.min(...returns),
    exposure: sumOf(held) / (end - start),
    mean_gross: meanOf(closes.map(({ gross }) => gross)),
    largest_gross: Math.max(...closes.map(({ gross }) => gross)),
    turnover: Math.min(totals('buy'), totals('sell')) / value / years,
    fees,
    slippage,
    costs: fees + slippage,
    minimum_track_record: varies && ratio > 0 ? 1 + width * (QUANTILE / ratio) ** 2 : null,
    beta,
    alpha: meanOf(apart) * daysPerYear,
    correlation: product(own, theirs) / Math.sqrt(product(own, own) * product(theirs, theirs)),
    tracking:
      own.length < 2 ? null : deviationOf(own.map((one, at) => one - (theirs[at] ?? 0))) * year,
  };
}

/** A position from flat to flat. */
interface Trip {
  readonly stockId: string;
  readonly isLong: boolean;
  readonly result: number;
  readonly days: number;
  readonly closedAt: number;
}

interface Open {
  amount: number;
  cash: number;
  readonly before: number;
  readonly at: number;
}

/** The round trips that ended, in their order; a reversal ends one and begins another. */
export function ownTrips({ trades, happenings, to, from }: OwnRecord): readonly Trip[] {
  const trips: Trip[] = [];
  const open = new Map<string, Open>();
  const actions = happenings.filter(({ kind }) => kind === 'split' || kind === 'dividend');
  const adjust = (before: number): void => {
    for (let one = actions[0]; one && one.at <= before; one = actions[0]) {
      actions.shift();
      const holding = 'stockId' in one ? open.get(one.stockId) : undefined;
      if (!holding) continue;
      if (one.kind === 'dividend') holding.cash += holding.amount * Number(one.amount);
      if (one.kind === 'split') holding.amount *= Number(one.newShares) / Number(one.oldShares);
    }
  };
  for (const trade of trades) {
    const at = timeOf(trade);
    if (at >= Date.parse(to) + DAY) break;
    adjust(at);
    const { stock_id: stockId } = trade;
    const side = trade.action === 'buy' ? 1 : -1;
    const [amount, cash] = [Number(trade.amount), -side * Number(trade.total) - costOf(trade)];
    const holding = open.get(stockId);
    const held = holding?.amount ?? 0;
    const worth = (of: number): number => of * Number(of < 0 ? trade.quote_ask : trade.quote_bid);
    // At its own quote a fill changes the value by its costs alone.
    const before =
      Number(trade.strategy_value) - (cash + worth(held + side * amount) - worth(held));
    const closing = holding && Math.sign(held) !== side ? Math.min(amount, Math.abs(held)) : 0;
    const left = amount - closing;
    if (holding) {
      const isClosed = closing > 0 && Math.abs(held) - closing < FLAT;
      holding.cash += isClosed ? (cash * closing) / amount : cash;
      holding.amount += side * (isClosed ? closing : amount);
      if (!isClosed) continue;
      const [result, days] = [holding.cash / holding.before, (at - holding.at) / DAY];
      trips.push({ stockId, isLong: held > 0, result, days, closedAt: at });
      open.delete(stockId);
    }
    if (left > FLAT)
      open.set(stockId, { amount: side * left, cash: (cash * left) / amount, before, at });
  }
  return from === undefined ? trips : trips.filter(({ closedAt }) => dateOf(closedAt) >= from);
}

/** The figures of round trips. */
export function ownTripFigures(trips: readonly Trip[]): Figures {
  const results = trips.map(({ result }) => result);
  const [wins, losses] = [results.filter((one) => one > 0), results.filter((one) => one < 0)];
  const orNull = (count: number, figure: number): number | null => (count > 0 ? figure : null);
  const longest = (passes: (result: number) => boolean): number => {
    let [row, most] = [0, 0];
    for (const result of results) {
      row = passes(result) ? row + 1 : 0;
      most = Math.max(most, row);
    }
    return most;
  };
  const decided = wins.length + losses.length;
  return {
    count: results.length,
    win_rate: orNull(decided, wins.length / decided),
    profit_factor: orNull(losses.length, sumOf(wins) / -sumOf(losses)),
    expectancy: orNull(results.length, meanOf(results)),
    average_win: orNull(wins.length, meanOf(wins)),
    average_loss: orNull(losses.length, meanOf(losses)),
    payoff: orNull(wins.length * losses.length, meanOf(wins) / -meanOf(losses)),
    largest_win: orNull(wins.length, Math.max(...wins)),
    largest_loss: orNull(losses.length, Math.min(...losses)),
    max_consecutive_wins: longest((one) => one > 0),
    max_consecutive_losses: longest((one) => one < 0),
    average_days: orNull(results.length, meanOf(trips.map(({ days }) => days))),
  };
}
