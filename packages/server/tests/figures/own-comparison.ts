import { expect } from '@jest/globals';
import { DAY, decimal } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';
import type { ComposedServer } from '../helpers/composed-server.js';
import { allOf } from './all-of.js';
import { type Happening, type Replayed, type Trade, isSame, replay } from './ledger.js';
import { ownFalls, ownMonths } from './own-falls.js';
import {
  type OwnRecord,
  dateOf,
  ownCloses,
  ownFigures,
  ownTripFigures,
  ownTrips,
} from './own-statistics.js';
import { tableOf } from './tables.js';

/** A strategy of a story that was played, and everything that its figures follow from. */
export interface Subject {
  readonly server: ComposedServer;
  readonly owner: string;
  readonly happenings: readonly Happening[];
  readonly strategyId: string;
  readonly benchmark: string;
  readonly daysPerYear: 252 | 365;
}

/** Both days belong to it; the whole record without them. */
export interface Days {
  readonly from?: string;
  readonly to?: string;
}

const RISK_FREE = 0.02;
/** With so few days ratios are given. */
const TERMS = { min_n: 2, risk_free: String(RISK_FREE) };
/** The days of stories without a session that are no weekends. */
const HOLIDAYS = ['2026-05-25', '2026-06-19', '2026-07-03', '2026-09-07'];

type Statistics = ResponseOf<'getStrategyStatistics'>;
type Row = Readonly<Record<string, string>>;
type Told = Readonly<Record<string, { readonly value: string | null }>>;

const isNear = (told: string | null | undefined, own: number | null | undefined): boolean =>
  told === null || told === undefined || own === null || own === undefined
    ? (told ?? null) === (own ?? null)
    : Math.abs(Number(told) - own) <= 1e-7 * Math.max(1e-3, Math.abs(own));

/** The names of the figures that are told otherwise, with both. */
export const differing = (told: Told, own: Readonly<Record<string, number | null>>): string[] =>
  Object.entries(own).flatMap(([name, figure]) => {
    const value = told[name]?.value ?? null;
    // Of too few days there is no figure.
    return isNear(value, Number.isNaN(figure) ? null : figure)
      ? []
      : [`${name}: told ${value}, own ${figure}`];
  });

/** The last prices of a stock by day, in the shares of now. */
function benchmarkCloses({ happenings, benchmark }: Subject): ReadonlyMap<string, number> {
  const closes = new Map<string, number>();
  let shares = 1;
  for (const one of happenings.toReversed()) {
    if (one.kind === 'sample' || one.stockId !== benchmark) continue;
    if (one.kind === 'split') shares *= Number(one.newShares) / Number(one.oldShares);
    if (one.kind === 'quote' && !closes.has(dateOf(one.at)))
      closes.set(dateOf(one.at), Number(one.bid) / shares);
  }
  return closes;
}

/** The days of a span that count: all of them, or those with a session. */
export function countedDays(from: string, to: string, daysPerYear: 252 | 365): string[] {
  const dates: string[] = [];
  for (let day = Date.parse(from.slice(0, 10)); day <= Date.parse(to); day += DAY) {
    const isOpen = new Date(day).getUTCDay() % 6 !== 0 && !HOLIDAYS.includes(dateOf(day));
    if (isOpen || daysPerYear === 365) dates.push(dateOf(day));
  }
  return dates;
}

/** Expects that cash, value and holdings are what the trades, the actions and the prices give; answers these. */
export async function expectOwnLedger(subject: Subject) {
  const { server, owner, happenings, strategyId: strategy_id } = subject;
  const trades = (await allOf<Trade>(server, 'getTrades', { strategy_id }, owner)).toReversed();
  const own = replay(trades, happenings);
  expect(own.wrong).toEqual([]);
  const told = await server.ask('getPositions', { strategy_id }, owner);
  expect(isSame(own.cash, decimal(told.cash))).toBe(true);
  expect(isSame(own.value, decimal(told.strategy_value ?? '0'))).toBe(true);
  const held = [...own.amounts].filter(([, amount]) => !isSame(amount, decimal('0')));
  expect(told.positions.map(({ stock_id }) => stock_id).sort()).toEqual(
    held.map(([stockId]) => stockId).sort(),
  );
  for (const { stock_id, amount } of told.positions)
    expect(isSame(own.amounts.get(stock_id) ?? decimal('0'), decimal(amount))).toBe(true);
  return { trades, own, positions: told.positions };
}

/** Expects that the statistics of these days are what the samples, the trades and the prices give, by the definitions of the contract. */
export async function expectOwnStatistics(
  subject: Subject,
  { trades, own }: { readonly trades: readonly Trade[]; readonly own: Replayed },
  days: Days = {},
): Promise<void> {
  const { server, owner, happenings, strategyId: strategy_id, daysPerYear, benchmark } = subject;
  const [strategy] = await server.ask('getStrategies', { strategy_id: [strategy_id] }, owner);
  const created = strategy?.created_at ?? '';
  const asked = { strategy_id, ...TERMS, benchmark, ...days };
  const statistics = await server.ask('getStrategyStatistics', asked, owner);
  const table = await tableOf(server, 'getStrategyStatistics', asked, owner);
  const from = days.from !== undefined && days.from > created.slice(0, 10) ? days.from : undefined;
  const record: OwnRecord = {
    ...{ createdAt: Date.parse(created), samples: own.samples, trades, happenings },
    ...{ to: statistics.to, daysPerYear, riskFree: RISK_FREE, ...(from && { from }) },
    dates: countedDays(from ?? created, statistics.to, daysPerYear),
    earlier: from ? countedDays(created, dateOf(Date.parse(from) - DAY), daysPerYear) : [],
  };
  const closes = ownCloses(record);
  const told = table.filter(({ kind }) => kind === 'day');
  expect(told.map(({ date }) => date)).toEqual([...closes.keys()]);
  expect(told.filter(({ date, value }: Row) => !isNear(value, closes.get(date ?? '')))).toEqual([]);
  expect(differing(statistics as never, ownFigures(record, benchmarkCloses(subject)))).toEqual([]);
  compareTrips(statistics, record);
  compareMonths(statistics, record);
  compareFalls(statistics, record);
}

/** Expects that everything that is told of the strategy is what its trades and the prices give, by the definitions of the contract. */
export async function expectOwnFigures(subject: Subject): Promise<void> {
  await expectOwnStatistics(subject, await expectOwnLedger(subject));
}

function compareTrips({ round_trips }: Statistics, record: OwnRecord): void {
  const trips = ownTrips(record);
  const sides = {
    all: trips,
    long: trips.filter(({ isLong }) => isLong),
    short: trips.filter(({ isLong }) => !isLong),
  };
  for (const [side, some] of Object.entries(sides))
    expect(differing(round_trips[side as keyof typeof sides], ownTripFigures(some))).toEqual([]);
  for (const { stock_id, symbol: _, ...told } of round_trips.by_stock ?? []) {
    const some = trips.filter(({ stockId }) => stockId === stock_id);
    expect(differing(told, ownTripFigures(some))).toEqual([]);
  }
}

/** Expects that the months are what the daily values give. */
export function compareMonths(
  told: Pick<Statistics, 'monthly' | 'positive_months' | 'best_month' | 'worst_month'>,
  record: OwnRecord,
): void {
  const own = ownMonths(record);
  const nameOf = ({ year, month }: { readonly year: number; readonly month: number }): string =>
    `${year}-${String(month).padStart(2, '0')}`;
  expect(told.monthly.map(nameOf)).toEqual(own.map(({ month }) => month));
  expect(told.monthly.filter((one, at) => !isNear(one.return, own[at]?.return ?? NaN))).toEqual([]);
  const returns = own.map((one) => one.return);
  const figures = {
    positive_months: returns.filter((one) => one > 0).length,
    best_month: Math.max(...returns),
    worst_month: Math.min(...returns),
  };
  expect(differing(told as never, figures)).toEqual([]);
}

/** Expects that the falls are those of the samples. */
export function compareFalls(
  told: Pick<Statistics, 'drawdowns' | 'underwater_days' | 'underwater_days_now'>,
  record: OwnRecord,
): void {
  const own = ownFalls(record);
  if (!own) return;
  const shown = (told.drawdowns ?? []).map(({ depth: _, ...fall }) => fall);
  expect(shown).toEqual(own.slice(0, shown.length).map(({ depth: _, ...fall }) => fall));
  expect(told.drawdowns?.filter(({ depth }, at) => !isNear(depth, own[at]?.depth))).toEqual([]);
  const figures = {
    underwater_days: Math.max(0, ...own.map(({ days }) => days)),
    underwater_days_now: own.find(({ end }) => end === null)?.days ?? 0,
  };
  expect(differing(told as never, figures)).toEqual([]);
}
