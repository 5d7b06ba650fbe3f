import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testSecrets } from '@slipstream/adapter-memory/testing';
import type { Storage } from '@slipstream/ports';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { StreamClient } from '../helpers/stream-client.js';
import { itOne } from '../helpers/three-nodes.js';

/** One user does the worst that the limits allow, scaled down; what is counted is what the others pay. */
describe('a hostile neighbour', () => {
  const SILENT = 30;
  const MINUTE = 60_000;
  let server: ComposedServer;
  let [hostile, another, other, victim] = ['', '', '', ''];
  let ofVictim = '';
  let [reads, verified] = [0, 0];

  beforeAll(async () => {
    const counted = (kept: Storage): Storage => ({
      run: (work, options) => kept.run(work, options),
      subscribe: (listener) => kept.subscribe(listener),
      close: () => kept.close(),
      read: (work) => {
        reads += 1;
        return kept.read(work);
      },
    });
    const { passwords: plain } = testSecrets();
    const passwords: typeof plain = {
      ...plain,
      verify: async (hash, password) => {
        verified += 1;
        return plain.verify(hash, password);
      },
    };
    server = await composedServer({
      environment: {
        RATE_LIMITS: 'reads=300,writes=40,alerts=20,failures=30',
        CONNECTION_LIMITS: `address=${SILENT + 20},user=5,anonymous=3`,
        CAPS: 'strategies=20,alerts=10,dependencies=10',
      },
      adapters: { passwords },
      through: counted,
    });
    [hostile, victim] = [await server.user('hostile'), await server.user('victim')];
    [another, other] = [await server.user('another'), await server.user('other')];
    await server.quotes({ 'AAPL:NASDAQ': 100 });
    const made = await server.ask('newStrategy', { type: 'stock', name: 'calm' }, victim);
    ofVictim = made.strategy_id;
  });
  afterAll(() => server.close());

  /** The victim's alert, that must be answered as if nobody else were there. */
  const alerted = async (): Promise<number> => {
    const alert = { strategy_id: ofVictim, stock_id: 'AAPL:NASDAQ', action: 'buy' };
    return (await server.attempt('newOrderWebhook', alert, victim)).status;
  };
  const figure = async (name: string): Promise<number> => {
    const { text } = await server.call('GET', '/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 'NaN');
  };

  /** Open files and sockets of this process; nothing where the system does not tell. */
  const descriptors = (): number =>
    existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0;

  const itCounted = itOne(
    "a connection is counted by the node that takes it, and these figures are the other one's",
  );
  itCounted('with silent sockets displaces only itself', async () => {
    const { hostname, port } = new URL(server.url);
    const before = descriptors();
    const sockets: Socket[] = [];
    let closed = 0;
    for (let count = 0; count < 3 * SILENT; count++) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined).once('close', () => (closed += 1));
      sockets.push(socket);
      await once(socket, 'connect');
    }
    expect(await alerted()).toBe(200);
    while (closed < SILENT) await turn();
    const dropped = 'slipstream_connections_dropped_total\\{reason="crowded_out"\\}';
    expect(await figure(dropped)).toBeGreaterThanOrEqual(SILENT);
    for (const socket of sockets) socket.destroy();
    while (closed < sockets.length) await turn();
    for (let round = 0; round < 20; round++) await turn();
    // A connection of the alert may be kept for the next one.
    expect(descriptors()).toBeLessThanOrEqual(before + 3);
  });

  it('has the streams of one user, whatever the tokens', async () => {
    const more = await server.ask('newToken', { name: 'more', scope: ['*'] }, hostile);
    const clients: StreamClient[] = [];
    for (const token of [hostile, more.token, hostile, more.token, hostile])
      clients.push(await server.stream(token));
    await expect(StreamClient.open(server.url, more.token)).rejects.toThrow('429');
    expect((await server.stream(victim)).frames).toEqual([]);
    expect(await figure('slipstream_upgrades_refused_total\\{status="429"\\}')).toBe(1);
    for (const client of clients) client.stop();
  });

  it('renames a strategy under everybody’s streams without one more read', async () => {
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'stock', name: 'loud' },
      hostile,
    );
    const rename = async (name: string): Promise<number> => {
      const before = reads;
      await server.ask('updateStrategy', { strategy_id, name }, hostile);
      for (let round = 0; round < 20; round++) await turn();
      return reads - before;
    };
    const alone = await rename('one');
    const clients = [await server.stream(victim), await server.stream(victim)];
    for (const client of clients)
      await client.subscribe(`wsStrategyValue:${strategy_id}`, `wsPositions:${ofVictim}`);
    expect(await rename('two')).toBe(alone);
    for (const client of clients) client.stop();
  });

  it('pays the cost of large lists, and is the only one refused', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `id-${index}`);
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++)
      statuses.push(
        (await server.attempt('getStrategyValues', { strategy_id: ids }, hostile)).status,
      );
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(300 / 11);
    expect(statuses.at(-1)).toBe(429);
    expect((await server.attempt('getStrategyValues', { strategy_id: ids }, victim)).status).toBe(
      200,
    );
    expect(await alerted()).toBe(200);
  });

  it('requests many exports at once, and pays for each', async () => {
    server.clock.advance(MINUTE);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => server.attempt('getUserExport', {}, another)),
    );
    const made = all.filter(({ status }) => status === 200);
    expect(made.length).toBeLessThanOrEqual(300 / 100);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(all.length - made.length);
    expect((await server.attempt('getUserExport', {}, victim)).status).toBe(200);
    expect(await alerted()).toBe(200);
  });

  it('guesses a password many times at once, and few guesses are checked', async () => {
    const account = { email: 'guessed@example.com', password: 'correct horse battery' };
    await server.ask('newUser', account);
    verified = 0;
    const guesses = Array.from({ length: 40 }, (_, index) =>
      server.attempt('newSession', { ...account, password: `guess number ${index}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(verified).toBeLessThanOrEqual(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40 - verified);
    expect(await alerted()).toBe(200);
  });

  it('sends alerts that are refused and stored, up to its cap', async () => {
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'spam' }, other);
    const kept = async (token: string) => (await server.ask('getAlerts', {}, token)).length;
    const ofOthers = await kept(victim);
    for (let count = 0; count < 18; count++) {
      const refused = { strategy_id, stock_id: 'nothing', action: 'buy' };
      expect((await server.attempt('newOrderWebhook', refused, other)).status).toBe(400);
    }
    server.clock.advance(MINUTE);
    await server.application.background.tick();
    expect(await kept(other)).toBe(10);
    expect(await kept(victim)).toBe(ofOthers);
    expect(await alerted()).toBe(200);
  });

  it('makes the deepest chain of orders, at the cost of a shallow one', async () => {
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'deep' }, other);
    const far = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', type: 'limit', price: '1' };
    let order_dependencies: string[] = [];
    const work: number[] = [];
    for (let depth = 0; depth <= 10; depth++) {
      const before = reads;
      const order = { ...far, amount: '0.001', order_dependencies };
      order_dependencies = [(await server.ask('newOrder', order, other)).order_id];
      work.push(reads - before);
    }
    expect(new Set(work).size).toBe(1);
    const deeper = { ...far, amount: '0.001', order_dependencies };
    expect((await server.attempt('newOrder', deeper, other)).text).toContain('10 deep at most');
    const asked = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', order_dependencies };
    expect((await server.attempt('getMaxOrderSize', asked, other)).status).toBe(200);
    expect(await alerted()).toBe(200);
  });

  it('floods alerts with unknown tokens without delaying a valid one', async () => {
    const wrong = () => server.attempt('newOrderWebhook', { strategy_id: ofVictim }, 'nobody');
    const statuses = await Promise.all(Array.from({ length: 30 }, wrong));
    expect(statuses.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(statuses.filter(({ status }) => status === 503)).toHaveLength(10);
    expect(await alerted()).toBe(200);
  });
});
