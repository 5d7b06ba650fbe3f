import { AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { MINUTE, type Pricing, decimal } from '@slipstream/domain';
import fc from 'fast-check';
import { Moments } from '../moments.js';
import { farScene } from './far-scene.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const PRICES = { aapl: 100, msft: 50 };

const aStock = fc.constantFrom('aapl' as const, 'msft' as const);
const anAction = fc.constantFrom('buy' as const, 'sell' as const);
const aPrice = (stock: keyof typeof PRICES, moves: readonly number[]): fc.Arbitrary<string> =>
  fc.constantFrom(...moves.map((move) => String(PRICES[stock] + move)));
const aPricing = (stock: keyof typeof PRICES): fc.Arbitrary<Pricing> => {
  const price = aPrice(stock, [-6, -4, -2, 2, 4, 6]).map(decimal);
  return fc.oneof(
    fc.record({ type: fc.constant('limit' as const), price }),
    fc.record({ type: fc.constant('stop_market' as const), stopPrice: price }),
    fc.constant({ type: 'market' as const }),
  );
};
const anOrder = aStock.chain((stock) =>
  fc.record({ stock: fc.constant(stock), action: anAction, pricing: aPricing(stock) }),
);
const aCommand = fc.record({
  kind: fc.constantFrom(...(['alert', 'alert', 'order', 'allocate', 'cancel'] as const)),
  order: anOrder,
  isLimited: fc.boolean(),
});
const aQuote = aStock.chain((stock) =>
  fc.tuple(fc.constant(stock), aPrice(stock, [-7, -5, -3, -1, 0, 1, 3, 5, 7])),
);
const aStory = fc.record({
  /** Each may depend on the one before it. */
  before: fc.array(fc.record({ order: anOrder, depends: fc.boolean() }), { maxLength: 3 }),
  areStale: fc.boolean(),
  /** At once. */
  commands: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(aCommand) },
    { weight: 1, arbitrary: fc.tuple(aCommand, aCommand) },
  ),
  /** With the moment at which each comes. */
  quotes: fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 20 }), aQuote), {
      selector: ([moment]) => moment,
      minLength: 2,
      maxLength: 4,
    })
    .map((quotes) => quotes.toSorted(([a], [b]) => a - b)),
});
type Story = typeof aStory extends fc.Arbitrary<infer T> ? T : never;

/** The code of a refusal, or nothing. */
const codeOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => '',
    ({ code }: { code: string }) => code,
  );

/** The strategy of the story before its commands. */
async function begin({ before, areStale }: Story, moments: readonly Moments[] = []) {
  const world = await farScene(moments);
  await world.order({ action: 'buy', pricing: { type: 'market' } });
  let last: string | undefined;
  for (const { order, depends } of before) {
    const dependsOn = depends && last ? [last] : [];
    last = await world.order({ ...order, dependsOn }).catch(() => last);
  }
  if (areStale) world.pass(2 * MINUTE);
  const command = ({ kind, order, isLimited }: Story['commands'][number]): Promise<string> => {
    const by = isLimited ? world.agent : world.owner;
    const { stock, action } = order;
    if (kind === 'alert') return codeOf(world.alert({ by, stock, action, leverage: '0.5' }));
    if (kind === 'order') return codeOf(world.order({ by, ...order }));
    if (kind === 'allocate') return codeOf(world.allocate({ by, stock, percent: '0.4' }));
    return codeOf(world.cancel(last ?? 'none'));
  };
  return { ...world, command };
}

/** What becomes of the story when each quote is received at its moment of the commands. */
async function amid(story: Story): Promise<string> {
  const moments = story.quotes.map(([moment]) => new Moments(moment));
  const world = await begin(story, moments);
  const received: Promise<unknown>[] = [];
  const answers: string[] = [];
  const flow = story.quotes.reduceRight<() => Promise<unknown>>(
    (inner, [, quote], n) => {
      // Not from inside the transaction, where a storage would refuse another one.
      const come = AsyncResource.bind((): void => void received.push(world.quote(...quote)));
      const comes = async (): Promise<void> => {
        come();
        await new Promise((resolve) => setImmediate(resolve));
      };
      return () => moments[n]?.amid(comes, inner) ?? inner();
    },
    async () => {
      answers.push(...(await Promise.all(story.commands.map(world.command))));
    },
  );
  await flow();
  await Promise.all(received);
  for (const [, quote] of story.quotes.slice(received.length)) await world.quote(...quote);
  return JSON.stringify([answers, await world.became()]);
}

/** What is received one after the other: a quote, or the command of that number. */
type Turn = Story['quotes'][number][1] | number;

/** Every order of the commands among the quotes, of which each comes after the one before it. */
function ordersOf({ quotes, commands }: Story): readonly (readonly Turn[])[] {
  const without: readonly (readonly Turn[])[] = [quotes.map(([, quote]) => quote)];
  return commands.reduce(
    (orders, _, n) =>
      orders.flatMap((turns) =>
        Array.from({ length: turns.length + 1 }, (__, place) => turns.toSpliced(place, 0, n)),
      ),
    without,
  );
}

/** What becomes of it when each is over before the next one. */
async function inTurn(story: Story, turns: readonly Turn[]): Promise<string> {
  const world = await begin(story);
  const answers: string[] = [];
  for (const turn of turns)
    if (typeof turn !== 'number') await world.quote(...turn);
    else {
      const command = story.commands[turn];
      if (command) answers[turn] = await world.command(command);
    }
  return JSON.stringify([answers, await world.became()]);
}

describe('commands amid quotes of two stocks', () => {
  it('end as if all had come one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, async (story) => {
        const became = await amid(story);
        const others: string[] = [];
        for (const turns of ordersOf(story)) {
          const other = await inTurn(story, turns);
          if (other === became) return;
          others.push(other);
        }
        expect(others).toContain(became);
      }),
      { numRuns: 120 * MORE },
    );
  });
});
