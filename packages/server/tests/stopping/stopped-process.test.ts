import { afterEach, describe, expect, it } from '@jest/globals';
import { testDatabase } from '../../../adapter-sql/tests/postgres/database.js';
import {
  CHILD_OPERATOR,
  type ChildServer,
  freshFolders,
  serveIn,
  signUp,
} from '../helpers/child-server.js';
import { ask, attempt } from '../helpers/composed-server.js';
import { type QuietRelay, quietRelay } from '../helpers/quiet-relay.js';
import { nodesOver } from '../helpers/running-nodes.js';
import { SHORTEST_TIME_OUT } from './parties.js';

const folderOf = freshFolders();
const relays: QuietRelay[] = [];
afterEach(() => relays.splice(0).forEach((relay) => relay.close()));

/** Somebody who takes connections and never answers. */
async function silentOne() {
  const relay = await quietRelay();
  relays.push(relay);
  return { url: relay.url, asked: relay.silence() };
}

/** A mail server, the receiver of a webhook and a broker who do not answer, and the settings of a server that asks them. */
async function silence() {
  const [mails, receiver, broker] = [await silentOne(), await silentOne(), await silentOne()];
  return {
    environment: {
      ...{ SMTP_URL: mails.url.replace('http:', 'smtp:'), CONFIRM_EMAIL: 'off' },
      ...{ WEBHOOK_ALLOW: 'loopback', BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: broker.url },
    },
    /** Resolves when all of them are asked: the broker for the answer of a client, who waits. */
    async asked({ url }: ChildServer) {
      const token = await signUp((name, fields, by) =>
        ask(url, name, fields, name === 'newUser' ? CHILD_OPERATOR : by),
      );
      const endpoint = { kind: 'webhook', url: receiver.url, events: ['order.filled'] };
      await ask(url, 'newEndpoint', endpoint, token);
      const { strategy_id } = await ask(url, 'newStrategy', { type: 'stock', name: 'One' }, token);
      await quote(url);
      const order = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '0.001' };
      await ask(url, 'newOrder', order, token);
      const credentials = { key_id: 'PKTESTKEY00000000001', secret_key: 'secret-of-paper' };
      const bot = { type: 'stock', broker: 'alpaca_paper', allocations: [], credentials };
      const client = attempt(url, 'newBot', bot, token);
      await Promise.all([mails.asked, receiver.asked, broker.asked]);
      return { client };
    },
  };
}

const quote = (url: string) =>
  ask(
    url,
    'newQuotes',
    { quotes: [{ stock_id: 'AAPL:NASDAQ', bid: 99.9, ask: 100.1, last: 100 }] },
    CHILD_OPERATOR,
  );

describe('a process that is stopped while nobody outside answers', () => {
  it('answers the client who waits for them, and ends soon', async () => {
    const { environment, asked } = await silence();
    const server = await serveIn(folderOf(), environment);
    const { client } = await asked(server);

    const begun = performance.now();
    server.process.kill('SIGTERM');
    expect((await client).text).toContain('the broker cannot be reached, try again later');
    expect((await server.ended).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(SHORTEST_TIME_OUT);
  });

  it('lets another one of several serve soon', async () => {
    const { environment, asked } = await silence();
    const database = await testDatabase();
    const nodes = nodesOver(database, folderOf());
    const owner = await nodes.start(environment);
    await nodes.owner();
    const other = await nodes.start(environment);
    const { client } = await asked(owner);

    const begun = performance.now();
    owner.process.kill('SIGTERM');
    expect((await client).text).toContain('the broker cannot be reached, try again later');
    expect((await owner.ended).code).toBe(0);
    await nodes.owner(owner);
    await quote(other.url);
    expect(performance.now() - begun).toBeLessThan(SHORTEST_TIME_OUT);
    await database.client.end();
  });
});
