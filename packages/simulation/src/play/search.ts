import fc from 'fast-check';
import type { Bug } from '../bugs/bug.js';
import type { Coverage } from '../world/coverage.js';
import { stories } from '../generate/stories.js';
import type { OpenStorage } from '../world/storages.js';
import { type RunResult, runStory } from './run-story.js';
import type { BrokerName, Story } from '../story/story.js';
import type { Violation } from '../world/violation.js';

/** The most steps of a story. */
export const MOST_STEPS = 40;

export interface SearchOptions {
  readonly seed: number;
  readonly runs: number;
  readonly bug?: Bug | undefined;
  /** Where the bots have their accounts; the simulated one by default. */
  readonly broker?: BrokerName | undefined;
  /** The storage whose answers are compared with SQLite's. */
  readonly openStorage?: OpenStorage | undefined;
  /** Only the run with this number, from 1. */
  readonly only?: number | undefined;
  /** False to return the first failing story without shrinking it. */
  readonly shrinks?: boolean;
  readonly onRun?: ((run: RunResult, number: number) => void) | undefined;
}

/** The result of a search. */
export interface Found {
  /** The first failing run, from 1. */
  readonly run: number;
  readonly violation: Violation;
  /** The shrunk story. */
  readonly story: Story;
}

/** Plays `runs` stories of a seed until one breaks an invariant, and shrinks that one. */
export async function search(options: SearchOptions): Promise<Found | undefined> {
  const {
    seed,
    runs,
    bug,
    broker = bug?.broker,
    openStorage,
    only,
    shrinks = true,
    onRun,
  } = options;
  let played = 0;
  let first = 0;
  let violation: Violation | undefined;
  const details = await fc.check(
    fc.asyncProperty(stories(MOST_STEPS, broker), async (story) => {
      const run = await runStory(story, bug, openStorage);
      played += 1;
      if (first === 0) onRun?.(run, only ?? played);
      if (!run.violation) return;
      if (first === 0) first = only ?? played;
      violation = run.violation;
      throw run.violation;
    }),
    {
      seed,
      numRuns: only === undefined ? runs : 1,
      endOnFailure: !shrinks,
      ...(only === undefined ? {} : { path: String(only - 1) }),
    },
  );
  // An error that is no violation is a bug of the simulation itself.
  if (details.failed && !violation) throw details.errorInstance;
  const [story] = details.counterexample ?? [];
  if (!story || !violation) return undefined;
  return { run: first, story, violation };
}

/** Adds the coverage of a run. */
export function addCoverage(total: Coverage, run: Coverage): void {
  for (const [what, times] of run) total.set(what, (total.get(what) ?? 0) + times);
}
