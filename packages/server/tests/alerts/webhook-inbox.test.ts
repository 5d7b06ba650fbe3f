import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import type { Log, Storage } from '@slipstream/ports';
import { type Answer } from '../helpers/call.js';
import {
  type ComposedServer,
  IN_SESSION,
  STORAGES,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';

/** What makes of a storage one whose commits wait while the gate is shut. */
function gatedStorage() {
  let open = Promise.resolve();
  let waiting = 0;
  const through = (kept: Storage): Storage => ({
    read: (work) => kept.read(work),
    subscribe: (listener) => kept.subscribe(listener),
    close: () => kept.close(),
    run: async (work) => {
      waiting += 1;
      await open;
      waiting -= 1;
      return kept.run(work);
    },
  });
  return {
    through,
    waiting: () => waiting,
    /** Answers how to open it again. */
    shut: (): (() => void) => {
      let opened = (): void => undefined;
      open = new Promise((resolve) => {
        opened = () => resolve(undefined);
      });
      return opened;
    },
  };
}

/** The log, and everything that was written into it. */
function heard(): Log & { readonly lines: { fields: object; message: string }[] } {
  const lines: { fields: object; message: string }[] = [];
  const note: Log['info'] = (fields, message) => void lines.push({ fields, message });
  return { info: note, warn: note, error: note, lines };
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(1);
}

describe.each(STORAGES)('the webhook inbox of a server on %s', (storage) => {
  let folder: string;
  let clock: FixedClock;
  let log: ReturnType<typeof heard>;
  let gate: ReturnType<typeof gatedStorage>;
  let server: ComposedServer;
  let owner: string;
  let strategy_id: string;

  const start = async () => {
    gate = gatedStorage();
    log = heard();
    server = await composedServer({ storage, folder, clock, log, through: gate.through });
    await server.quotes({ [AAPL]: 100 });
  };
  beforeEach(async () => {
    folder = newFolder();
    clock = fixedClock(IN_SESSION);
    await start();
    owner = await server.user('ada');
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, owner));
  });
  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const step = { stock_id: AAPL, action: 'buy', pyramiding: 2 };
  const alert = (fields: object = {}): Promise<Answer> =>
    server.attempt('newOrderWebhook', { strategy_id, ...step, ...fields }, owner);
  const alerts = () => server.ask('getAlerts', { strategy_id }, owner);
  const verdicts = async () => (await alerts()).map(({ verdict }) => verdict);
  const trades = () => server.ask('getTrades', { strategy_id }, owner);

  /** Sends a POST and goes away after the server has begun to do it and before it could answer. */
  async function sendAndGo(path: string, body: object, headers: object = {}): Promise<void> {
    const open = gate.shut();
    const sent = request(`${server.url}${path}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify(body));
    await until(() => gate.waiting() > 0);
    sent.destroy();
    // Who asks later is answered later: by then the server has seen the end of that connection.
    await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } });
    open();
    await until(() => gate.waiting() === 0);
  }

  it('shows a field that stands twice, which no order is made of', async () => {
    const text = JSON.stringify({ strategy_id, ...step, api_token: owner, leverage: 1 });
    const twice = text.replace('"leverage":1', '"leverage":0.1,"leverage":1');
    const sent = await fetch(`${server.url}/newOrderWebhook`, { method: 'POST', body: twice });
    const reason = 'the body must not have the field "leverage" twice';
    expect(sent.status).toBe(400);
    expect(await sent.json()).toMatchObject({ response: `Request failed. ${reason}.` });
    expect(await alerts()).toMatchObject([{ verdict: 'refused', reason }]);
    const order = JSON.stringify({ strategy_id, stock_id: AAPL, action: 'buy', total: '0.1' });
    const refused = await fetch(`${server.url}/newOrder`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner}` },
      body: order.replace('"total"', '"total":"0.01","total"'),
    });
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([400, 'invalid_json']);
    expect(await trades()).toEqual([]);
  });

  it('lists the outcome of each alert, newest first, in pages', async () => {
    const first = await alert();
    await alert({ action: 'sell', market_position: 'long' });
    await alert({ stock_id: 'NOTHING:NYSE' });
    await alert({ action: 'hold' });
    const all = await alerts();
    expect(all.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['refused', 'action must be one of buy, long, sell, short, close, flat'],
      ['refused', 'stock NOTHING:NYSE does not exist'],
      [
        'no_change',
        'sell is against market_position long, and market_position_size and prev_market_position_size tell no smaller position',
      ],
      ['accepted', null],
    ]);
    expect(all.at(-1)).toMatchObject({
      inbox_id: first.headers.get('x-request-id'),
      order_id: (first.body?.response as { order_id: string }).order_id,
      body: JSON.stringify({ strategy_id, ...step }),
    });
    const page = { strategy_id, limit: 2, cursor: all[1]?.inbox_id };
    expect(await server.ask('getAlerts', page, owner)).toEqual(all.slice(2));
  });

  it('stores an alert with a token for something else, with the reason', async () => {
    const newToken = (fields: object) =>
      server.ask('newToken', { name: 'x', scope: ['newOrder'], ...fields }, owner);
    const other = await server.ask('newStrategy', { type: 'stock', name: 'T' }, owner);
    const tokens = [
      await newToken({ scope: ['getOrders'] }),
      await newToken({ strategy_ids: [other.strategy_id] }),
    ];
    for (const { token } of tokens) {
      const answer = await server.attempt('newOrderWebhook', { strategy_id, ...step }, token);
      expect([answer.status, answer.body?.response]).toEqual([401, 'Authentication failed.']);
    }
    const kept = await server.ask('getAlerts', {}, owner);
    expect(kept.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['refused', 'the token is bound to other strategies'],
      ['refused', 'the token does not have the scope newOrder'],
    ]);
    expect(await trades()).toEqual([]);
  });

  it('counts an answered alert again when it is repeated', async () => {
    await alert();
    await alert();
    expect(await verdicts()).toEqual(['accepted', 'accepted']);
    expect(await trades()).toHaveLength(2);
  });

  it('answers the repeat of an alert whose sender had gone with the first order', async () => {
    await sendAndGo('/newOrderWebhook', { strategy_id, ...step, api_token: owner });
    clock.advance(5_000);
    await server.quotes({ [AAPL]: 101 });
    const again = await alert();
    const { order_id, ask } = again.body?.response as { order_id: string; ask: string };
    expect(ask).toBe('100');
    expect((await trades()).map((trade) => trade.order_id)).toEqual([order_id]);
    expect(await verdicts()).toEqual(['duplicate', 'accepted']);
    await alert();
    expect(await verdicts()).toEqual(['accepted', 'duplicate', 'accepted']);
  });

  it('answers an alert_id with the same bytes forever', async () => {
    const first = await alert({ alert_id: 'bar 7' });
    clock.advance(10 * 24 * 60 * 60 * 1000);
    await server.quotes({ [AAPL]: 150 });
    const again = await alert({ alert_id: 'bar 7' });
    expect(again.text).toBe(first.text);
    expect(await trades()).toHaveLength(1);
  });

  it('stores an alert with an Idempotency-Key once', async () => {
    const headers = { 'idempotency-key': 'one' };
    const body = { strategy_id, ...step, api_token: owner };
    const [first, again] = [
      await server.call('POST', '/newOrderWebhook', { body, headers }),
      await server.call('POST', '/newOrderWebhook', { body, headers }),
    ];
    expect(again.text).toBe(first.text);
    expect(await verdicts()).toEqual(['accepted']);
  });

  it('contains no token, nor does the log', async () => {
    await alert({ note: `it is ${owner}`, [owner]: [owner], stock_id: owner });
    await alert({ alert_id: owner });
    const shown = JSON.stringify([await alerts(), log.lines]);
    expect(shown).toContain('[api_token]');
    expect(shown).not.toContain(owner);
  });

  describe('under an Idempotency-Key', () => {
    const place = (body: object, key = 'one') =>
      server.call('POST', '/newOrder', {
        body: { strategy_id, stock_id: AAPL, action: 'buy', ...body },
        token: owner,
        headers: { 'idempotency-key': key },
      });

    it('places an order once and answers the same bytes again, also concurrently', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => place({ amount: '0.001' })));
      clock.advance(23 * 60 * 60 * 1000);
      await server.quotes({ [AAPL]: 150 });
      answers.push(await place({ amount: '0.001' }));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await trades()).toHaveLength(1);
      const other = await place({ amount: '0.002' });
      expect([other.status, other.headers.get('x-error-code')]).toEqual([
        400,
        'idempotency_conflict',
      ]);
    });

    it('stores no refusal', async () => {
      const refused = await place({ amount: '9' });
      expect(refused.status).toBe(400);
      expect((await place({ amount: '0.001' })).status).toBe(200);
    });

    it('places an order once even if its sender had gone', async () => {
      const body = { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.001' };
      const headers = { authorization: owner, 'idempotency-key': 'one' };
      await sendAndGo('/newOrder', body, headers);
      const { order_id } = (await place({ amount: '0.001' })).body?.response as {
        order_id: string;
      };
      expect((await trades()).map((trade) => trade.order_id)).toEqual([order_id]);
    });

    it.each([
      ['newStrategy', { type: 'stock', name: 'Again' }],
      ['newToken', { name: 'Again', scope: ['getOrders'] }],
      ['updateUserInfo', { bio: 'Again' }],
      ['previewOrderAllocations', { allocations: [] }],
    ])('answers the same %s again', async (name, fields) => {
      const body = name.startsWith('preview') ? { strategy_id, ...fields } : fields;
      const headers = { 'idempotency-key': 'k' };
      const send = () => server.call('POST', `/${name}`, { body, token: owner, headers });
      const first = await send();
      expect(first.status).toBe(200);
      clock.advance(1000);
      expect((await send()).text).toBe(first.text);
    });
  });

  if (storage === 'sqlite') {
    describe('after a restart', () => {
      const restart = async () => {
        await server.close();
        await start();
      };

      it('knows alerts by their alert_id and orders by their key', async () => {
        const key = { 'idempotency-key': 'one' };
        const order = { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.001' };
        const place = () =>
          server.call('POST', '/newOrder', { body: order, token: owner, headers: key });
        const before = [await alert({ alert_id: 'bar 7' }), await place()];
        await restart();
        const after = [await alert({ alert_id: 'bar 7' }), await place()];
        expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
        expect(await trades()).toHaveLength(2);
      });

      it('treats an equal alert within 30 seconds as a repeat, although the answer had been sent', async () => {
        const first = await alert();
        clock.advance(20_000);
        await restart();
        expect((await alert()).text).toBe(first.text);
        clock.advance(11_000);
        await server.quotes({ [AAPL]: 100 });
        expect((await alert()).text).not.toBe(first.text);
        expect(await verdicts()).toEqual(['accepted', 'duplicate', 'accepted']);
      });

      it('has every order that took effect before its answer was sent', async () => {
        const body = { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.001' };
        const headers = { 'idempotency-key': 'one' };
        await sendAndGo('/newOrder', body, { ...headers, authorization: owner });
        await sendAndGo('/newOrderWebhook', { strategy_id, ...step, api_token: owner });
        await restart();
        const answers = [
          await server.call('POST', '/newOrder', { body, token: owner, headers }),
          await alert(),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        const orders = answers.map(
          ({ body: shown }) => (shown?.response as typeof body & { order_id: string }).order_id,
        );
        expect((await trades()).map((trade) => trade.order_id).toSorted()).toEqual(
          orders.toSorted(),
        );
      });
    });
  }
});
