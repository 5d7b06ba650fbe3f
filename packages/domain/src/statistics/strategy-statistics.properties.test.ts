import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoDay } from '../calendar.js';
import { decimal, decimalText } from '../numbers/decimal.js';
import { dayBody } from '../performance/track-bodies.js';
import { addSample, maxDrawdown } from '../performance/values/value-history.js';
import { type ValueDay, dayOf, withSample } from '../performance/values/value-day.js';
import { DAY, HOUR, MINUTE } from '../time.js';
import { id } from '../ids.js';
import { adjustment, closed, entryAt, fill, opened, started } from '../../tests/track-entries.js';
import { type Figure, FIGURE_GAPS } from './figure.js';
import { type RecordedEntry, type RecordFigures, recordReader } from './record/record-reader.js';
import {
  type StatisticsRequest,
  type StrategyStatistics,
  strategySeries,
  strategyStatistics,
} from './strategy-statistics.js';

const START = 20_000 * DAY;

function readerOf(entries: readonly RecordedEntry[]) {
  const reader = recordReader(START);
  for (const entry of entries) reader.add(entry);
  return reader;
}

const lastDate = (entries: readonly RecordedEntry[]): string =>
  isoDay((entries.at(-1)?.at ?? START) + DAY);

const requestOf = (to: string, from?: string): StatisticsRequest => ({
  ...{ to, daysPerYear: 252, riskFree: 0.01, minN: 2 },
  ...(from === undefined ? {} : { from }),
  isTradingDay: (date) => !date.endsWith('5'),
  benchmark: {
    stockId: id<'stock'>('SPY'),
    closes: new Map(
      Array.from({ length: 60 }, (_, at) => [isoDay(START + at * DAY), 100 + ((at * 7) % 13)]),
    ),
  },
});

const statisticsOf = (figures: RecordFigures, to: string, from?: string): StrategyStatistics =>
  strategyStatistics(figures, requestOf(to, from));

/** All figures inside a value, with their names. */
function figuresIn(value: unknown, name = ''): [string, Figure][] {
  if (typeof value !== 'object' || value === null) return [];
  if ('gap' in value) return [[name, value as Figure]];
  return Object.entries(value).flatMap(([key, part]) => figuresIn(part, `${name}.${key}`));
}

const text = (value: number): string => decimalText(decimal(value.toFixed(15)));

interface Step {
  readonly minutes: number;
  readonly kind: 'value' | 'old' | 'buy' | 'sell' | 'dividend' | 'split';
  /** Hundredths. */
  readonly value: number;
  readonly amount: number;
  readonly isKnown: boolean;
  readonly stock: string;
}

/** Steps of a record; values from `least` hundredths on. */
const steps = (least: number, kinds: readonly Step['kind'][]): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      minutes: fc.integer({ min: 1, max: 4000 }),
      kind: fc.constantFrom(...kinds),
      value: fc.integer({ min: least, max: 300 }),
      amount: fc.integer({ min: 1, max: 3 }),
      isKnown: fc.boolean(),
      stock: fc.constantFrom('AAA', 'BBB'),
    }),
    { maxLength: 25 },
  );
/** A value in hundredths, so many minutes after the step before. */
const value = (hundredths: number, minutes: number): Step => ({
  ...{ minutes, kind: 'value', value: hundredths, amount: 1, isKnown: false, stock: 'AAA' },
});
const MEASURED = ['value', 'value', 'value', 'buy', 'sell', 'dividend'] as const;
const ALL = [...MEASURED, 'old', 'split'] as const;

/** The entries of the steps; all values of the record multiplied by `scale`. */
function entriesOf(all: readonly Step[], scale = 1): RecordedEntry[] {
  let at = START;
  return all.map(({ minutes, kind, value, amount, isKnown, stock }) => {
    at += minutes * MINUTE;
    const worth = (value / 100) * scale;
    const [close, cash] = [text(worth), text(0.01 * scale)];
    const figures = { high: text(worth * 1.1), low: text(worth * 0.9), drawdown: '0.05' };
    if (kind === 'old') return entryAt(at, closed(close));
    if (kind === 'value')
      return entryAt(at, closed(close, { ...figures, gross: text(0.5 * scale), held: '0.5' }));
    if (kind === 'dividend') return entryAt(at, adjustment('cash_dividend', '1', cash));
    if (kind === 'split') return entryAt(at, adjustment('split', '0', cash));
    const price = text((1 + value / 1000) * scale);
    return entryAt(
      at,
      fill(kind, String(amount), {
        ...{ price, stock, fee: text(0.001 * scale), bid: isKnown ? price : null },
        value: isKnown ? close : null,
      }),
    );
  });
}

/** The same figures, but for the last digits. */
function expectSame(one: StrategyStatistics, other: StrategyStatistics): void {
  const [mine, theirs] = [figuresIn(one), figuresIn(other)];
  expect(mine.map(([name, { n, gap }]) => [name, n, gap])).toEqual(
    theirs.map(([name, { n, gap }]) => [name, n, gap]),
  );
  const isNear = ([, { value }]: [string, Figure], at: number): boolean => {
    const [ours, expected] = [Number(value), Number(theirs[at]?.[1].value)];
    return Math.abs(ours - expected) <= 1e-6 * Math.max(1e-3, Math.abs(expected));
  };
  expect(mine.filter((figure, at) => !isNear(figure, at))).toEqual([]);
}

const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;

describe('statistics', () => {
  it('are plain decimals or null with a reason, whatever the record', () => {
    const anywhere = fc.integer({ min: -1, max: 40 });
    fc.assert(
      fc.property(steps(-50, ALL), anywhere, anywhere, (all, from, to) => {
        const record = readerOf(entriesOf(all)).figures();
        const dates = [isoDay(START + to * DAY), isoDay(START + from * DAY)] as const;
        const found = statisticsOf(record, ...dates);
        const wrong = figuresIn(found).filter(
          ([, { value, gap, n }]) =>
            n < 0 || (value === null ? !gap || !(gap in FIGURE_GAPS) : gap || !PLAIN.test(value)),
        );
        expect(wrong).toEqual([]);
        const series = strategySeries(record, requestOf(...dates));
        const points = series.flatMap(({ value, return: change }) => [value, change ?? '0']);
        expect(points.filter((point) => !PLAIN.test(point))).toEqual([]);
        expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity|undefined/);
      }),
      { numRuns: 150 },
    );
  });

  it('do not change when all values are multiplied', () => {
    const begin = (scale: number) => [
      entryAt(START, opened()),
      entryAt(START, started(text(scale))),
    ];
    fc.assert(
      fc.property(steps(50, MEASURED), fc.constantFrom(0.125, 3, 1000), (all, scale) => {
        const to = lastDate(entriesOf(all));
        const plain = readerOf([...begin(1), ...entriesOf(all)]).figures();
        const scaled = readerOf([...begin(scale), ...entriesOf(all, scale)]).figures();
        expectSame(statisticsOf(scaled, to), statisticsOf(plain, to));
      }),
      { numRuns: 60 },
    );
  });

  it('know a month that ended where it began, whatever the values are multiplied by', () => {
    const steps = [value(109, 1), value(100, 1439)];
    const begin = (scale: number) => [
      entryAt(START, opened()),
      entryAt(START, started(text(scale))),
    ];
    for (const scale of [1, 1000]) {
      const figures = readerOf([...begin(scale), ...entriesOf(steps, scale)]).figures();
      const { positiveMonths, monthly } = statisticsOf(figures, lastDate(entriesOf(steps)));
      expect([positiveMonths.value, monthly.map((month) => month.return)]).toEqual(['0', ['0']]);
    }
  });

  it('of a span do not change with what came after it', () => {
    fc.assert(
      fc.property(steps(50, ALL), fc.nat({ max: 40 }), (all, days) => {
        const entries = entriesOf(all);
        const until = START + days * DAY;
        const to = isoDay(until);
        const before = entries.filter(({ at }) => at < until + DAY);
        expect(statisticsOf(readerOf(entries).figures(), to)).toEqual(
          statisticsOf(readerOf(before).figures(), to),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('are the same when the record is read in two sittings', () => {
    fc.assert(
      fc.property(steps(-50, ALL), fc.nat({ max: 25 }), (all, cut) => {
        const entries = entriesOf(all);
        const to = lastDate(entries);
        const reader = readerOf(entries.slice(0, cut));
        statisticsOf(reader.figures(entryAt(START + HOUR, closed('9'))), to);
        for (const entry of entries.slice(cut)) reader.add(entry);
        expect(statisticsOf(reader.figures(), to)).toEqual(
          statisticsOf(readerOf(entries).figures(), to),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('do not change when a fill comes in two parts', () => {
    const halves = (all: readonly Step[]) =>
      entriesOf(all).flatMap((entry): readonly RecordedEntry[] => {
        if (entry.kind !== 'trade') return [entry];
        const body = JSON.parse(entry.body) as Record<string, string>;
        const half = (name: string) => text(Number(body[name]) / 2);
        const part = { ...body, amount: half('amount'), total: half('total') };
        const both = { ...part, fee_total: half('fee_total'), rounding: half('rounding') };
        // Without a known value after a fill both parts find the last one known.
        return [entry, entry].map((one) => ({ ...one, body: JSON.stringify(both) }));
      });
    const unknown = steps(50, ALL).map((all) => all.map((step) => ({ ...step, isKnown: false })));
    fc.assert(
      fc.property(unknown, (all) => {
        const to = lastDate(entriesOf(all));
        const whole = statisticsOf(readerOf(entriesOf(all)).figures(), to);
        expectSame(statisticsOf(readerOf(halves(all)).figures(), to), whole);
      }),
      { numRuns: 60 },
    );
  });

  it('have the max drawdown that the value history has of the same samples', () => {
    const samples = (least: number, most: number, maxLength: number) =>
      fc.array(
        fc.record({
          minutes: fc.integer({ min: 1, max: 900 }),
          value: fc.integer({ min: least, max: most }),
        }),
        { minLength: 1, maxLength },
      );
    // One stretch of them may be below zero.
    const mostly = fc
      .tuple(samples(10, 300, 30), fc.option(samples(-300, -1, 3)), fc.nat(30))
      .map(([above, below, at]) => above.toSpliced(at, 0, ...(below ?? [])));
    fc.assert(
      fc.property(mostly, (all) => {
        const reader = recordReader(START);
        let day: ValueDay | undefined;
        const add = () => {
          if (day) reader.add({ kind: 'value', at: day.lastAt, body: dayBody(day) });
        };
        let at = START;
        const buckets = all.map(({ minutes, value }) => {
          at += minutes * MINUTE;
          const worth = decimal((value / 100).toFixed(2));
          if (day && dayOf(day.lastAt) !== dayOf(at)) add();
          day = withSample(day, { at, value: worth, gross: decimal('0') });
          return addSample(undefined, at, worth);
        });
        add();
        const to = isoDay(at + DAY);
        const { maxDrawdown: ours, drawdowns } = strategyStatistics(reader.figures(), {
          ...{ to, daysPerYear: 365, riskFree: 0, minN: 2, isTradingDay: () => true },
        });
        const theirs = Number(decimalText(maxDrawdown(buckets, START, null)));
        expect(Number(ours.value)).toBeCloseTo(theirs, 10);
        expect(drawdowns?.[0]?.depth ?? '0').toBe(ours.value);
      }),
      { numRuns: 200 },
    );
  });
});
