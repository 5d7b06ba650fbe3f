import { id } from '@slipstream/domain';
import type { TrackStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryTrack = ({ track, refuse }: Tables): TrackStore => ({
  head: async (strategyId) => {
    const last = track.get(strategyId)?.at(-1);
    return last && { seq: last.seq, hash: last.hash };
  },
  headsAfter: async (strategyId = id(''), limit) =>
    track
      .keys()
      .filter((one) => one > strategyId)
      .sort()
      .slice(0, limit)
      .flatMap((one) => {
        const last = track.get(one)?.at(-1);
        return last ? { strategyId: one, seq: last.seq, hash: last.hash } : [];
      }),
  listAfter: async (strategyId, seq, limit) =>
    (track.get(strategyId) ?? []).slice(seq, seq + limit),
  save: async (entry) => {
    const kept = track.get(entry.strategyId) ?? [];
    if (entry.seq !== kept.length + 1) refuse(`track entry ${entry.seq} does not follow`);
    track.set(entry.strategyId, [...kept, entry]);
  },
});
