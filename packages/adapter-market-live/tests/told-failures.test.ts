import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { DAY, decimal } from '@slipstream/domain';
import { alpacaActions, alpacaCalendar, alpacaSnapshots } from '../src/index.js';
import { steps } from './scene.js';

const NOW = Date.UTC(2026, 2, 4, 15);
const quiet = () => undefined;
const stocks = instruments().filter(({ symbol }) => ['AAPL', 'MSFT', 'GOOG'].includes(symbol));

const page = '<html><body>Bad gateway</body></html>';
const refused = (status: number, message: string) =>
  Promise.resolve(new Response(JSON.stringify({ message }), { status }));
/** As Node's own `fetch` fails: why stands in the cause alone. */
const failed = (cause: Error) => Promise.reject(new TypeError('fetch failed', { cause }));

/** What Alpaca does, and what the log says of it. */
const FAILURES: [string, () => Promise<Response>, string][] = [
  ['a page of a proxy', () => Promise.resolve(new Response(page, { status: 502 })), 'answered 502'],
  [
    'such a page with a 400',
    () => Promise.resolve(new Response(page, { status: 400 })),
    'answered 400',
  ],
  ['nothing with a 401', () => Promise.resolve(new Response('', { status: 401 })), 'answered 401'],
  ['too much', () => refused(429, 'too many requests.'), 'answered 429 too many requests.'],
  [
    'a key without that feed',
    () => refused(403, 'subscription does not permit querying recent SIP data'),
    'answered 403 subscription does not permit querying recent SIP data',
  ],
  ['a long reason', () => refused(500, 'x'.repeat(100_000)), `answered 500 ${'x'.repeat(200)}`],
  [
    'a page instead of an answer',
    () => Promise.resolve(new Response(page, { status: 200 })),
    'answered 200 with what is no JSON',
  ],
  [
    'a name that is not found',
    () => failed(new Error('getaddrinfo ENOTFOUND data.alpaca.markets')),
    'could not be reached: getaddrinfo ENOTFOUND data.alpaca.markets',
  ],
  [
    'several addresses that take no connection',
    () => failed(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })),
    'could not be reached: ECONNREFUSED',
  ],
];

describe.each(FAILURES)('%s', (_, answer, told) => {
  let asked = 0;
  const fetch = (): Promise<Response> => {
    asked += 1;
    return answer();
  };
  const key = { keyId: 'PKDATA', secret: 'secret', fetch };
  beforeEach(() => {
    asked = 0;
  });
  const log = { info: quiet, warn: quiet, error: quiet };

  it('is told of quotes', async () => {
    const { clock, timers, pass } = steps(NOW, async () => {
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    });
    const reasons: unknown[] = [];
    const source = alpacaSnapshots({
      ...key,
      feed: 'iex',
      random: () => 0.5,
      log: { ...log, warn: (fields: object) => void reasons.push(fields) },
      maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
      freshFor: 60_000,
    });
    source.start(stocks, { quotes: quiet, lost: quiet, status: quiet }, clock.now);
    timers.every(100, () => source.beat());
    await pass(1_000);
    source.stop();
    expect(reasons).toMatchObject([{ reason: `it ${told}` }]);
    expect(asked).toBe(1);
  });

  it('is told of corporate actions and of the calendar', async () => {
    const actions = alpacaActions({ ...key, log }).between(stocks, NOW, NOW + DAY);
    await expect(actions).rejects.toThrow(told);
    expect(asked).toBe(1);
    await expect(alpacaCalendar(key).between('2026-03-04', '2026-03-10')).rejects.toThrow(told);
  });
});

it('no answer in time is told as that', async () => {
  const { clock, timers, pass } = steps(NOW, async () => {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  });
  const reasons: unknown[] = [];
  const source = alpacaSnapshots({
    keyId: 'PKDATA',
    secret: 'secret',
    fetch: (_, init) =>
      new Promise((__, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    feed: 'iex',
    random: () => 0.5,
    log: { info: quiet, error: quiet, warn: (fields: object) => void reasons.push(fields) },
    maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
    freshFor: 60_000,
  });
  source.start(stocks, { quotes: quiet, lost: quiet, status: quiet }, clock.now);
  timers.every(100, () => source.beat());
  await pass(11_000);
  source.stop();
  expect(reasons).toMatchObject([{ reason: 'it did not answer in time' }]);
});
