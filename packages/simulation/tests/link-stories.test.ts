import { describe, expect, it } from '@jest/globals';
import { BUGS, type BugName } from '../src/link-stories/bugs.js';
import { playStory } from '../src/link-stories/story.js';
import recorded from './link-stories.json' with { type: 'json' };

describe('three nodes that forward to the one that serves, message by message', () => {
  it.each(recorded.regressions)(
    'hold every rule in a story that once broke one: $found',
    async ({ seed, run }) => {
      expect((await playStory(seed, run)).violation).toBeUndefined();
    },
  );

  it('hold every rule in stories of a fixed seed, some of them with planned stops only', async () => {
    for (let run = 1; run <= 10; run += 1)
      expect([run, (await playStory(20_261_126, run)).violation]).toEqual([run, undefined]);
  });

  it('give the same story for the same seed', async () => {
    const [one, other] = [await playStory(1, 2), await playStory(1, 2)];
    expect(other.trace).toEqual(one.trace);
  });
});

describe('a deliberate bug of the nodes', () => {
  it.each(Object.keys(BUGS) as BugName[])('is found: %s', async (bug) => {
    const { seed, run } = recorded.bugs[bug];
    expect((await playStory(seed, run, BUGS[bug])).violation).toBeDefined();
  });
});
