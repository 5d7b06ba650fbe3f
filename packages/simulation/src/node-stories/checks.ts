import { type Kept, STRATEGIES } from './database.js';
import type { Scene } from './scene.js';

/** What must hold in the end, when nothing is on its way any more. */
export function checkKept(
  scene: Pick<Scene, 'entries' | 'ended' | 'forgotten' | 'violate'>,
  { works, counts, commits }: Kept,
): void {
  for (const { work, outcome } of scene.entries) {
    if (outcome === 'done' && !works.has(work.id) && !scene.forgotten.has(work))
      scene.violate(`lost: ${work.id} was answered, and is not there`);
    if (outcome === 'refused' && works.has(work.id))
      scene.violate(`done though refused: ${work.id}`);
  }
  for (const strategy of STRATEGIES) {
    const made = scene.entries.filter(
      ({ work }) => work.strategy === strategy && works.has(work.id),
    ).length;
    const counted = counts.get(strategy) ?? 0;
    if (made !== counted)
      scene.violate(`lost change: ${made} works of ${strategy} are there, it counts ${counted}`);
  }
  for (const [node, seqs] of commits) {
    if (seqs.some((seq, index) => seq !== index + 1))
      scene.violate(`journal: ${node} has ${seqs.join(' ')}`);
    const last = scene.ended.get(node) ?? Infinity;
    if (seqs.length > last)
      scene.violate(`zombie: ${node} had ended after commit ${last}, and has made ${seqs.length}`);
  }
}
