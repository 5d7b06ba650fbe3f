import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../adapter-sql/tests/postgres/database.js';
import { CHILD_OPERATOR, freshFolders, signUp } from '../helpers/child-server.js';
import { call } from '../helpers/call.js';
import { ask } from '../helpers/composed-server.js';
import { type Nodes, nodesOver } from '../helpers/running-nodes.js';
import { shiftedClock } from '../helpers/shifted-clock.js';

const YEAR = 366 * 86_400_000;
const folders = freshFolders();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

const started = async (nodes: Nodes) => {
  const clock = shiftedClock(folders());
  return { clock, node: await nodes.start(clock.environment) };
};

describe('a node whose clock is more than a second from that of the database', () => {
  it('is not ready, whether it serves or waits, and is again when they agree', async () => {
    const nodes = nodesOver(database, folders());
    const serving = await started(nodes);
    await nodes.owner();
    const waiting = await started(nodes);
    const ready = async ({ node }: typeof serving) => {
      const { status, text } = await call(node.url, 'GET', '/readyz');
      return [status, text.replace(/\d+\.\d/, 'N').replace(/^ready\n[^]*/, 'ready\n')];
    };
    // Until the one that waits has found the one that serves.
    while ((await ready(waiting))[0] !== 200);
    const apart = (how: string) => [503, `not ready\nthe clock of this node is N s ${how}\n`];

    for (const [one, other] of [
      [serving, waiting],
      [waiting, serving],
    ] as const) {
      expect([await ready(one), await ready(other)]).toEqual([
        [200, 'ready\n'],
        [200, 'ready\n'],
      ]);
      one.clock.shift(3_000);
      expect(await ready(one)).toEqual(apart("ahead of the database's"));
      expect(await ready(other)).toEqual([200, 'ready\n']);
      one.clock.shift(-3_000);
      expect(await ready(one)).toEqual(apart("behind the database's"));
      one.clock.shift(500);
      expect(await ready(one)).toEqual([200, 'ready\n']);
      one.clock.shift(0);
    }
  });

  it('lets another one serve when its clock jumps ahead, by which tokens would have expired', async () => {
    await database.empty();
    const nodes = nodesOver(database, folders());
    const serving = await started(nodes);
    await nodes.owner();
    const { node: waiting } = await started(nodes);
    const token = await signUp((name, fields, by) =>
      ask(waiting.url, name, fields, name === 'newUser' ? CHILD_OPERATOR : by),
    );
    serving.clock.shift(3 * YEAR);
    expect(await nodes.owner(serving.node)).toBe(waiting);
    expect((await serving.node.ended).code).toBe(0);
    await ask(waiting.url, 'getUserInfo', {}, token);
  });
});
