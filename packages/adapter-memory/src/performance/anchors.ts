import type { AnchorStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryAnchors = ({ anchors, anchorBranches, refuse }: Tables): AnchorStore => {
  const inOrder = () =>
    anchors.values().sort(({ day: one }, { day: other }) => (one < other ? -1 : 1));
  const branchesOf = (day: string) =>
    (anchorBranches.get(day) ?? []).map((leaves, index) => ({ index, leaves }));
  return {
    last: async () => inOrder().at(-1),
    find: async (day) => anchors.get(day),
    listFrom: async (day, limit) =>
      inOrder()
        .filter((anchor) => anchor.day >= day)
        .slice(0, limit),
    unstamped: async (limit) =>
      inOrder()
        .filter(({ stamp }) => stamp === null)
        .reverse()
        .slice(0, limit),
    branchWith: async (day, chain) =>
      branchesOf(day).find(({ leaves }) => (leaves.at(-1)?.chain ?? '') >= chain),
    branchesFrom: async (day, index, limit) => branchesOf(day).slice(index, index + limit),
    save: async (anchor, leaves) => {
      const { day, stamp } = anchor;
      const kept = anchors.get(day);
      if (leaves) {
        if (kept) refuse(`${day} has an anchor`);
        anchors.set(day, anchor);
        anchorBranches.set(day, leaves);
        return;
      }
      if (!kept) return refuse(`there is no anchor of ${day}`);
      anchors.set(day, { ...kept, stamp });
    },
  };
};
