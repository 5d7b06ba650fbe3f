import type { StoryDatabase } from './database.js';
import { settle } from './process.js';
import type { Wire } from './wire.js';

/** What the database does at once, and its answers come when they come: a story waits for them, so that it is the same each time. */
export class Sessions {
  /** Sessions whose client has left, and those that the database is ending. */
  readonly leaving = new Set<number>();
  readonly doomed = new Set<number>();
  /** Statements that the database is giving up. */
  readonly cancelled = new WeakSet<object>();

  constructor(private readonly database: Pick<StoryDatabase, 'sessions'>) {}

  /** Resolves when every session has answered, waits for another one that waits for nobody, or is gone. */
  async quiet(wires: () => readonly Wire[]): Promise<void> {
    await settle();
    // Most sessions answer soon: then nobody need ask what they wait for.
    for (let turn = 0; turn < 40 && wires().some(({ atServer }) => atServer); turn += 1)
      await settle();
    for (;;) {
      const waiting = wires().filter(({ atServer }) => atServer !== undefined);
      const isAnyLeaving = wires().some((wire) => wire.isLeaving);
      if (waiting.length + this.leaving.size + this.doomed.size === 0 && !isAnyLeaving) return;
      const asked = [...waiting.map(({ pid }) => pid), ...this.leaving, ...this.doomed];
      const there = await this.database.sessions(asked);
      for (const pid of this.leaving) if (!there.has(pid)) this.leaving.delete(pid);
      for (const { pid, isCutOff } of wires())
        if (isCutOff && !there.has(pid)) this.doomed.delete(pid);
      const waits = (pid: number): boolean => isBlocked(pid, there);
      if (
        !isAnyLeaving &&
        this.doomed.size === 0 &&
        waiting.every(({ atServer }) => !atServer || !this.cancelled.has(atServer)) &&
        waiting.every(({ pid, atServer }) => atServer === undefined || waits(pid)) &&
        [...this.leaving].every(waits)
      )
        return;
      await settle();
    }
  }
}

/** Whether the session waits for one that is not waiting itself: those that wait for each other are freed at once. */
function isBlocked(pid: number, sessions: ReadonlyMap<number, readonly number[]>): boolean {
  const seen = new Set<number>();
  const isBehindItself = (one: number): boolean =>
    (sessions.get(one) ?? []).some((blocker) => {
      if (blocker === pid) return true;
      if (seen.has(blocker)) return false;
      seen.add(blocker);
      return isBehindItself(blocker);
    });
  return (sessions.get(pid)?.length ?? 0) > 0 && !isBehindItself(pid);
}
