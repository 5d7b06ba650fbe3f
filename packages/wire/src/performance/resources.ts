import { TIMEFRAMES, TRACK_ENTRY_KINDS } from '@slipstream/domain';
import { z } from 'zod';
import { recordProofResource } from './anchors.js';
import { decimalOut, idOut, timestampOut } from '../fields/output.js';

/** The performance of a strategy in one timeframe (spec 2.4). */
export const timeframeResource = z
  .object({
    timeframe: z.enum(TIMEFRAMES),
    rank_performance: decimalOut.nullable(),
    rank_popular: decimalOut.nullable(),
    rank_trending: decimalOut.nullable(),
    rank_top: decimalOut.nullable(),
    max_drawdown: decimalOut,
    past_value: decimalOut,
    return: decimalOut.nullable().meta({
      description:
        'From past_value to the present value, a fraction. Null while a quote is missing.',
    }),
  })
  .meta({ id: 'Timeframe' });
/** Null while a quote is missing. */
export const strategyValueResource = z
  .object({
    strategy_id: idOut,
    strategy_value: decimalOut.nullable(),
    closing_only: z.boolean(),
    ended_at: timestampOut.nullable(),
  })
  .meta({ id: 'StrategyValue' });
/** One point of a value history. */
export const historyPointResource = z
  .object({
    at: timestampOut,
    strategy_value: decimalOut,
    high: decimalOut,
    low: decimalOut,
    basis: z.literal('claimed').optional().meta({
      description: 'Only in an imported history: claimed by the owner, checked by nobody.',
    }),
    benchmark: decimalOut.nullable().optional().meta({
      description:
        "Only with benchmark: its close of the point's day (UTC; at midnight the one that ends) or the last before it, split-adjusted, without dividends. Null before its first close.",
    }),
  })
  .meta({ id: 'HistoryPoint' });

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A link of the record: `body` is the hashed text. */
export const trackEntryResource = z
  .object({
    seq: z.int(),
    kind: z.enum(TRACK_ENTRY_KINDS),
    at: timestampOut,
    body: z.string().nullable().meta({
      description: 'The hashed text. Null for who may not see the fills (proof=true).',
    }),
    previous_hash: hash,
    hash,
  })
  .meta({ id: 'TrackEntry' });

/** getTrackRecord's answer, oldest first. */
export const trackRecordResource = z
  .object({
    strategy_id: idOut,
    entries: z.array(trackEntryResource),
    proof: recordProofResource.optional().meta({ description: 'With proof=true only.' }),
  })
  .meta({ id: 'TrackRecord' });
