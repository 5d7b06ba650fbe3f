import { describe, expect } from '@jest/globals';
import { composedServer } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { type Transcript, differences } from '../transcripts/transcripts.js';
import { type ChangingServer, type Ending, changingServer } from './changing-server.js';
import { asBefore, isExcepted } from './exceptions.js';
import { type OpenServer, type Play, newPlay } from './play.js';
import { LONG_MONEY, MONEY } from './story/money.js';
import { LONG_ODDITIES, ODDITIES } from './story/more.js';
import { LONG_WAITING, WAITING } from './story/waiting.js';
import { answersTold, toldNow } from './told.js';
import { IS_WHOLE } from './whole.js';

const STORY = Object.entries(
  IS_WHOLE
    ? { ...LONG_MONEY, ...LONG_WAITING, ...LONG_ODDITIES }
    : { ...MONEY, ...WAITING, ...ODDITIES },
);
/** Who asks at the end. */
const READERS = IS_WHOLE ? undefined : ['owner', 'follower', 'operator'];

/** Plays the story; `between` comes after each step. */
async function told(
  open: OpenServer,
  between: (play: Play, step: number) => Promise<void> = async () => undefined,
): Promise<Transcript> {
  const play = await newPlay(open);
  const all = new Map<string, string>();
  const keep = (some: Transcript) => some.forEach((text, asked) => all.set(asked, text));
  try {
    for (const [step, [name, act]] of STORY.entries()) {
      await act(play);
      await between(play, step);
      if (IS_WHOLE) keep(await toldNow(play, `after ${name}`));
    }
    await play.passes(61_000, play.prices);
    keep(await toldNow(play, 'at the end', READERS, true));
    keep(answersTold(play));
    return all;
  } finally {
    await play.close();
  }
}

const inMemory: OpenServer = (options) => composedServer({ ...options, storage: 'memory' });
let undisturbed: Promise<Transcript> | undefined;
const ofOneInMemory = () => (undisturbed ??= told(inMemory));

const LIMIT = 1_800_000;
const it = itOne('it compares servers over storages of its own');

describe('what happens between any two steps of a story is seen by nobody', () => {
  const all: readonly Ending[] = ['stop', 'crash', 'restore'];
  const each: readonly (readonly Ending[])[] = [...all, 'move' as const].map((how) => [how]);

  it.each(IS_WHOLE ? each : [all])(
    'when the server over a file ends, and another one follows it: %s',
    async (...endings) => {
      const one = await ofOneInMemory();
      const other = await told(changingServer, ({ server }, step) => {
        const how = endings[step % endings.length] ?? 'stop';
        const hasMoved = how === 'move' && step > 0;
        return (server as ChangingServer).change(hasMoved ? 'stop' : how);
      });
      const plain = (told: Transcript) => (endings.includes('restore') ? asBefore(told) : told);
      const found = differences(plain(one), plain(other));
      const seen = found.filter((difference) => !isExcepted(difference, endings));
      expect(seen).toEqual([]);
    },
    LIMIT,
  );
});

(IS_WHOLE ? describe : describe.skip)('a story is the same for its readers', () => {
  it.each(['sqlite', 'PostgreSQL of three nodes'] as const)(
    'over %s and in memory',
    async (storage) => {
      const one = await ofOneInMemory();
      const other = await told((options) => composedServer({ ...options, storage }));
      expect(differences(one, other)).toEqual([]);
    },
    LIMIT,
  );
});
