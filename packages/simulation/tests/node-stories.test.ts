import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BUGS, type BugName } from '../src/node-stories/bugs.js';
import { StoryDatabase } from '../src/node-stories/database.js';
import { playStory } from '../src/node-stories/story.js';
import recorded from './node-stories.json' with { type: 'json' };

let database: StoryDatabase;
beforeAll(async () => {
  database = await StoryDatabase.open();
});
afterAll(() => database.end());

const play = (seed: number, run: number, bug?: BugName) =>
  playStory(database, { seed, run, bug: bug && BUGS[bug] });

describe('three processes over one PostgreSQL, statement by statement', () => {
  it.each(recorded.regressions)(
    'hold every rule in a story that once broke one: $found',
    async ({ seed, run }) => {
      expect((await play(seed, run)).violation).toBeUndefined();
    },
  );

  it('hold every rule in stories of a fixed seed, one of them with a database that loses commits', async () => {
    for (const run of [1, 2, 3, 5])
      expect([run, (await play(20_261_126, run)).violation]).toEqual([run, undefined]);
  });

  it('give the same story for the same seed', async () => {
    const [one, other] = [await play(1, 2), await play(1, 2)];
    expect(other.trace).toEqual(one.trace);
  });
});

describe('a deliberate bug of the processes', () => {
  it.each(Object.keys(BUGS) as BugName[])('is found: %s', async (bug) => {
    const { seed, run } = recorded.bugs[bug];
    expect((await play(seed, run, bug)).violation).toBeDefined();
  });
});
