import { setTimeout as wait } from 'node:timers/promises';
import { faultsOf, unsettled } from './ledger.js';
import type { Load } from './load.js';
import { faultsAt } from './over-http.js';
import type { Promised } from './promised.js';
import type { Server } from './program.js';
import { type Scene, sendQuotes } from './scene.js';
import { sendAgain } from './send-again.js';
import { sqliteLedger, unsoundness } from './sqlite-ledger.js';

/** An order in doubt is asked for during a minute. */
const SETTLED_WITHIN = 90_000;

/** A check failed; the database stays for inspection. */
export class TortureFailed extends Error {
  override readonly name = 'TortureFailed';
}

export function require(faults: readonly string[], when: string): void {
  if (faults.length === 0) return;
  const more = faults.length > 10 ? `\n  and ${faults.length - 10} more` : '';
  throw new TortureFailed(`${when}:\n  ${faults.slice(0, 10).join('\n  ')}${more}`);
}

/** Checks a server that has just started over the database of another. */
export async function check(scene: Scene, server: Server, load: Load, when: string): Promise<void> {
  require(load.faults, when);
  await sendQuotes(server.url);
  require(await sendAgain(scene, server.url, load.unanswered), when);
  if (scene.place.adapters === undefined) await checkPlace(scene.place.file, scene.promised, when);
  else require(await faultsAt(scene, server.url), when);
  scene.figures.checks += 1;
  scene.figures.slowestStart = Math.max(scene.figures.slowestStart, server.startedIn);
}

/** Checks a database whose server is idle. */
export async function checkPlace(file: string, promised: Promised, when: string): Promise<void> {
  const until = performance.now() + SETTLED_WITHIN;
  // The bot settles its orders by itself, and then its account must agree with them.
  for (;;) {
    const faults = unsettled(sqliteLedger(file));
    if (faults.length === 0) break;
    if (performance.now() > until) require(faults, when);
    await wait(20);
  }
  require([...unsoundness(file), ...faultsOf(sqliteLedger(file), promised)], when);
}
