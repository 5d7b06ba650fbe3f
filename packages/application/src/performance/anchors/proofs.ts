import {
  type Anchor,
  type AnchorProof,
  type StrategyId,
  type TrackEntry,
  endOfDay,
  isoDay,
  proofOf,
  trackChain,
} from '@slipstream/domain';
import type { Core } from '../../core.js';
import { breathing } from '../breathing.js';

/** An anchor without its other branches, and where a record's head of that day is in it. */
export interface AnchoredHead {
  readonly anchor: Omit<Anchor, 'branches'>;
  readonly proof: AnchorProof;
}

/**
 * For each of these entries, oldest first, the anchor of its day and the first one that has it, with a head that is the entry or
 * follows it. An anchor of several entries comes once.
 */
export async function anchorsOf(
  core: Pick<Core, 'unitOfWork' | 'fingerprints' | 'clock' | 'pause'>,
  strategyId: StrategyId,
  entries: readonly Pick<TrackEntry, 'seq' | 'at'>[],
): Promise<AnchoredHead[]> {
  const { sha256 } = core.fingerprints;
  const chain = trackChain(strategyId);
  const breathe = breathing(core);
  const heads: AnchoredHead[] = [];
  let unseen = '';
  let anchored = 0;
  for (const entry of entries) {
    while (entry.seq > anchored) {
      const day = isoDay(entry.at);
      const from = day > unseen ? day : unseen;
      const found = await core.unitOfWork.read(async ({ anchors }) => {
        const [anchor] = await anchors.listFrom(from, 1);
        return anchor && { anchor, branch: await anchors.branchWith(anchor.day, chain) };
      });
      if (!found) return heads;
      const { anchor, branch } = found;
      unseen = isoDay(endOfDay(anchor.day));
      // Changed in the database to what is no day: without this it would be found again and again.
      if (unseen <= anchor.day) return heads;
      const proof = branch && proofOf(anchor, branch.index, branch.leaves, chain, sha256);
      await breathe();
      if (!proof || (proof.leaf.seq < entry.seq && anchor.day !== day)) continue;
      anchored = proof.leaf.seq;
      const { branches: _, ...shown } = anchor;
      heads.push({ anchor: shown, proof });
    }
  }
  return heads;
}
