import { AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { type Action, MINUTE, type Pricing, decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { Moments } from '../moments.js';
import { farScene } from './far-scene.js';

const limit = (price: string): Pricing => ({ type: 'limit', price: decimal(price) });
const stop = (price: string): Pricing => ({ type: 'stop_market', stopPrice: decimal(price) });

/** A strategy that bought 0.005 AAPL at 100, and what its owner may command. */
async function scene(moments: Moments) {
  const { agent, order, alert, allocate, ...world } = await farScene([moments]);
  await order({ action: 'buy', pricing: { type: 'market' } });
  return {
    ...{ ...world, agent },
    order: (action: Action, pricing: Pricing, dependsOn: readonly string[] = [], stock = 'aapl') =>
      order({ action, pricing, dependsOn, stock }),
    alert: (stock: string, by?: Caller) => alert({ stock, by }),
    allocate: (percent: string, by?: Caller) => allocate({ percent, by }),
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
