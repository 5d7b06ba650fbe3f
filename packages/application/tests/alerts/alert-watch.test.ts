import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, type Session, decimal } from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';
import { fixture } from '../fixture.js';

/** Stocks from 14:30 to 21:00 UTC on working days, coins always. */
const hours: TradingHours = {
  sessionAt: ({ security }, at) => {
    if (security === 'cryptocurrency') return { opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER };
    const session = sessionOf(at);
    return session && session.opensAt <= at && at < session.closesAt ? session : undefined;
  },
  nextSession: ({ security }, at) =>
    security === 'cryptocurrency'
      ? undefined
      : [0, 1, 2, 3]
          .map((days) => sessionOf(at + days * DAY))
          .find((session) => session && session.opensAt > at),
};

function sessionOf(at: number): Session | undefined {
  if ([0, 6].includes(new Date(at).getUTCDay())) return undefined;
  const day = Math.floor(at / DAY) * DAY;
  return { opensAt: day + 14.5 * HOUR, closesAt: day + 21 * HOUR };
}

/** Monday 2026-01-05, 15:00 UTC: an owner whose strategy of stocks watches its alerts for eight trading hours. */
async function scene(type: 'stock' | 'cryptocurrency' = 'stock') {
  const world = await fixture({ tradingHours: hours });
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner, { type });
  const { app, ports } = world;
  const watch = (alertWatch: number | null, to = owner) =>
    app.updateStrategy(to, { strategyId, alertWatch });
  await watch(8);
  /** How often the owner is told, once the clock shows that time and the service has looked. */
  const toldBy = async (time: string, service = app): Promise<number> => {
    ports.clock.set(Date.parse(`${time}:00Z`));
    await service.tick();
    const notices = await app.getNotifications(owner, {});
    return notices.filter((notice) => notice.type === 'alert_watch').length;
  };
  const alert = (leverage = '1') =>
    app
      .newOrderWebhook(
        owner,
        { strategyId, stock: 'aapl', action: 'buy', leverage: decimal(leverage) },
        { id: `alert-${ports.clock.now()}`, body: '{}' },
      )
      .catch(() => undefined);
  return { ...world, owner, strategyId, watch, toldBy, alert };
}

describe('the watch of the alerts of a strategy', () => {
  it('tells the owner once, after the trading hours without an alert', async () => {
    const { app, owner, strategyId, toldBy } = await scene();
    // Six of the eight hours are on Monday, two on Tuesday.
    expect(await toldBy('2026-01-06T16:29')).toBe(0);
    expect(await toldBy('2026-01-06T16:30')).toBe(1);
    expect(await toldBy('2026-01-30T20:00')).toBe(1);
    const [notice] = await app.getNotifications(owner, {});
    expect(notice).toMatchObject({
      strategyId,
      text: expect.stringMatching(/your strategy “.+” for 8 trading hours\. None has come yet\./),
    });
  });

  it('tells the owner also after a moment in which the clock was ahead', async () => {
    const { watch, toldBy } = await scene();
    await watch(null);
    await toldBy('2026-03-06T16:30');
    await toldBy('2026-01-05T15:00');
    await watch(8);
    expect(await toldBy('2026-01-06T16:29')).toBe(0);
    expect(await toldBy('2026-01-06T16:30')).toBe(1);
  });

  it('counts from the last alert, and no hour of a night or a weekend', async () => {
    const { alert, app, owner, quote, ports, toldBy } = await scene();
    ports.clock.set(Date.parse('2026-01-09T20:00:00Z'));
    await quote('aapl', '100');
    await alert();
    expect(await toldBy('2026-01-13T14:59')).toBe(0);
    expect(await toldBy('2026-01-13T15:00')).toBe(1);
    const [notice] = await app.getNotifications(owner, {});
    expect(notice?.text).toContain('The last one came on 2026-01-09 20:00 UTC.');
  });

  it('counts from the last alert also when it is older than other alerts get', async () => {
    const { alert, watch, quote, ports, toldBy } = await scene();
    await watch(720);
    ports.clock.set(Date.parse('2026-01-20T20:00:00Z'));
    await quote('aapl', '100');
    await alert();
    // 720 hours from the 5th of January end on the 8th of June, those from the alert on the 24th.
    for (const time of ['2026-05-20T00:00', '2026-06-09T00:00', '2026-06-24T00:00'])
      expect(await toldBy(time)).toBe(0);
    expect(await toldBy('2026-06-25T00:00')).toBe(1);
  });

  it('counts every hour for coins', async () => {
    const { toldBy } = await scene('cryptocurrency');
    expect(await toldBy('2026-01-05T22:59')).toBe(0);
    expect(await toldBy('2026-01-05T23:00')).toBe(1);
  });

  it('takes a refused alert for one that came', async () => {
    const { alert, app, owner, strategyId, ports, toldBy } = await scene();
    ports.clock.set(Date.parse('2026-01-06T16:00:00Z'));
    await alert('1.234');
    const [kept] = await app.getAlerts(owner, { strategyId });
    expect(kept?.verdict).toBe('refused');
    expect(await toldBy('2026-01-06T16:30')).toBe(0);
  });

  it('goes on with the next alert, and then tells again', async () => {
    const { alert, quote, toldBy } = await scene();
    expect(await toldBy('2026-01-06T16:30')).toBe(1);
    await quote('aapl', '100');
    await alert();
    expect(await toldBy('2026-01-07T17:59')).toBe(1);
    expect(await toldBy('2026-01-07T18:00')).toBe(2);
  });

  it('begins anew with another number, goes on with the same one, and ends with null', async () => {
    const { ports, toldBy, watch } = await scene();
    ports.clock.set(Date.parse('2026-01-05T20:00:00Z'));
    await watch(8);
    expect(await toldBy('2026-01-06T16:30')).toBe(1);
    await watch(1);
    expect(await toldBy('2026-01-06T17:29')).toBe(1);
    expect(await toldBy('2026-01-06T17:30')).toBe(2);
    await watch(2);
    await watch(null);
    expect(await toldBy('2026-01-30T20:00')).toBe(2);
  });

  it('goes on over a restart', async () => {
    const { restart, toldBy } = await scene();
    const again = await restart();
    expect(await toldBy('2026-01-06T16:30', again)).toBe(1);
  });

  it('tells nobody of a strategy that is deleted', async () => {
    const { app, owner, strategyId, toldBy } = await scene();
    await app.deleteStrategy(owner, { strategyId });
    expect(await toldBy('2026-01-06T16:30')).toBe(0);
  });

  it('is mailed to a confirmed address, with the page of the strategy', async () => {
    const { app, owner, ports, strategyId, toldBy } = await scene();
    await ports.unitOfWork.run(async ({ users }) => {
      const user = owner.kind === 'user' ? await users.find(owner.userId) : undefined;
      if (user) await users.save({ ...user, verified: true });
    });
    await toldBy('2026-01-06T16:30');
    await app.sendMails();
    expect(ports.mailer.sent.at(-1)).toMatchObject({
      to: 'owner@example.com',
      subject: 'Your alerts are missing',
      text: expect.stringContaining(`/strategies/${strategyId}`),
    });
  });

  it('is seen and set by the owner alone', async () => {
    const { app, strategyId, owner, user, watch } = await scene();
    const other = await user('other');
    const [shown] = await app.getStrategies(owner, { strategyIds: [strategyId] });
    expect(shown?.strategy.alertWatch).toBe(8);
    await expect(watch(9, other)).rejects.toMatchObject({ code: 'not_owner' });
  });
});
