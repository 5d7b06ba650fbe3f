import { describe, expect } from '@jest/globals';
import { EXCHANGE_NAMES } from '../helpers/coin-exchanges.js';
import { itOne } from '../helpers/three-nodes.js';
import { playStory } from './coin-story.js';

/** Of these some have met faults; more, and others, by `COIN_STORIES` and `COIN_SEED`. */
const COUNT = Number(process.env['COIN_STORIES'] ?? 3);
const FIRST = Number(process.env['COIN_SEED'] ?? 5);
const SEEDS = Array.from({ length: COUNT }, (_, at) => FIRST + at);

describe.each(EXCHANGE_NAMES)('a bot over an account at %s', (name) => {
  itOne('a story starts its server again over its database').each(SEEDS)(
    'does each order once, leaves what was there, and comes into line (story %i)',
    async (seed) => {
      const { lines, problems } = await playStory(name, seed);
      if (problems.length > 0) throw new Error([...lines, '', ...problems].join('\n'));
      expect(problems).toEqual([]);
    },
  );
});
