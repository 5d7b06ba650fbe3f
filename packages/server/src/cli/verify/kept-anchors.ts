import {
  type AnchorProof,
  Refusal,
  branchOf,
  branchesOfLeaves,
  id,
  newAnchor,
  proofOf,
  trackChain,
} from '@slipstream/domain';
import { sha256Fingerprints } from '@slipstream/adapter-crypto';
import { operations, type ResponseOf } from '@slipstream/wire';
import type { TrackFile } from '../track-file.js';
import { readTrackFile } from '../track-file.js';
import { textOf } from '../../settings/text-of.js';

type Stamp = ResponseOf<'newAnchor'>['stamp'];

/** An anchor of a file, with the path of the record's head if the file has it. */
export interface KnownAnchor {
  readonly day: string;
  readonly size: number;
  readonly root: string;
  readonly stamp: Stamp;
  readonly proof: AnchorProof | undefined;
  /** Whether all of its leaves are known: without a path it has no entry of the record. */
  readonly isWhole: boolean;
}

const { sha256 } = sha256Fingerprints();

/** An operator's file, whose root must be that of its leaves. */
function anchorWithLeaves(
  { day, made_at, size, root, stamp, leaves }: ResponseOf<'newAnchor'>,
  chain: string,
  file: string,
): KnownAnchor {
  const parts = branchesOfLeaves(leaves);
  const branches = parts.map((part) => branchOf(day, part, sha256));
  const anchor = newAnchor({ day, madeAt: Date.parse(made_at), size, branches }, sha256);
  if (leaves.length !== size || anchor.root !== root)
    throw new Refusal('invalid_field', `${file}: the root of ${day} is not that of its leaves`);
  const index = parts.findIndex((part) => part.some((leaf) => leaf.chain === chain));
  const proof = proofOf(anchor, index, parts[index] ?? [], chain, sha256);
  return { day, size, root, stamp, proof, isWhole: true };
}

/** The anchors that a record brings with it. */
export const anchorsOfRecord = ({ strategy_id, proof }: TrackFile): KnownAnchor[] =>
  (proof?.anchors ?? []).map(({ day, size, root, stamp, leaf, index, path }) => ({
    ...{ day, size, root, stamp, isWhole: false },
    proof: { leaf: { chain: trackChain(id(strategy_id)), ...leaf }, index, size, path },
  }));

/** The anchors of a kept file: one of `anchor --out`, or a record of `track`. */
export async function readAnchors(file: string, strategyId: string): Promise<KnownAnchor[]> {
  const text = await textOf(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', `${file} is not JSON`);
  }
  const anchor = operations.newAnchor.response.safeParse(json);
  if (anchor.success) return [anchorWithLeaves(anchor.data, trackChain(id(strategyId)), file)];
  const record = await readTrackFile(file).catch(() => undefined);
  if (!record?.proof)
    throw new Refusal('invalid_field', `${file} is neither an anchor nor a record with anchors`);
  const known = anchorsOfRecord(record);
  return record.strategy_id === strategyId
    ? known
    : known.map((one) => ({ ...one, proof: undefined }));
}

/** One anchor for each day, the oldest first: kept ones, and the record's own with their paths. A root that differs is a fault. */
export function mergeAnchors(
  kept: readonly KnownAnchor[],
  own: readonly KnownAnchor[],
): { readonly anchors: KnownAnchor[]; readonly faults: string[] } {
  const faults: string[] = [];
  const byDay = new Map<string, KnownAnchor>();
  for (const anchor of [...kept, ...own]) {
    const before = byDay.get(anchor.day);
    if (before && (before.root !== anchor.root || before.size !== anchor.size)) {
      faults.push(`The anchor of ${anchor.day} is NOT the one that was kept: their roots differ.`);
      continue;
    }
    const stamp = before?.stamp ?? anchor.stamp;
    const isWhole = anchor.isWhole || before?.isWhole === true;
    byDay.set(anchor.day, { ...anchor, stamp, proof: before?.proof ?? anchor.proof, isWhole });
  }
  const anchors = [...byDay.values()].sort(({ day: one }, { day: other }) =>
    one < other ? -1 : 1,
  );
  return { anchors, faults };
}
