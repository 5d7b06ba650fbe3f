import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationName } from '@slipstream/wire';
import {
  type ComposedServer,
  OPERATOR_TOKEN,
  STORAGES,
  composedServer,
} from '../helpers/composed-server.js';
import { AAPL, RAW, REFUSED, type Scene, UNAUTHENTICATED, openScene } from './refused-input.js';

describe.each(STORAGES)('a refusal of a server on %s', (storage) => {
  let server: ComposedServer;
  let scene: Scene;
  let before: string;
  const state = async (): Promise<string> => {
    const { owner } = scene.tokens;
    const { mine, other } = scene;
    const read = async (name: OperationName, fields: Record<string, unknown>) =>
      (await server.attempt(name, fields, owner)).text;
    return [
      await read('getPositions', { strategy_id: mine }),
      await read('getOrders', { strategy_id: mine }),
      await read('getOrders', { strategy_id: mine, order_status: 'cancelled' }),
      await read('getOrders', { strategy_id: other }),
      await read('getBots', {}),
      await read('getTokens', {}),
      await read('getStrategySubscriptions', {}),
      await read('getStocks', { stock_id: [AAPL] }),
    ].join('\n');
  };
  beforeAll(async () => {
    server = await composedServer({ storage });
    scene = await openScene(server);
    before = await state();
  });
  afterAll(() => server.close());

  it.each(REFUSED)(
    'refuses %s, with a reason and without an effect',
    async (_, operation, fields, reason, as = 'owner') => {
      const { status, body, headers } = await server.attempt(
        operation,
        fields(scene),
        scene.tokens[as],
      );
      const { success, response } = body as { success: boolean; response: string };
      expect({ status, success }).toEqual({ status: 400, success: false });
      expect(response).toMatch(/^Request failed\. \S.*\.$/s);
      expect(response.slice('Request failed. '.length)).toEqual(
        typeof reason === 'string' ? reason : expect.stringMatching(reason),
      );
      expect(headers.get('x-error-code')).toMatch(/^[a-z_]+$/);
      expect(response).not.toMatch(/undefined|\[object|NaN|at .*\.js/);
      expect(await state()).toBe(before);
    },
  );

  it.each(UNAUTHENTICATED)(
    'answers %s with 401 and without an effect',
    async (_, operation, fields, as) => {
      const { status, text, headers } = await server.attempt(
        operation,
        fields(scene),
        scene.tokens[as],
      );
      expect({ status, text }).toEqual({
        status: 401,
        text: '{"success":false,"response":"Authentication failed."}',
      });
      expect(headers.get('x-error-code')).toBe('unauthenticated');
      expect(await state()).toBe(before);
    },
  );

  it.each(RAW)('refuses %s', async (_, body, reason) => {
    const { status, body: answer } = await server.call('POST', '/newOrder', {
      body,
      token: scene.tokens.owner,
    });
    expect(status).toBe(400);
    expect(answer?.response).toContain(`Request failed. ${reason}`);
    expect(await state()).toBe(before);
  });

  it.each([
    ['newOrder', 64],
    ['newOrderWebhook', 8],
    ['newQuotes', 1024],
  ])('accepts %s up to %d KiB and no byte more', async (name, kib) => {
    const token = name === 'newQuotes' ? OPERATOR_TOKEN : scene.tokens.owner;
    const send = (bytes: number) =>
      server.call('POST', `/${name}`, { token, body: `"${'x'.repeat(bytes - 2)}"` });
    expect((await send(kib * 1024)).status).toBe(400);
    const { status, body, headers } = await send(kib * 1024 + 1);
    expect(status).toBe(413);
    expect(body).toMatchObject({ success: false });
    expect(headers.get('x-error-code')).toBe('body_too_large');
    expect(await state()).toBe(before);
  });

  it('answers hidden objects exactly as missing ones', async () => {
    const { owner } = scene.tokens;
    const hidden = await server.attempt('getPositions', { strategy_id: scene.hidden }, owner);
    const absent = await server.attempt('getPositions', { strategy_id: 'absent' }, owner);
    expect(hidden.text.replace(scene.hidden, 'absent')).toBe(absent.text);
    expect(
      await server.ask(
        'getStrategies',
        { strategy_id: [scene.hidden, scene.mine, 'nope', scene.mine] },
        owner,
      ),
    ).toMatchObject([{ strategy_id: scene.mine }]);
  });
});
