import { expect } from '@jest/globals';
import { DAY, decimal } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';
import { allOf } from './all-of.js';
import { type Trade, isSame, replay } from './ledger.js';
import {
  type OwnRecord,
  ownCloses,
  ownFigures,
  ownTripFigures,
  ownTrips,
} from './own-statistics.js';
import { type Played, STOCKS } from './story.js';
import { tableOf } from './tables.js';

/** With so few days ratios are given. */
const TERMS = { min_n: 2, risk_free: '0.02', benchmark: STOCKS[1] };
const RISK_FREE = 0.02;

type Statistics = ResponseOf<'getStrategyStatistics'>;
type Row = Readonly<Record<string, string>>;

const isNear = (told: string | null, own: number | null): boolean =>
  told === null || own === null
    ? told === own
    : Math.abs(Number(told) - own) <= 1e-8 * Math.max(1e-3, Math.abs(own));

/** The names of the figures that are told otherwise, with both. */
const differing = (
  told: Readonly<Record<string, { readonly value: string | null }>>,
  own: Readonly<Record<string, number | null>>,
): string[] =>
  Object.entries(own).flatMap(([name, figure]) => {
    const value = told[name]?.value ?? null;
    return isNear(value, figure) ? [] : [`${name}: told ${value}, own ${figure}`];
  });

/** The last prices of a stock by day, in the shares of now. */
function benchmarkCloses({ happenings }: Played, stockId: string): ReadonlyMap<string, number> {
  const closes = new Map<string, number>();
  for (const one of happenings)
    if (one.kind === 'quote' && one.stockId === stockId)
      closes.set(new Date(one.at).toISOString().slice(0, 10), Number(one.bid));
  return closes;
}

/** Expects that everything that is told of the strategy is what its trades and the prices give, by the definitions of the contract. */
export async function expectOwnFigures(played: Played, strategy_id: string): Promise<void> {
  const { server, owner, happenings } = played;
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

  const [strategy] = await server.ask('getStrategies', { strategy_id: [strategy_id] }, owner);
  const statistics = await server.ask('getStrategyStatistics', { strategy_id, ...TERMS }, owner);
  const table = await tableOf(server, 'getStrategyStatistics', { strategy_id, ...TERMS }, owner);
  const days = table.filter(({ kind }) => kind === 'day');
  const record: OwnRecord = {
    createdAt: Date.parse(strategy?.created_at ?? ''),
    ...{ samples: own.samples, trades, happenings },
    ...{ to: statistics.to, daysPerYear: 252, riskFree: RISK_FREE },
    dates: sessionsUntil(strategy?.created_at ?? '', statistics.to),
  };
  const closes = ownCloses(record);
  expect(days.map(({ date }) => date)).toEqual([...closes.keys()]);
  expect(
    days.filter(({ date, value }: Row) => !isNear(value ?? null, closes.get(date ?? '') ?? 0)),
  ).toEqual([]);
  const benchmark = benchmarkCloses(played, statistics.benchmark ?? '');
  expect(differing(statistics as never, ownFigures(record, benchmark))).toEqual([]);
  compareTrips(statistics, record);
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

/** The weekdays of a span; no story has a holiday. */
function sessionsUntil(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let day = Date.parse(from.slice(0, 10)); day <= Date.parse(to); day += DAY)
    if (new Date(day).getUTCDay() % 6 !== 0) dates.push(new Date(day).toISOString().slice(0, 10));
  return dates;
}
