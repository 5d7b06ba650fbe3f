import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { seeded } from '../helpers/load.js';
import { type Fill, type Script, messageOf, playScript, sideOf } from './strategy-tester.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const STOCK = 'BTCUSD:COINBASE';
const BAR = 60_000;
/** Of the coin, at a market order. */
const SLIPPAGE = 0.001;

const SCRIPTS: readonly (Script & { readonly lot: number })[] = [
  { pyramiding: 1, size: 'cash', onClose: true, lot: 1 },
  { pyramiding: 1, size: 'percent_of_equity', onClose: false, lot: 0.001 },
  { pyramiding: 3, size: 'fixed', onClose: true, lot: 1e-7 },
];
const plays = Array.from({ length: MORE }, (_, seed) =>
  SCRIPTS.map((script) => [seed + 1, script] as const),
).flat();

/** What the strategy holds and did after an alert. */
interface Followed {
  readonly fill: Fill;
  readonly before: number;
  readonly held: number;
  /** The holding by the value. */
  readonly exposure: number;
  readonly verdict: string | undefined;
  readonly reason: string | null | undefined;
}

describe('a strategy of a charting platform that is followed by its alerts', () => {
  let server: ComposedServer;
  let owner: string;
  beforeAll(async () => {
    const environment = { CAPS: 'tokens=100000,strategies=100000' };
    server = await composedServer({ environment });
    owner = await server.user('ada');
  });
  afterAll(() => server.close());

  /** Sends the alerts of these fills, one after another, in the message that owners are told to paste. */
  async function follow(fills: readonly Fill[], { pyramiding, lot }: (typeof SCRIPTS)[number]) {
    await server.quotes({ [STOCK]: 100 });
    const type = 'cryptocurrency';
    const { strategy_id } = await server.ask('newStrategy', { type, name: 'By a chart' }, owner);
    const asked = { strategy_id, stock_id: STOCK, leverage: '1' };
    const steps = pyramiding > 1 ? { pyramiding: String(pyramiding) } : {};
    const template = await server.ask('newAlertTemplate', { ...asked, ...steps }, owner);
    const followed: Followed[] = [];
    let [bar, before] = [0, 0];
    for (const fill of fills) {
      server.clock.advance(Math.max(0, fill.bar - bar) * BAR + 200);
      await server.quotes({ [STOCK]: fill.price });
      const body = messageOf(template, fill, lot);
      expect((await server.call('POST', '/newOrderWebhook', { body })).status).toBe(200);
      const [alert] = await server.ask('getAlerts', { strategy_id, limit: 1 }, owner);
      const { positions, strategy_value } = await server.ask(
        'getPositions',
        { strategy_id },
        owner,
      );
      const held = Number(positions[0]?.amount ?? 0);
      const exposure = Math.abs(held * fill.price) / Number(strategy_value);
      const { verdict, reason } = alert ?? {};
      followed.push({ fill, before, held, exposure, verdict, reason });
      [bar, before] = [fill.bar, held];
    }
    const trades = (await server.ask('getTrades', { strategy_id }, owner)).toReversed();
    return { followed, trades };
  }
  const fillsOf = (seed: number, script: Script): readonly Fill[] =>
    playScript(script, 25, seeded(seed * 100 + script.pyramiding + (script.onClose ? 10 : 0)));

  it.each(plays)('holds after each alert what the platform holds: %j, %j', async (seed, script) => {
    const fills = fillsOf(seed, script);
    const { followed, trades } = await follow(fills, script);
    expect(followed.map(({ held }) => sideOf(held))).toEqual(
      fills.map(({ position }) => sideOf(position)),
    );
    // Each fill of the platform is one trade here, at the price that the platform's list of trades has.
    expect(trades.map(({ action, price }) => [action, Number(price).toFixed(6)])).toEqual(
      fills.map(({ action, price }, index) => {
        const own = trades[index]?.action === action ? action : 'another';
        return [own, (price * (action === 'buy' ? 1 + SLIPPAGE : 1 - SLIPPAGE)).toFixed(6)];
      }),
    );
    let [entries, isWhole] = [0, true];
    for (const { fill, before, held, exposure } of followed) {
      const { position, previous } = fill;
      const isLess = position * previous >= 0 && Math.abs(position) < Math.abs(previous);
      if (isLess) {
        isWhole = position === 0;
        if (position === 0) entries = 0;
        expect(held / before).toBeCloseTo(position / previous, 12);
        continue;
      }
      entries = position * previous > 0 ? entries + 1 : 1;
      if (entries === 1) isWhole = true;
      if (isWhole) expect(exposure).toBeCloseTo(entries / script.pyramiding, 1);
    }
  });

  it('ends each moment as the platform does when alerts of that moment come in the other order', async () => {
    let swapped = 0;
    for (const [seed, script] of plays) {
      const fills = [...fillsOf(seed, script)];
      const ends = new Set(fills);
      for (let index = 1; index < fills.length; index += 1) {
        const [one, other] = [fills[index - 1], fills[index]] as [Fill, Fill];
        if (one.moment !== other.moment) continue;
        [fills[index - 1], fills[index]] = [other, one];
        ends.delete(one);
        ends.delete(other);
        swapped += 1;
        index += 1;
      }
      const { followed } = await follow(fills, script);
      for (const [index, { fill, held, reason }] of followed.entries()) {
        if (ends.has(fill)) expect([fill, sideOf(held)]).toEqual([fill, sideOf(fill.position)]);
        const earlier = followed[index - 1];
        if (!earlier || earlier.fill.moment !== fill.moment || ends.has(fill)) continue;
        expect([fill, sideOf(held)]).toEqual([fill, sideOf(earlier.fill.position)]);
        if (earlier.held === held) expect(reason).not.toBeNull();
      }
    }
    expect(swapped).toBeGreaterThan(0);
  });

  it('is in line again with the next alert after lost ones, or the owner is told why not', async () => {
    for (const [seed, script] of plays) {
      const random = seeded(seed);
      const fills = fillsOf(seed, script).filter(() => random() > 0.15);
      for (const { fill, held, verdict, reason } of (await follow(fills, script)).followed)
        if (sideOf(held) !== sideOf(fill.position))
          expect([verdict, reason]).toEqual(['no_change', expect.any(String)]);
    }
  });
});
