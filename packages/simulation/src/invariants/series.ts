import { decimal } from '@slipstream/domain';
import type { Run } from '../run/run.js';
import type { BucketRow } from '../world/rows.js';
import { checkStarts } from './segments.js';

/** T1: samples of a strategy never overlap, contain their extremes, and only move forward in time. */
export function checkSeries(run: Run): void {
  const { world } = run;
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
  for (const row of rows) checkKept(run, row);
  checkStarts(world, rows);
}

/** A sample keeps the extremes that it has seen. */
function checkKept({ world, memory }: Run, row: BucketRow): void {
  const { buckets } = memory;
  const key = `${row.strategy_id} ${row.start} ${row.length}`;
  const known = buckets.get(key);
  buckets.set(key, row);
  if (!known || known === row) return;
  const lost =
    decimal(row.high).lt(decimal(known.high)) ||
    decimal(row.low).gt(decimal(known.low)) ||
    row.last_at < known.last_at;
  if (lost)
    world.violate('T1', `the sample of ${row.strategy_id} at ${row.start} was written anew`);
}
