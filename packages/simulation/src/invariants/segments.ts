import { type SegmentKind, segmentKind } from '@slipstream/domain';
import type { Run } from '../run/run.js';
import type { BucketRow, TradeRow } from '../world/rows.js';
import type { World } from '../world/world.js';

interface SegmentsRow {
  readonly id: string;
  readonly segments: string;
  readonly segment_opening: string | null;
}

interface StoredSegment {
  readonly kind: SegmentKind;
  readonly startedAt: number;
}

const segmentsOf = ({ segments }: SegmentsRow): StoredSegment[] =>
  JSON.parse(segments) as StoredSegment[];

/** T2: a fill names the market on which the core runs, and lies in a segment of its kind. */
export function checkSource({ world, memory }: Run, trade: TradeRow): void {
  if (trade.market !== memory.market)
    world.violate('T2', `trade ${trade.id} is of market ${trade.market}, not ${memory.market}`);
  const [row] = world.database.rows<SegmentsRow>(
    'SELECT id, segments, segment_opening FROM strategies WHERE id = ?',
    trade.strategy_id,
  );
  if (!row) return;
  const opening =
    row.segment_opening === null ? undefined : (JSON.parse(row.segment_opening) as StoredSegment);
  const kind = (opening ?? segmentsOf(row).at(-1))?.kind;
  if (kind !== segmentKind(trade.market))
    world.violate(
      'T2',
      `trade ${trade.id} of market ${trade.market} lies in a segment of kind ${kind ?? 'none'}`,
    );
}

/** T2: no sample spans the start of a segment. */
export function checkStarts(world: World, rows: readonly BucketRow[]): void {
  const all = world.database.rows<SegmentsRow>(
    "SELECT id, segments, segment_opening FROM strategies WHERE segments LIKE '%},{%'",
  );
  for (const row of all) {
    const starts = segmentsOf(row)
      .slice(1)
      .map(({ startedAt }) => startedAt);
    if (starts.length > 0) world.reach('segment: another kind of market');
    for (const { strategy_id, start, length } of rows)
      if (strategy_id === row.id && starts.some((at) => start < at && at < start + length))
        world.violate('T2', `the sample of ${row.id} at ${start} spans the start of a segment`);
  }
}
