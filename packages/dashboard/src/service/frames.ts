const waiting = new Set<() => void>();
let isDue = false;

function publish(): void {
  isDue = false;
  const all = [...waiting];
  waiting.clear();
  for (const run of all) run();
}

/** Runs `task` with the next picture of the screen, once however often it is asked; once a second on a hidden page. */
export function onFrame(task: () => void): void {
  waiting.add(task);
  if (isDue) return;
  isDue = true;
  if (document.hidden) setTimeout(publish, 1_000);
  else requestAnimationFrame(publish);
}
