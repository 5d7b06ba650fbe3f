import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, request } from 'node:https';
import {
  type LocalIdentity,
  type ProxyFault,
  type TlsProxy,
  localIdentity,
  tlsProxy,
} from '@slipstream/stand-ins';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

const FILE = fileURLToPath(
  new URL('../../../../../shared/cases/tradingview_payloads.json', import.meta.url),
);

interface Payload {
  readonly id: string;
  readonly raw_body: string;
  readonly expected_content_type: string;
}

const NO_JSON = 'Request failed. the body must be valid JSON.';
const NO_OBJECT = 'Request failed. the body must be a JSON object.';
const NO_ACTION = 'Request failed. action is required.';

/** What the bodies come to as they were published for other services, with token, strategy_id and stock_id put in. */
// oxfmt-ignore
const AS_PUBLISHED: Readonly<Record<string, string>> = {
  TV01: NO_ACTION, // strategy.order_action
  TV02: 'accepted', TV03: 'accepted', TV04: 'accepted',
  TV05: NO_ACTION, TV06: NO_ACTION, TV07: NO_ACTION, TV08: NO_ACTION, // direction
  TV09: NO_OBJECT, // an array
  TV10: NO_ACTION, // side
  TV11: NO_JSON, TV12: NO_JSON, TV13: NO_JSON, TV14: NO_JSON, TV15: NO_JSON, TV16: NO_JSON, TV17: NO_JSON,
  TV18: NO_ACTION, // c
  TV19: 'accepted', TV20: 'accepted', TV21: 'accepted',
  TV22: NO_ACTION, TV23: NO_ACTION, // order_action
  TV24: NO_JSON, TV25: NO_JSON, TV26: NO_JSON,
  TV27: NO_ACTION, TV28: NO_ACTION, // inside strategy
  TV29: 'accepted',
  TV30: NO_ACTION, // order_action
};

/** Where they carry what is our `action`, and what comes of it on a strategy that holds nothing. */
const WITH_ACTION: Readonly<Record<string, readonly [where: string, verdict: string]>> = {
  TV01: ['strategy.order_action', 'accepted'],
  TV05: ['direction', 'accepted'],
  TV06: ['direction', 'accepted'],
  TV07: ['direction', 'no_change'],
  TV08: ['direction', 'no_change'],
  TV10: ['side', 'accepted'],
  TV18: ['c', 'accepted'],
  TV22: ['order_action', 'no_change'],
  TV23: ['order_action', 'accepted'],
  TV27: ['strategy.order_action', 'accepted'],
  TV28: ['strategy.order.action', 'accepted'],
  TV30: ['order_action', 'accepted'],
};

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, name) => (inner as Record<string, unknown>)[name], value);

/** The body with `fields` where its author would have put them: in each object, else as a line of its own. */
function withFields(body: string, fields: Readonly<Record<string, unknown>>): string {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return `${body}\n${JSON.stringify(fields)}`;
  }
  return JSON.stringify(
    Array.isArray(read)
      ? read.map((item: object) => ({ ...item, ...fields }))
      : { ...(read as object), ...fields },
  );
}

describe('alerts as charting platforms send them', () => {
  if (!existsSync(FILE)) {
    it('are not checked: the published ones (../shared/cases) are absent', () => undefined);
    return;
  }
  const { payloads } = JSON.parse(readFileSync(FILE, 'utf8')) as { payloads: readonly Payload[] };
  const published = payloads.map((payload): [string, Payload] => [payload.id, payload]);
  let server: ComposedServer;
  let owner: string;
  beforeAll(async () => {
    server = await composedServer();
    owner = await server.user('ada');
    await server.quotes({ 'AAPL:NASDAQ': 100 });
  });
  afterAll(() => server.close());

  /** What was answered, and the verdicts of the inbox. */
  async function sent({ raw_body, expected_content_type }: Payload, more: object = {}) {
    const strategy = { type: 'stock', name: 'For one alert' };
    const { strategy_id } = await server.ask('newStrategy', strategy, owner);
    const ids = { api_token: owner, strategy_id, stock_id: 'aapl:nasdaq', ...more };
    const { status, body } = await server.call('POST', '/newOrderWebhook', {
      body: withFields(raw_body, ids),
      headers: { 'content-type': expected_content_type },
    });
    const kept = await server.ask('getAlerts', { strategy_id }, owner);
    return { status, response: body?.response, kept: kept.map(({ verdict }) => verdict) };
  }

  it('are all expected here', () => {
    expect(payloads.map(({ id }) => id)).toEqual(Object.keys(AS_PUBLISHED));
  });

  it.each(published)('%s, as published with token and ids', async (id, payload) => {
    const { status, response, kept } = await sent(payload);
    if (AS_PUBLISHED[id] === 'accepted') {
      expect([status, kept]).toEqual([200, ['accepted']]);
    } else {
      // Where no token can be read there is nobody whose inbox it could be kept in.
      const inbox = AS_PUBLISHED[id] === NO_ACTION ? ['refused'] : [];
      expect([status, response, kept]).toEqual([400, AS_PUBLISHED[id], inbox]);
    }
  });

  it.each(published.filter(([id]) => id in WITH_ACTION))(
    '%s, with its own word for the action under our name',
    async (id, payload) => {
      const [where, verdict] = WITH_ACTION[id] ?? ['', ''];
      const action = at(JSON.parse(payload.raw_body), where);
      const { status, kept } = await sent(payload, { action });
      expect([status, kept]).toEqual([200, [verdict]]);
    },
  );

  /** An address of the platform, which a caller claims in vain: the proxy tells its own. */
  const CLAIMED = '52.89.214.238';
  /** Sends of one alert at most, and what it waits for each, in milliseconds. */
  const [SENDS, PATIENCE] = [4, 3_000];

  describe('through a proxy that ends https', () => {
    let identity: LocalIdentity;
    let proxy: TlsProxy;
    let proxied: ComposedServer;
    let ada: string;
    beforeAll(async () => {
      proxied = await composedServer({ environment: { TRUST_PROXY: '1' } });
      ada = await proxied.user('ada');
      await proxied.quotes({ 'AAPL:NASDAQ': 100 });
      const now = Date.now();
      identity = await localIdentity(now - 86_400_000, now + 86_400_000);
      proxy = await tlsProxy(identity, proxied.url);
    });
    afterAll(async () => {
      await proxy.close();
      await proxied.close();
    });

    it('come over connections that the server keeps for longer than the proxy', async () => {
      const { headers } = await proxied.call('GET', '/healthz');
      expect(headers.get('keep-alive')).toBe('timeout=620');
    });

    /** One send: its status, which a time-out has not. */
    const sendOnce = (body: string, type: string): Promise<number | undefined> =>
      new Promise((resolve) => {
        const sent = request(`${proxy.url}/newOrderWebhook`, {
          ...{ method: 'POST', ca: identity.authority, agent: false },
          signal: AbortSignal.timeout(PATIENCE * 10),
          headers: { 'content-type': type, 'x-forwarded-for': CLAIMED },
        });
        sent.on('response', (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        sent.on('error', () => resolve(undefined));
        sent.end(body);
      });

    /** As the platform does: again after five seconds on 500 to 599 except 504, the same body. */
    async function delivered(body: string, type: string): Promise<(number | undefined)[]> {
      const statuses: (number | undefined)[] = [];
      for (let send = 0; send < SENDS; send += 1) {
        const status = await sendOnce(body, type);
        statuses.push(status);
        if (status === undefined || status < 500 || status > 599 || status === 504) break;
        proxied.clock.advance(5_000);
      }
      return statuses;
    }

    const FAULTS: readonly (readonly ProxyFault[])[] = [
      [],
      ['away'],
      ['cut'],
      ['cut', 'away', 'cut'],
    ];
    it.each(published.map(([id, payload], at) => [id, FAULTS[at % 4] ?? [], payload] as const))(
      '%s is neither lost nor doubled when its sends meet %j',
      async (id, faults, { raw_body, expected_content_type }) => {
        // Sends may come later than quotes are fresh.
        await proxied.quotes({ 'AAPL:NASDAQ': 100 });
        const strategy = { type: 'stock', name: 'For one alert' };
        const { strategy_id } = await proxied.ask('newStrategy', strategy, ada);
        const ids = { api_token: ada, strategy_id, stock_id: 'aapl:nasdaq' };
        proxy.faults.push(...faults);
        const statuses = await delivered(withFields(raw_body, ids), expected_content_type);
        const isTaken = AS_PUBLISHED[id] === 'accepted';
        expect(statuses).toEqual([...faults.map(() => 502), isTaken ? 200 : 400]);
        const alerts = await proxied.ask('getAlerts', { strategy_id }, ada);
        const filled = { strategy_id, order_status: 'filled' };
        const orders = await proxied.ask('getOrders', filled, ada);
        const arrived = [...faults, undefined].filter((fault) => fault !== 'away').length;
        if (!isTaken) return expect([alerts.length % arrived, orders]).toEqual([0, []]);
        expect(alerts.map(({ verdict }) => verdict)).toEqual([
          ...Array<string>(arrived - 1).fill('duplicate'),
          'accepted',
        ]);
        expect(orders).toHaveLength(1);
      },
    );

    it.each([
      ['1', [200, 200, 429, 429, 200]],
      ['0', [200, 200, 429, 429, 429]],
    ])(
      'count each caller by the address that TRUST_PROXY=%s proxies tell',
      async (proxies, expected) => {
        const limits = 'reads=2,writes=1000,alerts=1000,failures=1000';
        const environment = { TRUST_PROXY: proxies, RATE_LIMITS: limits };
        const other = await composedServer({ environment });
        const passing = await tlsProxy(identity, other.url);
        const read = (localAddress: string, claimed: string): Promise<number | undefined> =>
          new Promise((resolve, reject) => {
            const options = { ca: identity.authority, agent: false, localAddress, family: 4 };
            const headers = { 'x-forwarded-for': claimed };
            const asked = get(`${passing.url}/openapi.json`, { ...options, headers }, (answer) => {
              answer.resume().on('end', () => resolve(answer.statusCode));
            });
            asked.on('error', reject);
          });
        try {
          const statuses: unknown[] = [];
          for (const [from, claimed] of [
            ['127.0.0.2', CLAIMED],
            ['127.0.0.2', CLAIMED],
            ['127.0.0.2', CLAIMED],
            ['127.0.0.2', '34.212.75.30'],
            ['127.0.0.3', CLAIMED],
          ] as const)
            statuses.push(await read(from, claimed));
          expect(statuses).toEqual(expected);
        } finally {
          await passing.close();
          await other.close();
        }
      },
    );
  });
});
