import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import request from 'supertest';
import { httpServer } from '../src/connections/http-server.js';
import { aStock, anOrder, served } from './stand-in.js';

const orderView = { stock: aStock, quote: undefined, order: anOrder, waitingReason: 'quote' };
const alert = { strategy_id: 's', stock_id: 'x', action: 'buy', api_token: 'orders' };

const sent = async (body: string) => {
  const world = served({ newOrderWebhook: () => orderView });
  const answer = await request(world.app)
    .post('/newOrderWebhook')
    .set('Content-Type', 'text/plain')
    .send(body);
  return { ...world, answer };
};

describe('an alert', () => {
  it('reaches the application with the received text, under the id of its request', async () => {
    const { otherCalls, answer } = await sent(` ${JSON.stringify({ ...alert, note: 'é' })}\n`);
    expect(answer.headers['x-request-id']).toBe('request-1');
    expect(otherCalls[0]).toEqual([
      'newOrderWebhook',
      {
        id: 'request-1',
        body: '{"strategy_id":"s","stock_id":"x","action":"buy","note":"é"}',
        isWanted: expect.any(Function),
      },
    ]);
  });

  it('is never answered compressed', async () => {
    const long = { ...orderView, stock: { ...orderView.stock, name: 'long '.repeat(2_000) } };
    const answer = await request(served({ newOrderWebhook: () => long }).app)
      .post('/newOrderWebhook')
      .set('Accept-Encoding', 'gzip')
      .send(alert);
    expect(answer.text.length).toBeGreaterThan(10_000);
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('whose answer was delivered is recorded as answered', async () => {
    const { otherCalls } = await sent(JSON.stringify(alert));
    expect(otherCalls.slice(1)).toEqual([['alertAnswered', 'request-1']]);
  });

  describe('over a connection that its sender closes', () => {
    const body = JSON.stringify(alert);
    const written = `POST /newOrderWebhook HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

    /** The server's side and the sender's side of one connection; the alert is answered when `answer` is called. */
    async function connected() {
      let answer = (): void => undefined;
      const asked = new Promise<void>((resolve) => (answer = resolve));
      const world = served({
        newOrderWebhook: async () => {
          await asked;
          return orderView;
        },
      });
      const { server } = httpServer(world.app);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const sender = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const [socket] = (await once(server, 'connection')) as [Socket];
      sender.write(written);
      await once(server, 'request');
      const close = async () => {
        sender.destroy();
        server.close();
        await once(server, 'close');
      };
      return { ...world, answer, sender, socket, close };
    }
    /** Resolves on an error too. */
    const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
    const answers = (otherCalls: readonly (readonly unknown[])[]) => otherCalls.slice(1);

    it.each([
      ['with its request', (sender: Socket) => sender.end(written)],
      ['with its request, and reads nothing', (sender: Socket) => sender.pause().end(written)],
    ])('%s: it may be repeated', async (_, send) => {
      const world = served({ newOrderWebhook: () => orderView });
      const { server } = httpServer(world.app);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const sender = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const [socket] = (await once(server, 'connection')) as [Socket];
      send(sender);
      await closed(socket);
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      expect(answers(world.otherCalls).at(-1)).not.toEqual(['alertAnswered', 'request-1']);
      sender.destroy();
      server.close();
      await once(server, 'close');
    });

    it('before the answer: it may be repeated', async () => {
      const { otherCalls, answer, sender, socket, close } = await connected();
      sender.end();
      await once(socket, 'end');
      answer();
      await closed(socket);
      expect(answers(otherCalls)).toEqual([]);
      await close();
    });

    it('after the answer: it may not be repeated', async () => {
      const { otherCalls, answer, sender, socket, close } = await connected();
      answer();
      await once(sender, 'data');
      sender.end();
      await closed(socket);
      expect(answers(otherCalls)).toEqual([['alertAnswered', 'request-1']]);
      await close();
    });

    it('by a reset the delivery is unknown: it may be repeated', async () => {
      const { otherCalls, answer, sender, socket, close } = await connected();
      answer();
      await once(sender, 'data');
      sender.resetAndDestroy();
      await closed(socket);
      expect(answers(otherCalls)).toEqual([
        ['alertAnswered', 'request-1'],
        ['alertLost', 'request-1'],
      ]);
      await close();
    });
  });

  it('never shows its token, at any place and in any spelling', async () => {
    const hidden = '\\u006frders';
    const { otherCalls, calls } = await sent(
      `{"strategy_id":"s","stock_id":"orders","action":"buy","api_token":"orders","alert_id":"my orders","a":{"b":["Bearer ${hidden}"]},"${hidden}":1}`,
    );
    expect(JSON.stringify([otherCalls, calls.map(([, , command]) => command)])).not.toContain(
      'orders',
    );
    expect(calls[0]?.[2]).toMatchObject({ stock: '[api_token]', alertId: 'my [api_token]' });
  });

  it.each(['plain', 'escaped'])(
    'never shows another token that was pasted into it: %s',
    async (how) => {
      const other = `slipa_${'Ab1'.repeat(12)}zz`;
      const written = how === 'plain' ? other : other.replace('s', '\\u0073');
      const { otherCalls, calls } = await sent(
        `{"strategy_id":"s","stock_id":"x","action":"buy","api_token":"orders","alert_id":"my ${written}","a":["${written}"],"${written}":1}`,
      );
      expect(JSON.stringify([otherCalls, calls.map(([, , command]) => command)])).not.toContain(
        'Ab1Ab1',
      );
      expect(calls[0]?.[2]).toMatchObject({ alertId: 'my [api_token]' });
    },
  );

  it('may have blanks around its values, and unfilled placeholders', async () => {
    const blanks = {
      ...alert,
      strategy_id: ' s ',
      leverage: ' 1.5 ',
      market_position: '',
      alert_id: null,
    };
    const { answer, calls } = await sent(JSON.stringify({ ...blanks, api_token: ' orders ' }));
    expect(answer.status).toBe(200);
    expect(calls[0]?.[2]).toMatchObject({ strategyId: 's', marketPosition: undefined });
  });

  it.each(['{{strategy.order.id}}', 'bar {{ time }}'])(
    'has no id of its own if the platform left a placeholder in it: %s',
    async (alert_id) => {
      const { calls } = await sent(JSON.stringify({ ...alert, alert_id }));
      expect(calls[0]?.[2]).toMatchObject({ alertId: undefined });
    },
  );

  it.each([
    [{ ...alert, action: 'hold' }, 'action must be one of buy, long, sell, short, close, flat'],
    [{ ...alert, strategy_id: undefined }, 'strategy_id is required'],
    [{ ...alert, alert_id: 'x'.repeat(101) }, 'alert_id must have 1 to 100 characters'],
    [{ ...alert, alert_id: 2 ** 53 }, expect.stringContaining('alert_id must be in quotes')],
    [{ ...alert, leverage: '' }, expect.stringContaining('leverage must')],
  ])('that cannot be read is stored with the reason: %j', async (body, reason) => {
    const { otherCalls, answer } = await sent(JSON.stringify(body));
    expect(answer.status).toBe(400);
    expect(otherCalls).toEqual([
      [
        'keepRefusedAlert',
        expect.objectContaining({ stock: 'x' }),
        reason,
        expect.objectContaining({ id: 'request-1' }),
      ],
    ]);
  });

  it.each([
    ['of another scope', 'other', 'the token does not have the scope newOrder'],
    ['that is a refresh token', 'refresh', 'the token does not have the scope newOrder'],
    ['bound to other strategies', 'bound', 'the token is bound to other strategies'],
  ])(
    'with a token %s is stored with the reason, which its sender does not get',
    async (_, token, why) => {
      const { otherCalls, answer } = await sent(JSON.stringify({ ...alert, api_token: token }));
      expect([answer.status, answer.body]).toEqual([
        401,
        { success: false, response: 'Authentication failed.' },
      ]);
      const [command, delivered] = [{ strategyId: 's' }, { id: 'request-1' }].map((fields) =>
        expect.objectContaining(fields),
      );
      expect(otherCalls).toEqual([['keepRefusedAlert', command, why, delivered]]);
    },
  );

  it('is processed within 2.5 seconds of its arrival, because its sender gives up after 3', async () => {
    let now = 100;
    const wanted: boolean[] = [];
    const { app } = served(
      {
        newOrderWebhook: (_: never, delivery?: { isWanted(): boolean }) => {
          for (now of [2599, 2600]) wanted.push(delivery?.isWanted() ?? true);
          return orderView;
        },
      },
      { elapsed: () => now },
    );
    await request(app).post('/newOrderWebhook').send(alert);
    expect(wanted).toEqual([true, false]);
  });

  it('is answered before its sender gives up, even if nobody has come to it by then', async () => {
    let now = 0;
    const { app } = served(
      { newOrderWebhook: () => new Promise(() => undefined) },
      { elapsed: () => (now += 1_249) },
    );
    const { status, headers } = await request(app).post('/newOrderWebhook').send(alert);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
  });

  it.each([
    ['without a token', JSON.stringify({ ...alert, api_token: undefined }), 401],
    ['with a wrong token', JSON.stringify({ ...alert, api_token: 'guess' }), 401],
    ['that is no JSON', 'buy AAPL', 400],
  ])('%s is not stored', async (_, body, status) => {
    const { otherCalls, answer } = await sent(body);
    expect([answer.status, otherCalls]).toEqual([status, []]);
  });

  it.each([
    ['1', '1'],
    [12, '12'],
  ])('may name itself by %j', async (name, alertId) => {
    const { calls } = await sent(JSON.stringify({ ...alert, alert_id: name }));
    expect(calls[0]?.[2]).toMatchObject({ alertId });
  });
});

describe('an Idempotency-Key', () => {
  const order = { strategy_id: 's', stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '1' };
  const place = (key: string) => {
    const world = served({ newOrder: () => orderView, getTokens: () => [] });
    const answer = request(world.app)
      .post('/newOrder')
      .set({ Authorization: 'orders', 'Idempotency-Key': key })
      .send(order);
    return { ...world, answer };
  };

  it('is passed on with caller, route and the unchanged body', async () => {
    const { answer, otherCalls } = place('k-1 ~');
    expect((await answer).status).toBe(200);
    expect(otherCalls).toEqual([
      [
        'idempotently',
        {
          caller: 'token token-newOrder',
          userId: 'user-1',
          route: 'newOrder',
          key: 'k-1 ~',
          body: JSON.stringify(order),
        },
      ],
    ]);
  });

  it.each([
    ['x'.repeat(255), 200],
    ['x'.repeat(256), 400],
    ['', 400],
    ['é', 400],
    ['a\tb', 400],
  ])('%j: %d', async (key, status) => {
    const { answer, calls } = place(key);
    const { status: given, headers } = await answer;
    expect(given).toBe(status);
    expect(calls).toHaveLength(status === 200 ? 1 : 0);
    if (status === 400) expect(headers['x-error-code']).toBe('invalid_field');
  });

  it('is ignored for a GET and for newSession', async () => {
    const { app, otherCalls } = served({
      getTokens: () => [],
      newSession: () => ({ token: 't', tokenId: 'i', userId: 'u', expiresAt: 0 }),
    });
    const key = { Authorization: 'all', 'Idempotency-Key': 'k' };
    const read = await request(app).get('/getTokens').set(key);
    const session = await request(app)
      .post('/newSession')
      .set(key)
      .send({ email: 'a@b.c', password: 'long enough to do' });
    expect([read.status, session.status, otherCalls]).toEqual([200, 200, []]);
  });
});
