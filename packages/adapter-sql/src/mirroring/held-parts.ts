import { type HeldParts, type Parts, type StockId, decimal } from '@slipstream/domain';
import type { Codec } from '../storage/codec.js';

type StoredParts = readonly [kept: string, own: string];
type StoredPart = readonly [
  StockId,
  ...StoredParts,
  seenAt: number,
  /** Absent where no change of it is unexplained, and nothing follows. */
  unexplained?: readonly [before: StoredParts, more: StoredParts, at: number] | null,
  /** Absent where the broker tells it by the name known here. */
  toldAs?: StockId,
];

const storedParts = ({ kept, own }: Parts): StoredParts => [kept.toFixed(), own.toFixed()];
const partsIn = ([kept, own]: StoredParts): Parts => ({ kept: decimal(kept), own: decimal(own) });

/** The parts of an account's holdings, as one text. */
export const heldParts: Codec<HeldParts, string> = {
  store: (parts) =>
    JSON.stringify(
      [...parts].map(([stockId, { seenAt, unexplained, toldAs, ...part }]): StoredPart => {
        const stored = [stockId, ...storedParts(part), seenAt] as const;
        if (!unexplained) return toldAs === undefined ? stored : [...stored, null, toldAs];
        const { before, more, at } = unexplained;
        const change = [storedParts(before), storedParts(more), at] as const;
        return toldAs === undefined ? [...stored, change] : [...stored, change, toldAs];
      }),
    ),
  load: (text) =>
    new Map(
      (JSON.parse(text) as StoredPart[]).map(([stockId, kept, own, seenAt, change, toldAs]) => {
        const part = {
          ...partsIn([kept, own]),
          seenAt,
          ...(toldAs !== undefined && { toldAs }),
        };
        if (!change) return [stockId, part];
        const [before, more, at] = change;
        return [
          stockId,
          { ...part, unexplained: { before: partsIn(before), more: partsIn(more), at } },
        ];
      }),
    ),
};
