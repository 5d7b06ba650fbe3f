import { describe, expect, it } from '@jest/globals';
import { STORAGES } from '../helpers/composed-server.js';
import { act } from './acts.js';
import { questionsOf } from './asks.js';
import { checkExport, checkFills, checkSent, checkSnapshots, checkStreams, keyOf } from './told.js';
import { byRest, inEveryWay } from './ways.js';
import { type Person, type World, openWorld } from './world.js';

/** Stories, the first of them, and the steps of each. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const FIRST = Number(process.env['TEST_SEED'] ?? 4);
const STEPS = Number(process.env['TEST_STEPS'] ?? 4);
const stories = Array.from(
  { length: MORE },
  (_, n) => [FIRST + n, STORAGES[(FIRST + n) % STORAGES.length] ?? 'memory'] as const,
);

/** Where two texts part, with some of what is before. */
function parted(told: unknown, expected: unknown): string | undefined {
  const [one, other] = [told, expected].map((of) => JSON.stringify(of ?? 'nothing')) as [
    string,
    string,
  ];
  if (one === other) return undefined;
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const shown = (text: string): string => text.slice(Math.max(0, place - 150), place + 150);
  return `\n  told     ${shown(one)}\n  expected ${shown(other)}`;
}

/** What somebody is told otherwise in another way. */
async function wrongFor(world: World, person: Person): Promise<string[]> {
  const wrong: string[] = [];
  const differ =
    (of: string) =>
    (what: string, told: unknown, expected: unknown): void => {
      const found = parted(told, expected);
      if (found !== undefined) wrong.push(`${person.name}: ${what} ${of}${found}`);
    };
  const told = new Map<string, unknown>();
  const questions = questionsOf(world, person);
  for (const question of questions)
    told.set(keyOf(question), await byRest(world, person, question));
  for (const question of questions)
    await inEveryWay(world, person, question, told.get(keyOf(question)), differ(keyOf(question)));
  await checkStreams(world, person, told, differ(''));
  await checkSnapshots(world, person, told, differ(''));
  checkSent(world, person, told, differ(''));
  checkFills(world, told, differ(''));
  await checkExport(world, person, told, differ(''));
  return wrong;
}

describe('the same question in every way', () => {
  it.each(stories)(
    'gets the same answer, after each step of story %i over %s',
    async (seed, storage) => {
      const world = await openWorld(seed, storage);
      const wrong: string[] = [];
      try {
        for (let step = 0; step < STEPS && wrong.length === 0; step += 1) {
          for (let n = 0; n < 5; n += 1) await act(world);
          await world.rest();
          const all = Object.values(world.people);
          const one = world.roll(all.length);
          // Somebody at each step, and everybody at the end.
          for (const person of step + 1 < STEPS ? all.slice(one, one + 1) : all)
            wrong.push(...(await wrongFor(world, person)));
        }
      } finally {
        await world.close();
      }
      expect(wrong.length === 0 ? [] : [...wrong, ...world.acts.slice(-15)]).toEqual([]);
    },
  );
});
