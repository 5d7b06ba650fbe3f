import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type TestDatabase,
  q,
  testDatabase,
} from '../../../adapter-sql/tests/postgres/database.js';
import { CHILD_OPERATOR, freshFolders, signUp } from '../helpers/child-server.js';
import { type Answer, ask, attempt, call } from '../helpers/composed-server.js';
import { faultsOf, nothingPromised } from '../helpers/load.js';
import { NODES_KEY, type Nodes, type RunningNode, nodesOver } from '../helpers/running-nodes.js';
import { runCommand } from '../helpers/run-command.js';

const STOCKS = ['AAPL:NASDAQ', 'MSFT:NASDAQ', 'NVDA:NASDAQ'];
const CLIENTS = 8;
/** Answers with 200 between two faults. */
const ANSWERS = 60;

const folders = freshFolders();
const promised = nothingPromised();
/** What was answered: every text with 200 must be there once, and none with 503. */
const texts = { done: new Set<string>(), refused: new Set<string>() };
const alertIds = new Set<string>();
const statuses = new Map<number | 'cut', number>();
/** The ids of requests that were refused with 503: the audit log must not have them. */
const refusedIds = new Set<string | null>();

let database: TestDatabase;
let nodes: Nodes;
let token: string;
const strategyIds: string[] = [];
let answers = 0;
let isOver = false;

/** What came back; undefined when the connection was cut, or nobody listens. */
async function tried(answer: Promise<Answer>): Promise<Answer | undefined> {
  const found = await answer.catch(() => undefined);
  const status = found?.status ?? 'cut';
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (found?.status === 200) answers += 1;
  if (found?.status === 503) refusedIds.add(found.headers.get('x-request-id'));
  return found;
}

/** Paused now: whoever asks it hears nothing until it goes on. */
let paused: RunningNode | undefined;

/** Each of the nodes that answer in turn. */
const anyNode = (turn: number): string => {
  const all = nodes.all().filter((node) => node !== paused);
  return all[turn % all.length]?.url ?? 'http://127.0.0.1:1';
};

/** Sent again until it is answered. */
async function insisted(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await tried(send());
    if (answer && answer.status !== 503) return answer;
  }
}

/** One client that asks each node in turn. */
async function work(client: number): Promise<void> {
  for (let turn = client; !isOver; turn += 1) {
    const name = `${client}-${turn}`;
    const strategy_id = strategyIds[turn % strategyIds.length] ?? '';
    const stock_id = STOCKS[turn % STOCKS.length] ?? '';
    if (turn % 4 === 0) {
      const post = await tried(attempt(anyNode(turn), 'newPost', { text: name }, token));
      if (post?.status === 200) texts.done.add(name);
      if (post?.status === 503) texts.refused.add(name);
    } else if (turn % 4 === 1) {
      const headers = { 'idempotency-key': name };
      const body = { text: `keyed ${name}` };
      const sent = () => call(anyNode(turn), 'POST', '/newPost', { body, token, headers });
      expect((await insisted(sent)).status).toBe(200);
      texts.done.add(`keyed ${name}`);
    } else if (turn % 4 === 2) {
      const alert = { strategy_id, stock_id, action: turn % 8 === 2 ? 'buy' : 'sell' };
      const sized = { ...alert, leverage: 0.1, pyramiding: 3, alert_id: name };
      await insisted(() => attempt(anyNode(turn), 'newOrderWebhook', sized, token));
      alertIds.add(name);
    } else {
      const order = { strategy_id, stock_id, action: turn % 8 === 3 ? 'buy' : 'sell' };
      const placed = await tried(
        attempt(anyNode(turn), 'newOrder', { ...order, total: '0.0001' }, token),
      );
      if (placed?.status !== 200) continue;
      const { order_id } = placed.body?.response as { order_id: string };
      const known = promised.orders.get(strategy_id) ?? new Set();
      promised.orders.set(strategy_id, known.add(order_id));
    }
  }
}

/** Resolves when so many requests more were answered. */
async function progress(more: number): Promise<void> {
  const until = answers + more;
  while (answers < until) await database.client.query(q('SELECT 1'));
}

/** Quotes from before a start trade nothing. */
const quote = async (): Promise<void> => {
  const quotes = STOCKS.map((stock_id) => ({ stock_id, bid: 99.99, ask: 100.01, last: 100 }));
  for (let turn = 0; ; turn += 1) {
    const answer = await attempt(anyNode(turn), 'newQuotes', { quotes }, CHILD_OPERATOR).catch(
      () => undefined,
    );
    if (answer?.status === 200) return;
  }
};

/** Does it to the node that owns the database, or to another one, and starts one in its place. */
async function hit(which: 'owner' | 'other', fault: (node: RunningNode) => unknown) {
  const owner = await nodes.owner();
  const node = which === 'owner' ? owner : nodes.all().find((one) => one !== owner);
  if (!node) throw new Error('there is no other node');
  await fault(node);
  await node.ended;
  await nodes.start();
  await quote();
  await progress(ANSWERS);
}

beforeAll(async () => {
  database = await testDatabase();
  nodes = nodesOver(database, folders());
  for (let started = 0; started < 3; started += 1) await nodes.start();
  const { url } = await nodes.owner();
  token = await signUp((name, fields, by) => ask(url, name, fields, by));
  for (const name of ['One', 'Two', 'Three'])
    strategyIds.push((await ask(url, 'newStrategy', { type: 'stock', name }, token)).strategy_id);
  await quote();
}, 60_000);
afterAll(() => database.client.end());

describe('three nodes under load, of which one after another is killed, paused or stopped', () => {
  it('lose no answered request, do none twice, and none that they refused', async () => {
    const clients = Array.from({ length: CLIENTS }, (_, client) => work(client));
    await progress(ANSWERS);
    await hit('owner', (node) => node.process.kill('SIGKILL'));
    await hit('other', (node) => node.process.kill('SIGKILL'));
    await hit('owner', async (node) => {
      paused = node;
      node.process.kill('SIGSTOP');
      await nodes.owner(node);
      await quote();
      await progress(ANSWERS);
      node.process.kill('SIGCONT');
    });
    await hit('owner', (node) => node.process.kill('SIGTERM'));
    await hit('owner', (node) => node.process.kill('SIGKILL'));
    isOver = true;
    await Promise.all(clients);

    const { rows } = await database.client.query(
      q('SELECT text, count(*) AS count FROM posts GROUP BY text'),
    );
    const counts = new Map(
      (rows as readonly { text: string; count: number }[]).map(({ text, count }) => [text, count]),
    );
    expect([...texts.done].filter((text) => counts.get(text) !== 1)).toEqual([]);
    expect([...texts.refused].filter((text) => counts.has(text))).toEqual([]);
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);

    const changed = await database.client.query(
      q('SELECT request_id FROM audit_entries WHERE request_id = ANY(?)', [...refusedIds]),
    );
    expect(changed.rows).toEqual([]);

    const alerts = await database.client.query(
      q(`SELECT alert_id, count(*) AS count FROM alerts WHERE verdict <> 'duplicate'
         AND verdict <> 'refused' GROUP BY alert_id`),
    );
    const taken = alerts.rows as readonly { alert_id: string; count: number }[];
    expect(taken.filter(({ count }) => count > 1)).toEqual([]);

    for (const strategyId of strategyIds) {
      const told = await Promise.all(
        nodes.all().map(async ({ url }) => ({
          faults: await faultsOf(url, token, strategyId, promised),
          positions: (await attempt(url, 'getPositions', { strategy_id: strategyId }, token)).text,
        })),
      );
      expect(told.flatMap(({ faults }) => faults)).toEqual([]);
      expect(new Set(told.map(({ positions }) => positions)).size).toBe(1);
    }
    const environment = { DATABASE_URL: database.url, SECRET_KEY: NODES_KEY };
    expect((await runCommand(['audit', '--verify'], environment)).out).toMatch(/is intact/);
    expect(alertIds.size).toBeGreaterThan(0);
    expect([...statuses.keys()].filter((status) => status === 500)).toEqual([]);
  }, 240_000);
});
