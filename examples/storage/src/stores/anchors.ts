import type { Stores } from '@slipstream/ports';
import { type Tables, keyOf } from '../table.js';

const byDay = (one: { readonly day: string }, other: { readonly day: string }): number =>
  one.day < other.day ? -1 : 1;

/** The daily roots over all records, with their leaves. */
export const anchorStores = ({ anchors, anchorBranches }: Tables): Pick<Stores, 'anchors'> => {
  const branchesOf = (day: string) =>
    anchorBranches
      .where((branch) => branch.day === day)
      .sort((one, other) => one.index - other.index)
      .map(({ index, leaves }) => ({ index, leaves }));
  return {
    anchors: {
      last: async () =>
        anchors
          .where(() => true)
          .sort(byDay)
          .at(-1),
      find: async (day) => anchors.get(day),
      listFrom: async (from, limit) =>
        anchors
          .where(({ day }) => day >= from)
          .sort(byDay)
          .slice(0, limit),
      unstamped: async (limit) =>
        anchors
          .where(({ stamp }) => stamp === null)
          .sort(byDay)
          .reverse()
          .slice(0, limit),
      branchWith: async (day, chain) =>
        branchesOf(day).find(({ leaves }) => (leaves.at(-1)?.chain ?? '') >= chain),
      branchesFrom: async (day, index, limit) => branchesOf(day).slice(index, index + limit),
      save: async (anchor, leaves) => {
        const { day, stamp } = anchor;
        if (!leaves) {
          const kept = anchors.get(day);
          if (!kept) throw new Error(`there is no anchor of ${day}`);
          return anchors.set(day, { ...kept, stamp });
        }
        anchors.add(day, anchor);
        for (const [index, some] of leaves.entries())
          anchorBranches.add(keyOf(day, index), { day, index, leaves: some });
      },
    },
  };
};
