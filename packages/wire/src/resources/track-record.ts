import { z } from 'zod';
import { idOut, timestampOut } from './output.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A link of the record: `body` is the text that was hashed. */
export const trackEntryResource = z
  .object({
    seq: z.int(),
    kind: z.enum(['trade', 'value', 'adjustment']),
    at: timestampOut,
    body: z.string(),
    previous_hash: hash,
    hash,
  })
  .meta({ id: 'TrackEntry' });

/** getTrackRecord's answer, oldest first. */
export const trackRecordResource = z
  .object({ strategy_id: idOut, entries: z.array(trackEntryResource) })
  .meta({ id: 'TrackRecord' });
