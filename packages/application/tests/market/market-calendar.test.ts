import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, type MarketDay, type Session, decimal } from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';
import { fixture } from '../fixture.js';

const at = (time: string) => Date.parse(`${time}:00Z`);
const session = (date: string, from = '14:30', to = '21:00'): MarketDay => ({
  date,
  session: { opensAt: at(`${date}T${from}`), closesAt: at(`${date}T${to}`) },
});
const closed = (date: string): MarketDay => ({ date, session: null });

/** Open from 14:30 to 21:00 UTC on working days, and as they are overridden. */
function workingDays(): TradingHours {
  const others = new Map<string, Session | null>();
  const on = (at: number): Session | undefined => {
    const date = new Date(at).toISOString().slice(0, 10);
    const isWorkingDay = ![0, 6].includes(new Date(at).getUTCDay());
    const usual = isWorkingDay ? session(date).session : null;
    return (others.has(date) ? others.get(date) : usual) ?? undefined;
  };
  return {
    sessionAt: (_, at) => {
      const found = on(at);
      return found && found.opensAt <= at && at < found.closesAt ? found : undefined;
    },
    nextSession: (_, at) =>
      [0, 1, 2, 3, 4].map((day) => on(at + day * DAY)).find((found) => found && found.opensAt > at),
    override: (days) => {
      for (const { date, session: given } of days) others.set(date, given);
    },
  };
}

/** Monday 2026-01-05, 15:00 UTC; the calendar knows what it is told. */
async function scene() {
  let days: readonly MarketDay[] = [];
  let asked = 0;
  const errors: string[] = [];
  const tradingHours = workingDays();
  const quiet = () => undefined;
  const world = await fixture({
    tradingHours,
    log: { info: quiet, warn: quiet, error: (fields) => void errors.push(JSON.stringify(fields)) },
    marketCalendar: {
      between: async () => {
        asked += 1;
        return days;
      },
    },
  });
  const follow = async (...told: readonly MarketDay[]) => {
    days = told;
    world.ports.clock.advance(6 * HOUR);
    await world.app.followMarket();
  };
  const [apple] = await world.app.getStocks({ kind: 'operator' }, { stocks: ['aapl'] });
  if (!apple) throw new Error('no AAPL');
  const isOpen = (time: string, hours = tradingHours) =>
    hours.sessionAt(apple.stock, at(time)) !== undefined;
  return { world, follow, isOpen, errors, asked: () => asked };
}

describe('the calendar of the exchanges', () => {
  it('that agrees with the rules changes nothing', async () => {
    const { follow, isOpen, errors } = await scene();
    await follow(session('2026-01-06'), session('2026-01-09'), closed('2026-01-10'));
    expect(isOpen('2026-01-09T15:00')).toBe(true);
    expect(errors).toEqual([]);
  });

  it('closes a day of mourning and ends a session early; the operator is told, once', async () => {
    const { follow, isOpen, errors } = await scene();
    const days = [closed('2026-01-09'), session('2026-01-12', '14:30', '18:00')];
    await follow(...days);
    await follow(...days);
    expect(
      ['2026-01-09T15:00', '2026-01-12T17:59', '2026-01-12T18:00'].map((time) => isOpen(time)),
    ).toEqual([false, true, false]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('2026-01-09');
  });

  it('is stored: the sessions are the same after a restart', async () => {
    const { world, follow, isOpen } = await scene();
    await follow(closed('2026-01-09'));
    const again = await fixture({ ...world.ports, tradingHours: workingDays() });
    expect(isOpen('2026-01-09T15:00', again.ports.tradingHours)).toBe(false);
  });

  it('is stored for as long as a watch of alerts counts back', async () => {
    const { world, follow, isOpen } = await scene();
    await follow(closed('2026-01-09'));
    world.ports.clock.advance(150 * DAY);
    const again = await fixture({ ...world.ports, tradingHours: workingDays() });
    expect(isOpen('2026-01-09T15:00', again.ports.tradingHours)).toBe(false);
  });

  it('leaves a day of mourning out of statistics, also after a restart days later', async () => {
    const { world, follow } = await scene();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    const command = { strategyId, allocations: [{ stock: 'aapl', percent: decimal('0.5') }] };
    await world.app.newOrderAllocations(owner, command);
    await follow(closed('2026-01-09'));
    for (let day = 0; day < 8; day += 1) {
      world.ports.clock.advance(DAY);
      await world.quote('aapl', String(101 + day));
      await world.app.tick();
    }
    const counted = async (app: typeof world.app) => {
      const span = { from: '2026-01-05', to: '2026-01-12' };
      const found = await app.getStrategyStatistics(owner, { strategyId, ...span, format: 'csv' });
      return [found.series?.map(({ date }) => date.slice(-2)), found.closedDays];
    };
    const expected = [['05', '06', '07', '08', '12'], ['2026-01-09']];
    expect(await counted(world.app)).toEqual(expected);
    world.ports.clock.advance(5 * DAY);
    const again = await fixture({ ...world.ports, tradingHours: workingDays() });
    expect(await counted(again.app)).toEqual(expected);
  });

  it('that goes back to the rules is followed', async () => {
    const { follow, isOpen } = await scene();
    await follow(closed('2026-01-09'));
    await follow(session('2026-01-09'));
    expect(isOpen('2026-01-09T15:00')).toBe(true);
  });

  it('that closes more than five days of two weeks is not believed', async () => {
    const { follow, isOpen, errors } = await scene();
    const days = ['06', '07', '08', '09', '12', '13'].map((day) => closed(`2026-01-${day}`));
    await follow(...days);
    expect(isOpen('2026-01-06T15:00')).toBe(true);
    expect(errors).toHaveLength(1);
  });

  it('is asked every six hours', async () => {
    const { world, asked } = await scene();
    await world.app.followMarket();
    world.ports.clock.advance(6 * HOUR - 1);
    await world.app.followMarket();
    expect(asked()).toBe(1);
    world.ports.clock.advance(1);
    await world.app.followMarket();
    expect(asked()).toBe(2);
  });
});
