import { afterEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { DAY, EVENT_NAMES, EVENT_READS, type EventName } from '@slipstream/domain';
import { type VenueRequest, listen } from '@slipstream/stand-ins';
import { operations } from '@slipstream/wire';
import { composedServer } from '../helpers/composed-server.js';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** A user with two strategies, a token of every scope that is bound to the first, and a receiver. */
async function scene() {
  const got: VenueRequest[] = [];
  const { url, close } = await listen(async (request) => {
    if (request.path === '/ada') return { status: 503, body: '' };
    got.push(request);
    return { status: 200, body: '' };
  });
  closings.push(close);
  const server = await composedServer({
    clock: fixedClock(Date.now()),
    environment: { WEBHOOK_ALLOW: 'loopback', TRADING_HOURS: 'always' },
  });
  closings.push(() => server.close());
  const ada = await server.user('ada');
  const made = async (name: string) =>
    (await server.ask('newStrategy', { type: 'stock', name }, ada)).strategy_id;
  const [own, other] = [await made('Own'), await made('Other')];
  const token = { name: 'bound', scope: ['*'], strategy_ids: [own] };
  const bound = (await server.ask('newToken', token, ada)).token;
  await server.quotes({ 'AAPL:NASDAQ': 100 });
  const fill = (strategy_id: string) =>
    server.ask(
      'newOrder',
      { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '0.001' },
      ada,
    );
  const told = () =>
    got.map(({ path, body }) => [
      path,
      (JSON.parse(body) as { data: { strategy_id: string } }).data.strategy_id,
    ]);
  const send = () => server.application.background.sendEvents();
  return { server, ada, own, other, bound, url, fill, told, send };
}

describe('an endpoint of a token that is bound to strategies', () => {
  it.each(EVENT_NAMES)('hears %s only if the token may call its read', async (name: EventName) => {
    const { server, own, bound, url } = await scene();
    const read = EVENT_READS[name];
    const takesOne = operations[read].request.safeParse({ strategy_id: own }).success;
    const asked = [{ strategy_id: takesOne ? own : [own] }, {}];
    const answers = await Promise.all(asked.map((fields) => server.attempt(read, fields, bound)));
    const mayRead = answers.some(({ status }) => status === 200);
    const levels = name === 'value.crossed' ? { value_levels: ['2'] } : {};
    const endpoint = { kind: 'webhook', url, events: [name], strategy_ids: [own], ...levels };
    const { status } = await server.attempt('newEndpoint', endpoint, bound);
    expect(status).toBe(mayRead ? 200 : 400);
  });

  it('is not told what waited of other strategies, when the token redirects it', async () => {
    const { server, ada, own, other, bound, url, fill, told, send } = await scene();
    const endpoint = { kind: 'webhook', url: `${url}/ada`, events: ['order.filled'] };
    const { endpoint_id } = await server.ask('newEndpoint', endpoint, ada);
    await fill(own);
    await fill(other);
    await send();
    await server.ask('updateEndpoint', { endpoint_id, strategy_ids: [own] }, ada);
    server.clock.advance(DAY);
    const redirected = { endpoint_id, url: `${url}/bound`, strategy_ids: [own] };
    await server.ask('updateEndpoint', redirected, bound);
    await send();
    expect(told()).toEqual([['/bound', own]]);
    const [shown] = await server.ask('getEndpoints', {}, ada);
    expect(shown?.status).toBe('active');
  });
});

describe('a token that is bound to strategies', () => {
  it('changes no endpoint that hears of others, so that it silences none', async () => {
    const { server, ada, own, other, bound, url, fill, told, send } = await scene();
    const heard = { kind: 'webhook', url: `${url}/all`, events: ['order.filled'] };
    for (const strategies of [{}, { strategy_ids: [other] }, { strategy_ids: [own, other] }]) {
      const { endpoint_id } = await server.ask('newEndpoint', { ...heard, ...strategies }, ada);
      const taken = { endpoint_id, url: `${url}/bound`, strategy_ids: [own] };
      const { status } = await server.attempt('updateEndpoint', taken, bound);
      expect(status).toBe(401);
    }
    await fill(other);
    await send();
    expect(told()).toEqual(Array(3).fill(['/all', other]));
  });

  it('changes an endpoint that hears of its own alone', async () => {
    const { server, ada, own, bound, url, fill, told, send } = await scene();
    const heard = { kind: 'webhook', url: `${url}/ada`, events: ['order.filled'] };
    const endpoint = await server.ask('newEndpoint', { ...heard, strategy_ids: [own] }, ada);
    const moved = { endpoint_id: endpoint.endpoint_id, url: `${url}/bound`, strategy_ids: [own] };
    await server.ask('updateEndpoint', moved, bound);
    await fill(own);
    await send();
    expect(told()).toEqual([['/bound', own]]);
  });
});
