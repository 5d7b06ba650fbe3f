import type { Scene } from './scene.js';

/** What must hold in the end, when nothing is on its way any more. */
export function checkKept(scene: Scene): void {
  for (const [id, { meant, isCertain }] of scene.people.works) {
    const outcomes = scene.people.heard(id).map(({ outcome }) => outcome);
    const done = scene.store.done.filter((work) => work.id === id).length;
    if (done === 0 && outcomes.includes(200))
      scene.violate(`lost: ${id} was answered, and is not there`);
    if (done > 0 && outcomes.every((outcome) => outcome === 503))
      scene.violate(`done though refused: ${id}`);
    if (done > meant) scene.violate(`twice: ${id} was meant ${meant} times, and done ${done}`);
    if (isCertain && meant > 1 && done < meant)
      scene.violate(`swallowed: ${id} was meant ${meant} times, and done ${done}`);
    if (
      scene.isPeaceful &&
      outcomes.some((outcome) => outcome !== 200 && !String(outcome).startsWith('left'))
    )
      scene.violate(`planned stop: ${id} was answered ${outcomes.join()}`);
  }
}
