import { DAY, HOUR, MINUTE } from '@slipstream/domain';
import type { ManyStrategies } from '../many-strategies.js';
import { makeFullDatabase } from './full-database.js';
import { below, seeded } from '../seeded.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

/** The time at which the cores of the bench begin. */
export const BEGINNING = Date.UTC(2026, 0, 5, 15);
const DAYS = 8;

/** A full database that was in use: each strategy has a trade and a week of daily values, and the service ran until `ranAt`. */
export function makeUsedDatabase(file: string, many: ManyStrategies, ranAt = BEGINNING): void {
  makeFullDatabase(file, many);
  const handle = openHandle(file);
  const random = seeded(22);
  const value = (): string => (0.9 + below(random, 200_000) / 1e6).toFixed(6);
  const bucket = handle.prepare(
    `INSERT INTO value_buckets (strategy_id, start, length, last, last_at, high, low, drawdown)
     VALUES (?, ?, ${DAY}, ?, ?, '1.1', '0.9', '0.181818181818181818')`,
  );
  const trade = handle.prepare(
    `INSERT INTO trades (id, order_id, strategy_id, stock_id, action, price, amount, total, fee_total, rounding, created_at, market)
     VALUES (?, ?, ?, 's', 'buy', '100', '1', '100', '0', '0', ?, 'push')`,
  );
  const today = BEGINNING - (BEGINNING % DAY);
  handle.transaction(() => {
    for (const { strategyId } of many.books) {
      for (let day = DAYS; day > 0; day -= 1) {
        const start = today - day * DAY;
        bucket.run(strategyId, start, value(), start + below(random, DAY));
      }
      const at = today - below(random, 20 * DAY);
      trade.run(`t-${strategyId}`, `o-${strategyId}`, strategyId, at);
    }
  })();
  handle
    .prepare(`INSERT INTO market_runs (name, market, at) VALUES ('last', 'push', ?)`)
    .run(ranAt);
  handle.close();
}

/** The lengths of the buckets of a strategy that was sampled each minute for a year, by their age (contract 3, "Value history"). */
const LENGTHS = [
  { after: 365 * DAY, length: DAY },
  { after: 90 * DAY, length: HOUR },
  { after: 7 * DAY, length: 15 * MINUTE },
  { after: DAY, length: MINUTE },
] as const;

/** The same with a year of values. */
export function makeSampledDatabase(file: string, many: ManyStrategies): void {
  makeUsedDatabase(file, many);
  const handle = openHandle(file);
  const random = seeded(23);
  const bucket = handle.prepare(
    `INSERT INTO value_buckets (strategy_id, start, length, last, last_at, high, low, drawdown)
     VALUES (?, ?, ?, ?, ?, '1.1', '0.9', '0.181818181818181818')`,
  );
  handle.transaction(() => {
    handle.exec('DELETE FROM value_buckets');
    for (const { strategyId } of many.books) {
      let start = BEGINNING - (BEGINNING % DAY) - 365 * DAY;
      for (const [index, { length }] of LENGTHS.entries()) {
        const end = BEGINNING - (LENGTHS[index + 1]?.after ?? 0);
        for (; start + length <= end; start += length) {
          const value = (0.9 + below(random, 200_000) / 1e6).toFixed(6);
          bucket.run(strategyId, start, length, value, start + length - 1);
        }
      }
    }
  })();
  handle.close();
}
