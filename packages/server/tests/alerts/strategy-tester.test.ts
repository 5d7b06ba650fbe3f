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

  /** The fills with those of one moment in the other order, and which were not moved. */
  function swapped(given: readonly Fill[]) {
    const fills = [...given];
    const inOrder = new Set(fills);
    for (let index = 1; index < fills.length; index += 1) {
      const [one, other] = [fills[index - 1], fills[index]] as [Fill, Fill];
      if (one.moment !== other.moment) continue;
      [fills[index - 1], fills[index]] = [other, one];
      inOrder.delete(one);
      inOrder.delete(other);
      index += 1;
    }
    return { fills, inOrder };
  }

  it.each(plays)(
    'ends each moment as the platform does when its alerts come in the other order: %j, %j',
    async (seed, script) => {
      const { fills, inOrder } = swapped(fillsOf(seed, script));
      const { followed } = await follow(fills, script);
      let earlier: Followed | undefined;
      for (const each of followed) {
        const { fill, held, reason } = each;
        const first = earlier && !inOrder.has(fill) ? earlier : undefined;
        // Of two that were swapped, the one that came first is the platform's last.
        const isSecond = first?.fill.moment === fill.moment;
        const { position } = isSecond ? first.fill : fill;
        if (isSecond || inOrder.has(fill))
          expect([fill, sideOf(held)]).toEqual([fill, sideOf(position)]);
        if (isSecond && first.held === held) expect(reason).not.toBeNull();
        earlier = isSecond ? undefined : each;
      }
    },
  );

  it('has moments of two alerts in these plays', () => {
    const moved = plays.map(([seed, script]) => {
      const { fills, inOrder } = swapped(fillsOf(seed, script));
      return fills.length - inOrder.size;
    });
    expect(Math.max(...moved)).toBeGreaterThan(0);
  });

  it.each(plays)(
    'is in line again with the next alert after lost ones, or tells why not: %j, %j',
    async (seed, script) => {
      const random = seeded(seed);
      const fills = fillsOf(seed, script).filter(() => random() > 0.15);
      for (const { fill, held, verdict, reason } of (await follow(fills, script)).followed)
        if (sideOf(held) !== sideOf(fill.position))
          expect([verdict, reason]).toEqual(['no_change', expect.any(String)]);
    },
  );
});
