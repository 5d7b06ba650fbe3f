import { decimal } from '@slipstream/domain';
import type { World } from '../world.js';
import type { BucketRow } from './rows.js';

/** T1: samples of a strategy never overlap, hold their own extremes, and their time only goes on. */
export function checkSeries(world: World): void {
  const rows = world.database.rows<BucketRow>(
    'SELECT * FROM value_buckets ORDER BY strategy_id, start',
  );
  let before: BucketRow | undefined;
  for (const row of rows) {
    const end = row.start + row.length;
    const where = `sample of ${row.strategy_id} at ${row.start}`;
    if (row.last_at < row.start || row.last_at >= end) {
      world.violate('T1', `the ${where} is of ${row.last_at}, outside its time`);
    }
    const last = decimal(row.last);
    if (last.gt(decimal(row.high)) || last.lt(decimal(row.low))) {
      world.violate('T1', `the ${where} lies outside its own extremes`);
    }
    if (before?.strategy_id === row.strategy_id && before.start + before.length > row.start) {
      world.violate('T1', `the ${where} overlaps the one before`);
    }
    before = row;
  }
  for (const { strategy_id, last_at } of rows) {
    const known = world.memory.buckets.get(strategy_id) ?? 0;
    world.memory.buckets.set(strategy_id, Math.max(known, last_at));
  }
}
