import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { serve, world } from './harness.js';

const STRATEGY = '01920000-0000-7000-8000-000000000001';
const ip = '127.0.0.1';
const anonymous = { kind: 'anonymous' };
const unauthenticated = { code: 'unauthenticated', objects: [] };

describe('the audit log gets an entry', () => {
  it('for an upgrade with an unknown token', async () => {
    const known = world();
    const live = await serve(known);
    const headers = { Authorization: 'wrong' };
    const socket = new WebSocket(`ws://127.0.0.1:${live.port}/ws`, { headers });
    await once(socket, 'unexpected-response');
    const origin = { action: 'authenticate', ip, requestId: 'request-1' };
    expect(known.denied).toEqual([[anonymous, origin, unauthenticated]]);
    await live.stop();
  });

  it('for a frame with an unknown token', async () => {
    const known = world();
    const live = await serve(known);
    const client = await live.connect();
    await client.ask({ action: 'authenticate', token: 'wrong' });
    const origin = { action: 'authenticate', ip, requestId: null };
    expect(known.denied).toEqual([[anonymous, origin, unauthenticated]]);
    await live.stop();
  });

  // oxfmt-ignore
  it.each([
    ['without its scope', 'narrow', `wsBot:${STRATEGY}`, { code: 'unauthenticated', objects: [`bot:${STRATEGY}`] }],
    ['of another strategy', 'bound', `wsOrders:${STRATEGY}`, { code: 'unauthenticated', objects: [`strategy:${STRATEGY}`] }],
    ["of somebody else's notifications", 'ada', 'wsNotifications:bob', { code: 'not_found', objects: [] }],
  ])('for a subscription %s', async (_, token, channel, denial) => {
    const known = world();
    const live = await serve(known);
    const client = await live.connect(token);
    await client.ask({ action: 'subscribe', channels: [channel] });
    const origin = { action: 'subscribe', ip, requestId: null };
    expect(known.denied).toEqual([[known.tokens.get(token), origin, denial]]);
    await live.stop();
  });

  it('for nothing else', async () => {
    const known = world();
    known.hidden.add('gone');
    const live = await serve(known);
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    await client.ask({ action: 'subscribe', channels: ['wsOrders:gone'] });
    await client.ask({ action: 'subscribe', channels: ['nonsense'] });
    expect(known.denied).toEqual([]);
    await live.stop();
  });
});
