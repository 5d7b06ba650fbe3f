import type { StrategyId } from '@slipstream/domain';
import type { HeadOfStrategy, Stores } from '@slipstream/ports';
import { type Tables, keyOf } from '../table.js';

type SeriesStores = Pick<Stores, 'track' | 'audit' | 'keyProof' | 'valueHistory' | 'valueDays'>;

const bySeq = (one: { readonly seq: number }, other: { readonly seq: number }): number =>
  one.seq - other.seq;

/** What is only ever written on: records, and samples of values. */
export const seriesStores = ({
  track,
  audit,
  auditArchived,
  keyProof,
  valueHistory,
  valueDays,
}: Tables): SeriesStores => {
  const samplesOf = (id: string) =>
    valueHistory
      .where(({ strategyId }) => strategyId === id)
      .sort((one, other) => one.start - other.start)
      .map(({ strategyId: _, ...bucket }) => bucket);
  return {
    track: {
      head: async (id) => {
        const last = track
          .where(({ strategyId }) => strategyId === id)
          .sort(bySeq)
          .at(-1);
        return last && { seq: last.seq, hash: last.hash };
      },
      headsAfter: async (after, limit) => {
        const heads = new Map<StrategyId, HeadOfStrategy>();
        for (const { strategyId, seq, hash } of track.where(() => true).sort(bySeq))
          if (strategyId > (after ?? '')) heads.set(strategyId, { strategyId, seq, hash });
        return [...heads.keys()]
          .sort()
          .slice(0, limit)
          .flatMap((id) => heads.get(id) ?? []);
      },
      listAfter: async (id, after, limit) =>
        track
          .where(({ strategyId, seq }) => strategyId === id && seq > after)
          .sort(bySeq)
          .slice(0, limit),
      save: async (entry) => track.add(keyOf(entry.strategyId, entry.seq), entry),
    },
    audit: {
      last: async () => {
        const last = audit
          .where(() => true)
          .sort(bySeq)
          .at(-1);
        return last && { seq: last.seq, hash: last.hash };
      },
      listAfter: async (after, limit) =>
        audit
          .where(({ seq }) => seq > after)
          .sort(bySeq)
          .slice(0, limit),
      archived: async () => auditArchived.get('the one'),
      remove: async ({ seq, hash }, limit) => {
        const entries = audit.where(() => true).sort(bySeq);
        const archived = auditArchived.get('the one')?.seq ?? 0;
        const isThere = audit.get(String(seq))?.hash === hash && entries.at(-1)?.seq !== seq;
        if (seq !== archived && (!isThere || seq < archived))
          throw new Error(`entry ${seq} cannot be archived`);
        auditArchived.set('the one', { seq, hash });
        const gone = entries.filter((entry) => entry.seq <= seq).slice(0, limit);
        for (const entry of gone) audit.delete(String(entry.seq));
        return gone.length;
      },
      save: async (entry) => {
        const last =
          audit
            .where(() => true)
            .sort(bySeq)
            .at(-1)?.seq ?? 0;
        if (entry.seq !== last + 1) throw new Error(`entry ${entry.seq} does not follow ${last}`);
        audit.add(String(entry.seq), entry);
      },
    },
    keyProof: {
      find: async () => keyProof.get('the one')?.sealed,
      save: async (sealed) => keyProof.set('the one', { sealed }),
    },
    valueHistory: {
      list: async (strategyId, from, before = Infinity) => {
        const all = samplesOf(strategyId).filter(({ start }) => start < before);
        const first = all.findLastIndex(({ start, length }) => start + length <= from);
        return all.slice(Math.max(0, first));
      },
      shorterBefore: async (strategyId, before, length) => {
        const earlier = samplesOf(strategyId).filter(({ start }) => start < before);
        return earlier.slice(earlier.findLastIndex((bucket) => bucket.length >= length) + 1);
      },
      last: async (strategyId) => samplesOf(strategyId).at(-1),
      lastOfEach: async (strategyIds) => strategyIds.map((id) => samplesOf(id).at(-1)),
      save: async (strategyId, bucket) =>
        valueHistory.set(keyOf(strategyId, bucket.start), { ...bucket, strategyId }),
      remove: async (strategyId, starts) =>
        starts.forEach((start) => valueHistory.delete(keyOf(strategyId, start))),
    },
    valueDays: {
      find: async (strategyId) => {
        const row = valueDays.get(strategyId);
        if (!row) return undefined;
        const { strategyId: _, ...day } = row;
        return day;
      },
      unrecorded: async (before, limit, after) =>
        valueDays
          .where(({ isRecorded, lastAt }) => !isRecorded && lastAt < before)
          .filter(({ strategyId }) => after === undefined || strategyId > after)
          .sort((one, other) => (one.strategyId < other.strategyId ? -1 : 1))
          .slice(0, limit)
          .map(({ strategyId, ...day }) => ({ strategyId, day })),
      save: async (strategyId, day) => valueDays.set(strategyId, { ...day, strategyId }),
    },
  };
};
