import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ComposedServer, STORAGES, composedServer } from '../helpers/composed-server.js';
import type { Frame } from '../helpers/stream-client.js';
import { OVER_NODES } from '../helpers/three-nodes.js';

const AAPL = 'AAPL:NASDAQ';

interface Alert {
  readonly inbox_id: string;
  readonly verdict: string;
}
const alertOf = ({ data }: Frame): Alert => data as Alert;

describe.each(STORAGES)('the stream of alerts of a server on %s', (storage) => {
  let server: ComposedServer;
  let owner: string;
  let strategy_id: string;
  let channel: string;
  beforeAll(async () => {
    server = await composedServer({ storage });
    owner = await server.user('ada');
    await server.quotes({ [AAPL]: 200 });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, owner));
    channel = `wsAlerts:${strategy_id}`;
  });

  const alert = (fields: object = {}, token = owner) =>
    server.attempt(
      'newOrderWebhook',
      { strategy_id, stock_id: AAPL, action: 'buy', leverage: '0.5', ...fields },
      token,
    );

  it('begins with the very bytes of the read, and continues it', async () => {
    await alert();
    const read = await server.attempt('getAlerts', { strategy_id }, owner);
    const stream = await server.stream(owner);
    await stream.subscribe(channel);
    const [, response] = /^\{"success":true,"response":(.*)\}$/s.exec(read.text) ?? [];
    expect(stream.texts.at(-1)).toMatch(/"data":(.*)\}$/s);
    expect(/"data":(.*)\}$/s.exec(stream.texts.at(-1) ?? '')?.[1]).toBe(response);

    await alert({ leverage: '0.4' });
    await alert({ stock_id: 'nothing' });
    await alert({ action: 'sell', market_position: 'long' });
    await server.call('POST', '/newOrderWebhook', { body: { api_token: owner, strategy_id } });
    const told = (await stream.settled()).filter(({ event }) => event === 'added');
    expect(told.map(({ version, ...frame }) => [version, alertOf(frame).verdict])).toEqual([
      [1, 'accepted'],
      [2, 'refused'],
      [3, 'no_change'],
      [4, 'refused'],
    ]);
    const now = await server.ask('getAlerts', { strategy_id }, owner);
    expect(told.map(({ data }) => data).reverse()).toEqual(now.slice(0, 4));
  });

  it('loses none to a client that comes again', async () => {
    const first = await server.stream(owner);
    await first.subscribe(channel);
    await alert();
    await first.event(channel, 'added');
    first.stop();
    await alert({ leverage: '0.3' });
    const again = await server.stream(owner);
    const [snapshot] = await again.subscribe(channel);
    expect(snapshot?.data).toEqual(await server.ask('getAlerts', { strategy_id }, owner));
    await again.ask({ action: 'unsubscribe', channels: [channel] });
    await alert();
    const [other] = await again.subscribe(channel);
    expect(other?.data).toEqual(await server.ask('getAlerts', { strategy_id }, owner));
  });

  it('misses none of many that come at once, whenever a client subscribes', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => server.stream(owner)));
    const sent = Promise.all(
      Array.from({ length: 40 }, (_, index) => alert({ alert_id: `burst-${index}` })),
    );
    for (const client of clients) await client.subscribe(channel);
    await sent;
    const now = await server.ask('getAlerts', { strategy_id, limit: 40 }, owner);
    for (const client of clients) {
      const frames = (await client.settled()).filter((frame) => frame.channel === channel);
      const snapshot = frames[0]?.data as readonly Alert[];
      const added = frames.filter(({ event }) => event === 'added').map(alertOf);
      // One that came while the snapshot was read again and again may be told twice.
      const told = [...new Set([...added.reverse(), ...snapshot].map(({ inbox_id }) => inbox_id))];
      // The ids of two nodes do not tell the order within milliseconds.
      const seen = OVER_NODES ? told.sort().reverse() : told;
      expect(seen.slice(0, 40)).toEqual(now.map(({ inbox_id }) => inbox_id));
    }
  });

  it('is for the owner alone, with the scope of the read', async () => {
    const follower = await server.user('follower');
    await server.ask('newStrategySubscription', { strategy_id }, follower);
    const { token } = await server.ask('newToken', { name: 'n', scope: ['getOrders'] }, owner);
    const refusalOf = async (caller: string | undefined) => {
      const stream = await server.stream(caller);
      const answer = await stream.ask({ action: 'subscribe', channels: [channel] });
      return [answer.success, String(answer.response)];
    };
    expect(await refusalOf(follower)).toEqual([false, expect.stringContaining('only the owner')]);
    expect(await refusalOf(await server.user('stranger'))).toEqual([
      false,
      expect.stringContaining('only the owner'),
    ]);
    expect(await refusalOf(token)).toEqual([false, 'Authentication failed.']);
    expect(await refusalOf(undefined)).toEqual([false, 'Authentication failed.']);
  });

  it('shows what an alert to somebody else’s strategy says to its sender alone', async () => {
    const sender = await server.user('sender');
    const { user_id } = await server.ask('verifyToken', {}, sender);
    const [theirs, mine] = [await server.stream(sender), await server.stream(owner)];
    await theirs.subscribe(`wsUserAlerts:${user_id}`);
    await mine.subscribe(channel);
    await alert({}, sender);
    await alert({ strategy_id: 'mistyped' }, sender);
    const told = (await theirs.settled()).filter(({ event }) => event === 'added');
    expect(told.map(({ data }) => data)).toMatchObject([
      { verdict: 'refused', strategy_id: null },
      { verdict: 'refused', strategy_id: null },
    ]);
    expect((await mine.settled()).some(({ event }) => event === 'added')).toBe(false);
  });

  it('ends with the token, and with the strategy', async () => {
    const made = await server.ask('newToken', { name: 'n', scope: ['getAlerts'] }, owner);
    const [narrow, whole] = [await server.stream(made.token), await server.stream(owner)];
    await narrow.subscribe(channel);
    await whole.subscribe(channel);
    await server.ask('deleteToken', { token_id: made.token_id }, owner);
    await narrow.event(channel, 'ended');
    expect(await narrow.closed).toBe(1008);
    await server.ask('deleteStrategy', { strategy_id }, owner);
    expect(await whole.event(channel, 'ended')).toMatchObject({
      data: { reason: 'the strategy was deleted' },
    });
    await alert();
    expect(narrow.frames.some(({ event }) => event === 'added')).toBe(false);
    expect((await whole.settled()).at(-2)?.event).toBe('ended');
  });
});
