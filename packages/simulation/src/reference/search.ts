import fc from 'fast-check';
import { type Coverage, newCoverage } from '../world/coverage.js';
import type { OpenStorage } from '../world/storages.js';
import type { ReferenceCommand } from './commands.js';
import { type Compared, type MatchingBug, compareStory } from './run.js';
import { referenceStories } from './random-stories.js';

/** The most steps of a story. */
const MOST_STEPS = 40;
/** Stories per block; progress is stored between blocks. */
export const BLOCK = 20;

export interface ReferenceSearch {
  readonly seed: number;
  /** How many steps to compare at least. */
  readonly steps: number;
  /** Steps and blocks of earlier runs. */
  readonly from?: Progress | undefined;
  /** The most blocks before the search gives up. */
  readonly mostBlocks?: number | undefined;
  readonly openStorage: OpenStorage;
  readonly bug?: MatchingBug | undefined;
  /** False to return the first differing story without shrinking it. */
  readonly shrinks?: boolean;
  readonly onBlock?: ((progress: Progress, coverage: Coverage) => void) | undefined;
}

export interface Progress {
  readonly blocks: number;
  readonly steps: number;
}

/** The first difference, with its shrunk story. */
export interface FoundDifference {
  /** The number of the story, from 1. */
  readonly story: number;
  readonly message: string;
  readonly commands: readonly ReferenceCommand[];
  readonly asData: string;
}

/** The seed of a block. */
const seedOf = (seed: number, block: number): number => seed * 1_000_003 + block;

/** Compares one story, by its number from 1. */
export async function compareOnly(
  seed: number,
  number: number,
  openStorage: OpenStorage,
  bug?: MatchingBug,
): Promise<Compared> {
  const block = Math.floor((number - 1) / BLOCK);
  let compared: Compared | undefined;
  await fc.check(
    fc.asyncProperty(referenceStories(MOST_STEPS), async (story) => {
      compared = await compareStory(story, openStorage, bug);
    }),
    { seed: seedOf(seed, block), numRuns: 1, path: String((number - 1) % BLOCK) },
  );
  if (!compared) throw new Error(`there is no story ${number}`);
  return compared;
}

/** Compares block after block of random stories until enough steps agree. */
export async function searchDifference(
  options: ReferenceSearch,
): Promise<Progress & { readonly found: FoundDifference | undefined }> {
  const { seed, steps: wanted, from, openStorage, bug, shrinks = true, onBlock } = options;
  const { mostBlocks = Infinity } = options;
  const coverage = newCoverage();
  let { blocks, steps } = from ?? { blocks: 0, steps: 0 };
  while (steps < wanted && blocks < mostBlocks) {
    let first = 0;
    let played = 0;
    let last: Compared | undefined;
    const details = await fc.check(
      fc.asyncProperty(referenceStories(MOST_STEPS), async (story) => {
        const compared = await compareStory(story, openStorage, bug);
        played += 1;
        if (compared.difference) {
          if (first === 0) first = played;
          last = compared;
          throw compared.difference;
        }
        if (first > 0) return;
        steps += compared.steps;
        for (const [what, times] of compared.coverage)
          coverage.set(what, (coverage.get(what) ?? 0) + times);
      }),
      { seed: seedOf(seed, blocks), numRuns: BLOCK, endOnFailure: !shrinks },
    );
    // An error that is no difference is a bug of the comparison itself.
    if (details.failed && !last?.difference) throw details.errorInstance;
    if (last?.difference) {
      const { message } = last.difference;
      const { commands } = last;
      const story = blocks * BLOCK + first;
      const asData = JSON.stringify(details.counterexample?.[0]);
      return { blocks, steps, found: { story, message, commands, asData } };
    }
    blocks += 1;
    onBlock?.({ blocks, steps }, coverage);
  }
  return { blocks, steps, found: undefined };
}
