import { AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { MINUTE, type Pricing, decimal } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { fixture, text } from '../fixture.js';
import { Moments } from '../moments.js';

const operator: Caller = { kind: 'operator' };
const limit = (price: string): Pricing => ({ type: 'limit', price: decimal(price) });
const stop = (price: string): Pricing => ({ type: 'stop_market', stopPrice: decimal(price) });
const MARKET: Pricing = { type: 'market' };

/** The stores of a storage in another process: other work runs while each is asked. */
const far = (stores: Stores, moments: Moments): Stores =>
  new Proxy(stores, {
    get: (target, name): unknown => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found === 'function') return (found as () => unknown).bind(target);
      return typeof found === 'object' && found !== null ? moments.watched(found) : found;
    },
  });

/** A strategy that bought 0.005 AAPL at 100, and what its owner may command. */
async function scene(moments: Moments) {
  const memory = openMemory();
  const world = await fixture({
    unitOfWork: {
      ...memory,
      run: (work, options) => memory.run((stores) => work(far(stores, moments)), options),
    },
  });
  const { app, ports } = world;
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  const quote = (stock: string, bid: string) =>
    app.newQuotes(operator, {
      quotes: [{ stock, bid: decimal(bid), ask: decimal(bid), last: decimal(bid) }],
    });
  const order = async (
    action: 'buy' | 'sell',
    pricing: Pricing,
    after: readonly string[] = [],
    stock = 'aapl',
  ) =>
    (
      await app.newOrder(owner, {
        strategyId,
        stock,
        action,
        pricing,
        size: { by: 'amount', amount: decimal('0.005') },
        dependsOn: after,
      })
    ).order.id;
  const limits = { maxNotionalPerDay: decimal('10') };
  const { text: limited } = await app.newToken(owner, { name: 'agent', scope: ['*'], limits });
  const agent = await app.authenticate(limited);
  let alerts = 0;
  const alert = (stock: string, by = owner) => {
    alerts += 1;
    const body = `alert ${alerts}`;
    const sent = { strategyId, stock, action: 'buy', leverage: decimal('1') } as const;
    return app.newOrderWebhook(by, sent, { id: body, body });
  };
  const allocate = (percent: string, by = owner) =>
    app.newOrderAllocations(by, {
      strategyId,
      allocations: [{ stock: 'msft', percent: decimal(percent) }],
    });
  await quote('aapl', '100');
  await quote('msft', '50');
  await order('buy', MARKET);
  return {
    ...{ quote, order, alert, allocate, agent },
    pass: (time: number) => ports.clock.advance(time),
    cancel: (orderId: string) => app.deleteOrder(owner, { strategyId, orderId }),
    became: async () => {
      const trades = await app.getTrades(owner, { strategyId });
      const open = await app.getOrders(owner, { strategyId });
      return [
        ...trades.map(
          ({ stockId, action, amount, price }) =>
            `${action} ${text(amount)} ${stockId} ${text(price)}`,
        ),
        ...open.map(
          ({ order: { action, stockId, pricing } }) => `${action} ${stockId} ${pricing.type}`,
        ),
      ];
    },
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** Until the quotes are stale. */
const staleQuotes = async ({ pass }: Scene): Promise<string> => {
  pass(2 * MINUTE);
  return '';
};

interface Story {
  /** What the strategy has before; its answer goes to the command. */
  readonly before?: (world: Scene) => Promise<string>;
  readonly command: (world: Scene, made: string) => Promise<unknown>;
  /** In one request each, in this order. */
  readonly quotes: readonly (readonly [stock: string, bid: string])[];
}

const NEVER = 1_000_000;

/** What becomes of the command when the quote comes at that moment of it, or before it, or after it. */
async function outcome(
  { before, command, quotes }: Story,
  when: number | 'before' | 'after',
): Promise<{ readonly became: readonly string[]; readonly hasCome: boolean }> {
  const moments = new Moments(typeof when === 'number' ? when : NEVER);
  const world = await scene(moments);
  const made = (await before?.(world)) ?? '';
  const all = () => Promise.all(quotes.map((quote) => world.quote(...quote)));
  let quoted: Promise<unknown> | undefined;
  // Not from inside the transaction, where a storage would refuse another one.
  const comes = AsyncResource.bind((): void => void (quoted = all()));
  if (when === 'before') await all();
  await moments.amid(comes, () => command(world, made));
  const hasCome = moments.hasCome;
  await quoted;
  if (when === 'after') await all();
  return { became: await world.became(), hasCome };
}

describe('a quote that comes while a command asks the storage is as one before or after it', () => {
  it.each<[string, Story]>([
    [
      'an alert whose order waits for a fresh quote',
      {
        before: staleQuotes,
        command: ({ alert }) => alert('msft'),
        quotes: [['msft', '51']],
      },
    ],
    [
      'an alert that cancels a limit order',
      {
        before: ({ order }) => order('sell', limit('101')),
        command: ({ alert }) => alert('aapl'),
        quotes: [['aapl', '110']],
      },
    ],
    [
      'an alert that cancels a stop',
      {
        before: ({ order }) => order('sell', stop('95')),
        command: ({ alert }) => alert('msft'),
        quotes: [['aapl', '90']],
      },
    ],
    [
      'allocations that sell what a limit order sells',
      {
        before: ({ order }) => order('sell', limit('101')),
        command: ({ allocate }) => allocate('0.1'),
        quotes: [['aapl', '110']],
      },
    ],
    [
      'an alert of a token with limits',
      {
        command: ({ alert, agent }) => alert('msft', agent),
        quotes: [['msft', '60']],
      },
    ],
    [
      'an alert of a token with limits whose order waits for a fresh quote',
      {
        before: staleQuotes,
        command: ({ alert, agent }) => alert('msft', agent),
        quotes: [
          ['msft', '51'],
          ['msft', '53'],
        ],
      },
    ],
    [
      'allocations of a token with limits',
      {
        command: ({ allocate, agent }) => allocate('0.5', agent),
        quotes: [['msft', '60']],
      },
    ],
    [
      'an alert in another stock than a stop, both quoted after a pause',
      {
        before: async (world) => {
          await world.order('sell', stop('95'));
          return staleQuotes(world);
        },
        command: ({ alert }) => alert('msft'),
        quotes: [
          ['aapl', '90'],
          ['msft', '51'],
          ['msft', '53'],
        ],
      },
    ],
    [
      'a limit order of another stock than a stop',
      {
        before: ({ order }) => order('sell', stop('95')),
        command: ({ order }) => order('buy', limit('49'), [], 'msft'),
        quotes: [
          ['aapl', '90'],
          ['msft', '48'],
        ],
      },
    ],
    [
      'an order beside a stop',
      {
        before: ({ order }) => order('sell', stop('95')),
        command: ({ order }) => order('buy', limit('93')),
        quotes: [['aapl', '90']],
      },
    ],
    [
      'an order that waits for a limit order',
      {
        before: ({ order }) => order('buy', limit('99')),
        command: ({ order }, entry) => order('sell', stop('95'), [entry]),
        quotes: [['aapl', '94']],
      },
    ],
    [
      'an alert whose order waits, and the last one is another',
      {
        before: staleQuotes,
        command: ({ alert }) => alert('msft'),
        quotes: [
          ['msft', '51'],
          ['msft', '53'],
        ],
      },
    ],
    [
      'an order beside a stop, and the last one is back above it',
      {
        before: ({ order }) => order('sell', stop('95')),
        command: ({ order }) => order('buy', limit('93')),
        quotes: [
          ['aapl', '90'],
          ['msft', '49'],
          ['aapl', '99'],
        ],
      },
    ],
    [
      'allocations beside an entry with its stop',
      {
        before: async ({ order }) => {
          const entry = await order('buy', limit('97'));
          return order('sell', stop('95'), [entry]);
        },
        command: ({ allocate }) => allocate('0.1'),
        quotes: [
          ['aapl', '96'],
          ['aapl', '94'],
          ['aapl', '98'],
        ],
      },
    ],
    [
      'a cancel that releases a stop',
      {
        before: async ({ order }) => {
          const entry = await order('buy', limit('90'));
          await order('sell', stop('95'), [entry]);
          return entry;
        },
        command: ({ cancel }, entry) => cancel(entry),
        quotes: [['aapl', '94']],
      },
    ],
  ])('%s', async (_, story) => {
    const inTurn = [await outcome(story, 'before'), await outcome(story, 'after')].map(
      ({ became }) => became,
    );
    let moment = 1;
    for (; ; moment += 1) {
      const { became, hasCome } = await outcome(story, moment);
      if (!hasCome) break;
      expect(inTurn).toContainEqual(became);
    }
    expect(moment).toBeGreaterThan(3);
  });
});
