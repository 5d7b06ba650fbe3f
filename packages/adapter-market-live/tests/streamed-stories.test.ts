import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { type Stock, type StockId, decimal, id } from '@slipstream/domain';
import fc from 'fast-check';
import { liveMarket, streamSource } from '../src/index.js';
import { FRESH, VENUES, type VenueName, steps } from './scene.js';

const names = Object.keys(VENUES) as VenueName[];
const COINS = ['AAA', 'BBB', 'CCC'] as const;
/** A connection proves itself alive within this time, and the newest quote is told within a beat. */
const PROVED = 10_200;
const quiet = () => undefined;
const template = instruments().find(({ security }) => security === 'cryptocurrency');

/** A venue with three coins, and up to four stocks that are named by them. */
async function scene(name: VenueName) {
  const { streamOf, venue } = VENUES[name];
  const { clock, timers, pass } = steps();
  const stream = streamOf({ now: clock.now });
  const symbolOf = (coin: string): string => (name === 'kraken' ? `${coin}/USD` : `${coin}-USD`);
  timers.every(1_000, () => stream.heartbeat());
  const source = streamSource(venue, {
    connect: stream.connect,
    random: () => 0.5,
    log: { info: quiet, error: quiet, warn: quiet },
    maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
    freshFor: FRESH,
  });
  const feed = liveMarket({ sources: [source], clock, timers, notice: null });
  const current = new Map<string, string>();
  /** Until when a price was that of its coin. */
  const endedAt = new Map<string, { readonly coin: string; readonly at: number }>();
  const coinOf = new Map<StockId, string>();
  const published = new Map<StockId, string>();
  const halted = new Set<StockId>();
  const wrong: string[] = [];
  let count = 0;
  const quote = (coin: string): void => {
    count += 1;
    const bid = `${100 + count}`;
    const before = current.get(coin);
    if (before !== undefined) endedAt.set(before, { coin, at: clock.now() });
    current.set(coin, bid);
    stream.quote(symbolOf(coin), { bid, ask: `${bid}.5` });
  };
  /** A price that stands is its coin's own, now or a moment ago. */
  const judge = (stockId: StockId, bid: string, what: string): void => {
    const coin = coinOf.get(stockId) ?? '';
    const now = clock.now();
    const ended = endedAt.get(bid);
    const isCurrent = current.get(coin) === bid;
    const wasIt = ended?.coin === coin && now - ended.at <= PROVED;
    if ((!isCurrent && !wasIt) || halted.has(stockId))
      wrong.push(
        `${what} ${stockId} ${coin} at ${bid}, ${now - (ended?.at ?? now)} ms after its end`,
      );
  };
  await feed.start([], [], {
    quotes: (some) => {
      for (const { stockId, bid } of some) {
        published.set(stockId, bid.toFixed());
        judge(stockId, bid.toFixed(), 'said');
      }
    },
    lost: (some) => some.forEach((one) => void published.delete(one)),
    status: (stockId, status) => {
      if (status === 'halted') halted.add(stockId);
      else halted.delete(stockId);
    },
  });
  timers.every(1_000, () => {
    for (const [stockId, bid] of published) if (!halted.has(stockId)) judge(stockId, bid, 'stands');
  });
  const put = (place: number, coin: string): void => {
    if (!template) throw new Error('no coin');
    const stockId = id<'stock'>(`stock-${place}`);
    if (coinOf.get(stockId) !== coin) {
      published.delete(stockId);
      halted.delete(stockId);
    }
    coinOf.set(stockId, coin);
    const exchange = name.toUpperCase();
    const stock: Stock = {
      ...template,
      id: stockId,
      exchange,
      stock: coin,
      symbol: `${coin}${place}`,
    };
    feed.add?.([stock]);
  };
  for (const coin of COINS) {
    stream.list(symbolOf(coin));
    quote(coin);
  }
  return {
    coinOf,
    current,
    feed,
    halted,
    pass,
    published,
    put,
    quote,
    stream,
    symbolOf,
    wrong,
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

interface Told {
  readonly text: string;
  readonly act: (world: Scene) => unknown;
}
const told = (text: string, act: Told['act']): Told => ({ text, act });
const coin = fc.constantFrom(...COINS);

const acts: fc.Arbitrary<Told> = fc.oneof(
  { weight: 5, arbitrary: coin.map((one) => told(`quote ${one}`, ({ quote }) => quote(one))) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(500, 3_000, 12_000, 40_000)
      .map((time) => told(`${time} ms`, ({ pass }) => pass(time))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(3), coin)
      .map(([place, one]) => told(`${place} is ${one}`, ({ put }) => put(place, one))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(coin, fc.constantFrom('online', 'cancel_only'))
      .map(([one, state]) =>
        told(`${one} ${state}`, ({ stream, symbolOf }) => stream.state(symbolOf(one), state)),
      ),
  },
  { weight: 1, arbitrary: fc.constant(told('kill', ({ stream }) => stream.kill())) },
  {
    weight: 1,
    arbitrary: fc.nat(5).map((back) => told(`repeat ${back}`, ({ stream }) => stream.repeat(back))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(coin, fc.boolean())
      .map(([one, refuses]) =>
        told(`${refuses ? 'refuse' : 'take'} ${one}`, ({ stream, symbolOf }) =>
          stream.refuseSymbol(symbolOf(one), refuses),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .boolean()
      .map((refuses) =>
        told(refuses ? 'refuse all' : 'take all', ({ stream }) => stream.refuse(refuses)),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      told('silent for 16 s', async ({ stream, pass, quote }) => {
        stream.silence(true);
        await pass(8_000);
        quote('AAA');
        await pass(8_000);
        stream.silence(false);
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '{"channel":"ticker"}',
        'nonsense',
        '[]',
        '{"type":"error","message":"slow"}',
        '{"channel":"heartbeat"}',
      )
      .map((text) => told(text, ({ stream }) => stream.say(text))),
  },
);

describe.each(names)('coins of %s, whatever becomes of their connection and names', (name) => {
  it('stand at prices that were their own within the last 10 s, and all are back within 35 s of the end of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 4, maxLength: 20 }), async (some) => {
        const world = await scene(name);
        const { stream, symbolOf, pass, coinOf, published, wrong, current } = world;
        world.put(0, 'AAA');
        world.put(1, 'BBB');
        for (const { act } of some) {
          await act(world);
          await pass(1_000);
        }
        stream.refuse(false);
        for (const one of COINS) {
          stream.refuseSymbol(symbolOf(one), false);
          stream.state(symbolOf(one), 'online');
        }
        for (let second = 0; second < 36; second += 1) await pass(1_000);
        for (const one of COINS) world.quote(one);
        await pass(1_000);
        const text = some.map((one) => one.text).join(', ');
        expect([text, wrong]).toEqual([text, []]);
        expect([...published].toSorted()).toEqual(
          [...coinOf].map(([stockId, one]) => [stockId, current.get(one)]).toSorted(),
        );
        expect([...world.halted]).toEqual([]);
        await world.feed.stop();
      }),
      { numRuns: Number(process.env['TEST_RUNS'] ?? 100) },
    );
  });
});
