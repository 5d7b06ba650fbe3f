import {
  DAY,
  HOUR,
  type RecordFigures,
  type RecordedEntry,
  id,
  isoDay,
  recordReader,
  statisticsInSteps,
  strategyStatistics,
} from '@slipstream/domain';
import { benchmark, figureAtMost } from '../measure/benchmark.js';
import { cpuPerCall } from '../measure/cpu.js';
import { seeded } from '../seeded.js';

const byNumber = (one: number, other: number): number => one - other;

/** Ten years. */
const DAYS = 3653;
const STOCKS = 20;
const FILLS_A_DAY = 4;
const START = 16_801 * DAY;

/** A fill at the day's n-th hour, of a position that the next fill closes. */
const fillOf = (day: number, hour: number, value: string): RecordedEntry => ({
  kind: 'trade',
  at: START + day * DAY + hour * HOUR,
  body: JSON.stringify({
    format: 2,
    stock_id: `stock-${(day + Math.floor(hour / 2)) % STOCKS}`,
    action: hour % 2 === 0 ? 'buy' : 'sell',
    ...{ price: '101.123456789', amount: '0.001234567890123456', total: '0.124843759' },
    ...{ fee_total: '0.0001', rounding: '0', strategy_value: value },
    ...{ quote_bid: '101.1', quote_ask: '101.12' },
  }),
});

/** The record of a strategy that trades every day for ten years. */
function tenYears(): RecordedEntry[] {
  const random = seeded(1);
  const entries: RecordedEntry[] = [];
  let value = 1;
  for (let day = 0; day < DAYS; day += 1) {
    for (let hour = 0; hour < FILLS_A_DAY; hour += 1)
      entries.push(fillOf(day, hour, value.toFixed(12)));
    value *= 1 + (random() - 0.49) / 50;
    const [close, high, low, gross] = [1, 1.01, 0.99, 0.8].map((part) =>
      (value * part).toFixed(15),
    );
    const body = { format: 2, strategy_value: close, high, low, drawdown: '0.015', gross };
    const at = START + day * DAY + 22 * HOUR;
    entries.push({ kind: 'value', at, body: JSON.stringify({ ...body, held: '0.1' }) });
  }
  return entries;
}

/** The CPU time of the statistics of ten years (contract 9). */
export const recordStatistics = benchmark(
  'P31',
  [
    {
      what: 'CPU ms of all statistics of ten years of days, 7,300 round trips, with a benchmark',
      baseline: 'none: the figure itself',
      gate: figureAtMost(50),
    },
    {
      what: 'CPU ms of the longest of their steps: no turn of the event loop is longer',
      baseline: 'none: the figure itself',
      gate: figureAtMost(20),
    },
    {
      what: 'CPU us to read one entry of a record',
      baseline: 'none: the figure itself',
      gate: figureAtMost(40),
    },
  ],
  async ({ quick }) => {
    const entries = tenYears();
    const random = seeded(2);
    const closes = new Map(
      Array.from({ length: DAYS }, (_, day) => [isoDay(START + day * DAY), 100 + random() * 10]),
    );
    const request = {
      to: isoDay(START + DAYS * DAY),
      daysPerYear: 252,
      riskFree: 0.02,
      minN: 30,
      isTradingDay: (date: string) => !date.endsWith('7'),
      benchmark: { stockId: id<'stock'>('stock-0'), closes },
    } as const;
    const read = () => {
      const reader = recordReader(START);
      const cost = cpuPerCall(entries.length, (at) => {
        const entry = entries[at];
        if (entry) reader.add(entry);
      });
      return { cost, figures: reader.figures() };
    };
    const longestStep = (figures: RecordFigures): number => {
      const steps = statisticsInSteps(figures, request);
      let longest = 0;
      for (let isDone = false; !isDone;) {
        const cost = cpuPerCall(1, () => {
          isDone = steps.next().done === true;
        });
        longest = Math.max(longest, cost / 1000);
      }
      return longest;
    };
    const calls = quick ? 2 : 20;
    return {
      async round() {
        const { cost, figures } = read();
        const each = cpuPerCall(calls, () => {
          if (strategyStatistics(figures, request).sharpe.value === null)
            throw new Error('a figure is missing');
        });
        const steps = Array.from({ length: calls }, () => longestStep(figures)).sort(byNumber);
        return [{ figure: each / 1000 }, { figure: steps[calls >> 1] ?? NaN }, { figure: cost }];
      },
      close: () => undefined,
    };
  },
);
