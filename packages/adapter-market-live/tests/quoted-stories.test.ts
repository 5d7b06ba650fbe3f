import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { type Quote, type Stock, type StockId, decimal, id } from '@slipstream/domain';
import { alpacaData, alpacaStreamStandIn, fetchFrom } from '@slipstream/stand-ins';
import fc from 'fast-check';
import { alpacaSnapshots, liveMarket } from '../src/index.js';
import { steps } from './scene.js';

const KEY = { keyId: 'PKDATA', secret: 'secret of data' };
const SYMBOLS = ['AAPL', 'MSFT', 'XOM'] as const;
const EXCHANGES = ['NASDAQ', 'NYSE'] as const;
const FRESH = 60_000;
const quiet = () => undefined;
const [template] = instruments();
if (!template) throw new Error('no stock');

/** Each stock is named by its place; the symbols of two may be one. */
const stockOf = (place: number, symbol: string, status: Stock['status'] = 'active'): Stock => ({
  ...template,
  id: id<'stock'>(`stock-${place}`),
  symbol,
  exchange: EXCHANGES[place % 2] ?? 'NYSE',
  security: 'stock',
  status,
});

async function scene() {
  const { clock, timers, pass } = steps(Date.UTC(2026, 2, 4, 15), async () => {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  });
  const key = { now: clock.now, keyId: KEY.keyId, secretKey: KEY.secret };
  const [data, stream] = [alpacaData(key), alpacaStreamStandIn(key)];
  timers.every(1_000, () => stream.heartbeat());
  const source = alpacaSnapshots({
    ...KEY,
    feed: 'iex',
    stream: { connect: stream.connect },
    fetch: fetchFrom({ 'data.alpaca.markets': data.venue }),
    random: () => 0.5,
    log: { info: quiet, error: quiet, warn: quiet },
    maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
    freshFor: FRESH,
  });
  const feed = liveMarket({ sources: [source], clock, timers, notice: null });
  const told: { readonly symbol: string; readonly bid: string; readonly at: number }[] = [];
  const symbols = new Map<StockId, string>();
  const halted = new Set<StockId>();
  const wrong: string[] = [];
  const last = new Map<StockId, string>();
  const judge = ({ stockId, bid, at }: Quote): void => {
    const price = bid.toFixed();
    last.set(stockId, price);
    const found = told.find((one) => one.bid === price);
    const isOwn = found?.symbol === symbols.get(stockId);
    if (!found || !isOwn || at - found.at > FRESH || halted.has(stockId))
      wrong.push(
        `${stockId} at ${price} of ${found?.symbol ?? ''}, ${at - (found?.at ?? 0)} ms old`,
      );
  };
  await feed.start([], [], {
    quotes: (some) => some.forEach(judge),
    lost: quiet,
    status: (stockId, status) =>
      void (status === 'halted' ? halted.add(stockId) : halted.delete(stockId)),
  });
  const quote = (symbol: string, isStreamed: boolean): string => {
    const bid = `${100 + told.length}`;
    const prices = { bid, ask: `${bid}.1` };
    told.push({ symbol, bid, at: clock.now() });
    data.quote(symbol, prices);
    if (isStreamed) stream.quote(symbol, prices);
    return bid;
  };
  const name = (stock: Stock): void => {
    symbols.set(stock.id, stock.symbol);
    feed.add?.([stock]);
    feed.prefer?.([...symbols.keys()]);
  };
  return { data, feed, halted, last, name, pass, quote, stream, symbols, wrong };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Act = (world: Scene) => void | Promise<void>;

interface Told {
  readonly text: string;
  readonly act: Act;
}
const told = (text: string, act: Act): Told => ({ text, act });

const symbol = fc.constantFrom(...SYMBOLS);
const acts: fc.Arbitrary<Told> = fc.oneof(
  fc
    .tuple(symbol, fc.boolean())
    .map(([one, streamed]) => told(`quote ${one}`, ({ quote }) => void quote(one, streamed))),
  fc
    .tuple(fc.nat(3), symbol)
    .map(([place, one]) => told(`${place} is ${one}`, ({ name }) => name(stockOf(place, one)))),
  symbol.map((one) => told(`refuse ${one}`, ({ data }) => data.refuseSymbol(one))),
  fc
    .tuple(symbol, fc.constantFrom('H', 'T'))
    .map(([one, code]) =>
      told(`${code} ${one}`, ({ stream }) => stream.status(one, code, 'as told')),
    ),
  fc.constant(told('kill', ({ stream }) => stream.kill())),
  fc
    .constantFrom('garbage' as const, 'drop_before' as const, 'empty' as const)
    .map((kind) =>
      told(kind, ({ data }) => data.faults.add({ path: '/v2/stocks/snapshots', kind })),
    ),
  fc
    .constantFrom(1_000, 5_000, 30_000, 90_000)
    .map((time) => told(`${time} ms`, ({ pass }) => pass(time))),
);

const story = fc.array(acts, { minLength: 4, maxLength: 14 });
const shown = (some: readonly Told[]) => some.map(({ text }) => text).join(', ');

describe('stocks of Alpaca, whatever becomes of their symbols', () => {
  it('are quoted at prices that the venue told of their own symbol within the last minute', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (some) => {
        const world = await scene();
        for (const one of [0, 1]) world.name(stockOf(one, SYMBOLS[one] ?? 'AAPL'));
        for (const { act } of some) {
          await act(world);
          await world.pass(3_000);
        }
        await world.pass(100_000);
        expect([shown(some), world.wrong]).toEqual([shown(some), []]);
        await world.feed.stop();
      }),
      { numRuns: 150 },
    );
  });

  it('are all quoted at the last price of their symbols once the venue tells it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(3), symbol), { minLength: 1, maxLength: 6 }),
        async (names) => {
          const world = await scene();
          for (const one of SYMBOLS) world.quote(one, false);
          for (const [place, one] of names) {
            world.name(stockOf(place, one));
            await world.pass(6_000);
          }
          const bids = new Map<string, string>(
            SYMBOLS.map((one) => [one, world.quote(one, false)]),
          );
          await world.pass(6_000);
          const expected = [...world.symbols].map(([stockId, one]) => [stockId, bids.get(one)]);
          expect([...world.last]).toEqual(expect.arrayContaining(expected));
          await world.feed.stop();
        },
      ),
      { numRuns: 60 },
    );
  });
});
