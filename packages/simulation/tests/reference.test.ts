import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  type ReferenceStory,
  compareOnly,
  compareStory,
  matchingBugs,
  searchDifference,
  storageNamed,
} from '../src/index.js';

const read = <Content>(name: string): Content =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Content;

/** Written by `pnpm simulate --self-test --record`; record it again when stories change. */
const recorded = read<{ seed: number; compared: Record<string, number> }>('recorded-bugs.json');

/** Stories in which the core once differed. */
const regressions = read<readonly { readonly was: string; readonly story: ReferenceStory }[]>(
  'reference-regressions.json',
);

/** Situations that these steps must reach, or they prove too little. */
const MUST_REACH = [
  ...['market', 'limit', 'stop_market', 'stop_limit', 'oco'].flatMap((type) => [
    `${type} opened`,
    `${type} filled`,
  ]),
  'market released',
  'limit rested',
  'stop_limit triggered',
  'limit adjusted',
  'limit cancelled',
  'newOrder: refused',
  'allocate: done',
  'alert: done',
  'deleteOrder: done',
  'split: done',
  'dividend: done',
  'delist: done',
  'resume: done',
  'advance: done',
  'undoEnd: done',
  'below zero: trades to counted',
  'below zero: counted to closes only',
  'below zero: closes only to over',
  'below zero: over to trades',
];

const difference = ({ found }: Awaited<ReturnType<typeof searchDifference>>): string | undefined =>
  found && `${found.message}\n${found.commands.map((each) => JSON.stringify(each)).join('\n')}`;

describe('the core and a second matching engine, made from the contract alone', () => {
  it('are the same to the last digit after every step', async () => {
    const openStorage = storageNamed('memory');
    const reached = new Set<string>();
    const result = await searchDifference({
      ...{ seed: 20260302, steps: 700, openStorage },
      onBlock: (_, coverage) => coverage.forEach((_times, what) => reached.add(what)),
    });
    expect(difference(result)).toBeUndefined();
    expect(MUST_REACH.filter((what) => !reached.has(what))).toEqual([]);
  });

  it('are the same over the storage of another author, loaded as the server does', () => {
    const told = execFileSync(
      process.execPath,
      [
        join(import.meta.dirname, '../dist/reference/main.js'),
        ...['--seed', '11', '--steps', '30'],
        ...['--with', join(import.meta.dirname, '../../../examples/storage/mine.js')],
      ],
      { encoding: 'utf8' },
    );
    expect(told).toMatch(/^\d+ steps of seed 11 on .*mine\.js: 0 differences\.$/m);
  });

  it('are the same over SQL', async () => {
    const openStorage = storageNamed('sqlite');
    const result = await searchDifference({ seed: 20260306, steps: 100, openStorage });
    expect(difference(result)).toBeUndefined();
  });

  it.each(regressions)('agree in a story where they once differed: $was', async ({ story }) => {
    const { difference: found } = await compareStory(story, storageNamed('memory'));
    expect(found?.message).toBeUndefined();
  });
});

describe('a deliberate bug', () => {
  it('was found within 500 stories, each one', () => {
    const names = matchingBugs.map(({ name }) => name).sort();
    expect(Object.keys(recorded.compared).sort()).toEqual(names);
    expect(Math.max(...Object.values(recorded.compared))).toBeLessThanOrEqual(500);
  });

  it.each(matchingBugs)('is found: $name', async (bug) => {
    const openStorage = storageNamed('memory');
    const number = recorded.compared[bug.name] ?? 1;
    const found = await compareOnly(recorded.seed, number, openStorage, bug);
    expect(found.difference).toBeDefined();
    const sound = await compareOnly(recorded.seed, number, openStorage);
    expect(sound.difference?.message).toBeUndefined();
  });
});
