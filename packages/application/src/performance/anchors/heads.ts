import { AUDIT_CHAIN, type AnchorLeaf, trackChain } from '@slipstream/domain';
import type { Core } from '../../core.js';

/** Strategies whose heads are read at once: fewer than would keep others waiting. */
const AT_ONCE = 100;

/** The head of every chain as it is when it is read; every head has what was stored before the call. */
export async function headsOfChains({
  unitOfWork,
  pause,
}: Pick<Core, 'unitOfWork' | 'pause'>): Promise<AnchorLeaf[]> {
  const leaves: AnchorLeaf[] = [];
  const audit = await unitOfWork.read((stores) => stores.audit.last());
  if (audit) leaves.push({ chain: AUDIT_CHAIN, seq: audit.seq, hash: audit.hash });
  let after: Parameters<typeof trackChain>[0] | undefined;
  for (;;) {
    const last = after;
    const heads = await unitOfWork.read(({ track }) => track.headsAfter(last, AT_ONCE));
    for (const { strategyId, seq, hash } of heads)
      leaves.push({ chain: trackChain(strategyId), seq, hash });
    after = heads.at(-1)?.strategyId;
    if (heads.length < AT_ONCE) return leaves;
    await pause();
  }
}
