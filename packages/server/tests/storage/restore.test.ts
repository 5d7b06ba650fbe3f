import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CHILD_OPERATOR,
  type ChildServer,
  freshFolders,
  run,
  serveIn,
  signUp,
} from '../helpers/child-server.js';
import { ask } from '../helpers/composed-server.js';
import {
  type Promised,
  faultsOf,
  nothingPromised,
  seeded,
  tradeUntilGone,
} from '../helpers/load.js';
import { runCommandIn } from '../helpers/run-command.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20260304);
const CLIENTS = 4;
const BEFORE = 80;
const AFTERWARDS = 20;

const freshFolder = freshFolders();

/** A server that was copied while it worked, and then lost with its folder; `store` has what its operator kept elsewhere. */
interface Lost {
  readonly folder: string;
  readonly store: string;
  readonly token: string;
  readonly strategyIds: readonly string[];
  /** What it had answered when the copy began. */
  readonly promised: Promised;
}

async function copiedAndLost(): Promise<Lost> {
  const [folder, store] = [freshFolder(), freshFolder()];
  const server = await serveIn(folder);
  const { url } = server;
  const token = await signUp((name, fields, by) => ask(url, name, fields, by));
  const strategyIds: string[] = [];
  for (const name of ['One', 'Two'])
    strategyIds.push((await ask(url, 'newStrategy', { type: 'stock', name }, token)).strategy_id);
  const quotes = ['AAPL:NASDAQ', 'MSFT:NASDAQ', 'NVDA:NASDAQ'].map((stock_id) => ({
    stock_id,
    bid: 100,
    ask: 100.01,
    last: 100,
  }));
  await ask(url, 'newQuotes', { quotes }, CHILD_OPERATOR);
  cpSync(join(folder, 'data/secret.key'), join(store, 'secret.key'));

  const promised = nothingPromised();
  let atCopy = nothingPromised();
  let [answers, untilEnd] = [0, Infinity];
  const copy = async () => {
    atCopy = structuredClone(promised);
    const { code, complaints } = await run(folder, ['backup', join(store, 'copy.db')]);
    if (code !== 0) throw new Error(complaints);
    untilEnd = AFTERWARDS;
  };
  let copying: Promise<void> | undefined;
  const answered = (): void => {
    answers += 1;
    untilEnd -= 1;
    if (answers === BEFORE)
      copying = copy().finally(() => (untilEnd = Math.min(untilEnd, AFTERWARDS)));
    if (untilEnd === 0) server.process.kill('SIGKILL');
  };
  const random = seeded(SEED);
  await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      tradeUntilGone({
        ...{ url, token, strategyIds, promised, answered },
        random: seeded(random() * 2 ** 32),
      }),
    ),
  );
  await copying;
  await server.ended;
  rmSync(join(folder, 'data'), { recursive: true });
  return { folder, store, token, strategyIds, promised: atCopy };
}

describe(`a server whose folder is lost (TEST_SEED=${SEED})`, () => {
  let lost: Lost;
  const stored = (name: string): string => join(lost.store, name);
  const database = (folder = lost.folder): string[] =>
    existsSync(join(folder, 'data'))
      ? readdirSync(join(folder, 'data'))
          .filter((file) => !/-(lock|owner)$/.test(file))
          .sort()
      : [];
  const restore = (...args: string[]) =>
    runCommandIn(lost.folder, ['restore', stored('copy.db'), ...args]);
  const refusedWith = (complaint: RegExp) => ({
    code: 1,
    complaints: expect.stringMatching(complaint),
  });
  beforeAll(async () => {
    lost = await copiedAndLost();
  });

  it('is not restored without its key, and the sentence says where to put it', async () => {
    expect(await restore()).toMatchObject(
      refusedWith(/the master key of this database is missing: put its file back at .*secret\.key/),
    );
    expect(database()).toEqual([]);
  });

  const refusedKey = async (text: string): Promise<string> => {
    writeFileSync(stored('other.key'), text);
    const { code, complaints } = await restore('--key', stored('other.key'));
    expect({ code, left: database() }).toEqual({ code: 1, left: [] });
    return complaints.replace(stored('other.key'), 'KEY');
  };

  it('is not restored with another key, which is not left there', async () => {
    expect(await refusedKey(`${'a'.repeat(40)}\n`)).toMatch(
      /^the secrets of \S+copy\.db were encrypted with another master key than KEY\n$/,
    );
  });

  it.each(['a'.repeat(20), '\n'])('is not restored with a part of a key: %j', async (text) => {
    expect(await refusedKey(text)).toBe('KEY is no master key: it has fewer than 32 characters\n');
  });

  it('is not restored where a folder lies in the place of the key, which is named', async () => {
    const place = join(lost.folder, 'data', 'secret.key');
    mkdirSync(place, { recursive: true });
    expect(await restore('--key', stored('secret.key'))).toMatchObject(
      refusedWith(/^\S+secret\.key is a folder: name a file\n$/),
    );
    expect(database()).toEqual(['secret.key']);
    rmSync(place, { recursive: true });
  });

  it('is not restored from a part of a copy', async () => {
    const whole = readFileSync(stored('copy.db'));
    writeFileSync(stored('part.db'), whole.subarray(0, whole.length / 2));
    const { code, complaints } = await runCommandIn(lost.folder, ['restore', stored('part.db')]);
    expect({ code, complaints }).toEqual({
      code: 1,
      complaints: expect.stringMatching(
        /^\S+part\.db is damaged or not complete: take another copy\n$/,
      ),
    });
    expect(database()).toEqual([]);
  });

  it.each([
    ['a copy that is not there', ['nowhere.db'], /^there is no copy .*nowhere\.db\n$/],
    ['a file of something else', [import.meta.filename], /^\S+ is not a database of Slipstream/],
    ['a key that is not there', ['COPY', '--key', 'nowhere.key'], /^there is no .*nowhere\.key\n$/],
  ])('is not restored from %s', async (_, args, complaint) => {
    const words = args.map((word) => (word === 'COPY' ? stored('copy.db') : word));
    expect(await runCommandIn(lost.folder, ['restore', ...words])).toMatchObject(
      refusedWith(complaint),
    );
    expect(database()).toEqual([]);
  });

  describe('and that is restored', () => {
    let folder: string;
    let server: ChildServer | undefined;
    const restored = (...flags: string[]) =>
      run(folder, ['restore', stored('copy.db'), '--key', stored('secret.key'), ...flags]);
    beforeEach(() => {
      folder = freshFolder();
      server = undefined;
    });
    afterEach(async () => {
      server?.process.kill('SIGTERM');
      await server?.ended;
    });

    it('has everything again that it had answered before the copy began', async () => {
      const { token, strategyIds, promised } = lost;
      const orders = [...promised.orders.values()].reduce((sum, { size }) => sum + size, 0);
      expect(orders).toBeGreaterThan(BEFORE / 4);

      expect(await restored()).toEqual(
        expect.objectContaining({
          code: 0,
          out: expect.stringMatching(/^Restored .*slipstream\.db/),
        }),
      );
      expect(database(folder)).toEqual(['secret.key', 'slipstream.db']);
      expect(await run(folder, ['audit', '--verify'])).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^The audit log is intact: \d+ entries/),
      });

      server = await serveIn(folder);
      const { url } = server;
      for (const strategyId of strategyIds) {
        expect(await faultsOf(url, token, strategyId, promised)).toEqual([]);
        const remote = { SLIPSTREAM_URL: url, SLIPSTREAM_TOKEN: token };
        expect(
          await runCommandIn(folder, ['track', strategyId, `${strategyId}.json`], remote),
        ).toMatchObject({ code: 0 });
        expect(await runCommandIn(folder, ['verify', `${strategyId}.json`])).toMatchObject({
          code: 0,
          complaints: '',
        });
      }
      expect(await restored()).toMatchObject(
        refusedWith(/slipstream\.db is in use by process \d+ on /),
      );
    });

    it('is not restored over a database that exists, which does not change', async () => {
      expect(await restored()).toMatchObject({ code: 0 });
      const before = database(folder);
      expect(await restored()).toMatchObject(
        refusedWith(/slipstream\.db exists already, and a restore overwrites nothing/),
      );
      expect(database(folder)).toEqual(before);
    });

    it('gets the archives of its audit log back, too', async () => {
      const [archives, name] = [stored('archives'), 'audit-000000000001-000000000009.jsonl.gz'];
      mkdirSync(archives);
      writeFileSync(join(archives, name), 'kept as it is');
      // Of a restore that ended in the middle.
      const beside = join(folder, 'data/slipstream.db-audit');
      mkdirSync(beside, { recursive: true });
      writeFileSync(join(beside, `${name}.partial`), 'kept');
      expect(await restored('--archives', archives)).toMatchObject({ code: 0 });
      expect(readdirSync(join(folder, 'data/slipstream.db-audit'))).toEqual([name]);
    });
  });
});
