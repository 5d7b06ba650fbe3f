#!/usr/bin/env node
import { storyProgram } from '../run/story-program.js';
import { BUGS, type BugName } from './bugs.js';
import { playStory } from './story.js';

await storyProgram({
  name: 'link-stories',
  description:
    'Plays random stories of three nodes that forward requests and streams to the one that serves, by their real code: messages between them are late or lost, and any of them is stopped, frozen, killed or cut off at any moment. Checks what clients hear.',
  bugs: Object.keys(BUGS),
  play: (seed, run, bug) => playStory(seed, run, bug === undefined ? {} : BUGS[bug as BugName]),
});
