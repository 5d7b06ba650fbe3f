import { type Anchor, type AnchorLeaf, Refusal } from '@slipstream/domain';
import type { Caller } from '../../caller.js';
import type { Core } from '../../core.js';
import { breathing } from '../breathing.js';
import type { Anchoring } from './anchoring.js';

/** An anchor with its leaves, for the operator to keep outside the database. */
export interface AnchorView {
  readonly anchor: Anchor;
  readonly leaves: readonly AnchorLeaf[];
}

const BRANCHES_AT_ONCE = 10;

async function leavesOf(core: Core, { day, branches }: Anchor): Promise<AnchorLeaf[]> {
  const breathe = breathing(core);
  const leaves: AnchorLeaf[] = [];
  for (let at = 0; at < branches.length; at += BRANCHES_AT_ONCE) {
    const some = await core.unitOfWork.read(({ anchors }) =>
      anchors.branchesFrom(day, at, BRANCHES_AT_ONCE),
    );
    leaves.push(...some.flatMap((branch) => branch.leaves));
    await breathe();
  }
  return leaves;
}

/** Makes the anchors that are missing, today's too, or answers that of a day. */
export const newAnchor =
  (core: Core, anchoring: Anchoring) =>
  async (_: Caller, { day }: { readonly day?: string | undefined }): Promise<AnchorView> => {
    const anchor =
      day === undefined
        ? await anchoring.makeNow(core.unitOfWork)
        : await core.unitOfWork.read(({ anchors }) => anchors.find(day));
    if (!anchor)
      throw new Refusal(
        'not_found',
        day === undefined ? 'nothing is recorded yet' : `there is no anchor of ${day}`,
      );
    return { anchor, leaves: await leavesOf(core, anchor) };
  };
