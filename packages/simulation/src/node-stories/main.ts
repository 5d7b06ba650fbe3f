#!/usr/bin/env node
import { storyProgram } from '../run/story-program.js';
import { BUGS, type BugName } from './bugs.js';
import { StoryDatabase } from './database.js';
import { playStory } from './story.js';

const database = await StoryDatabase.open();
try {
  await storyProgram({
    name: 'node-stories',
    description:
      'Plays random stories of three processes over one PostgreSQL, by their real code, statement by statement: any of them is frozen, killed, cut off or slow at any moment. Checks that nothing answered is lost, nothing refused is done, no two own the database, and somebody serves in time.',
    bugs: Object.keys(BUGS),
    play: (seed, run, bug) =>
      playStory(database, { seed, run, bug: bug === undefined ? {} : BUGS[bug as BugName] }),
  });
} finally {
  await database.end();
}
