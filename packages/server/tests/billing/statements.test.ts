import { describe, expect, it } from '@jest/globals';
import { ACTS, type Act, perform } from './acts.js';
import { compare } from './told.js';
import { dice, openWorld } from './world.js';

/** Stories, the first of them, and the steps of each; long ones of sixty steps reach years. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const FIRST = Number(process.env['TEST_SEED'] ?? 9);
const STEPS = Number(process.env['TEST_STEPS'] ?? 40);
const seeds = Array.from({ length: MORE }, (_, n) => [FIRST + n] as const);

describe('what is told of money between people', () => {
  it.each(seeds)('is what a ledger of it says, after each step of story %i', async (seed) => {
    const world = await openWorld(seed);
    const roll = dice(seed);
    try {
      for (let step = 0; step < STEPS && world.ledger.wrong.length === 0; step += 1) {
        await perform(world, ACTS[roll(ACTS.length)] as Act, roll);
        await compare(world);
      }
    } finally {
      await world.close();
    }
    const wrong = world.ledger.wrong;
    expect(wrong.length === 0 ? [] : [...wrong, ...world.acts.slice(-25)]).toEqual([]);
  });
});
