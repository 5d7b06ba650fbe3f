import { describe, expect, it } from '@jest/globals';
import { ONLY_BY_NAME } from '@slipstream/domain';
import { freshFolders, serveIn } from '../helpers/child-server.js';
import { call } from '../helpers/call.js';
import { ask } from '../helpers/composed-server.js';
import { shiftedClock } from '../helpers/shifted-clock.js';

const YEAR = 366 * 86_400_000;
const ACCOUNT = { email: 'ada@example.com', password: 'a long password' };
const ADDRESS = { name: 'A', city: 'C', country: 'GB', line_one: 'L', postal: 'P' };

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds()));
};

describe('a server whose clock jumps', () => {
  const newFolder = freshFolders();

  it('a year ahead and back loses nothing, charges nobody and does nothing twice', async () => {
    const folder = newFolder();
    const { shift, environment } = shiftedClock(folder);
    const { url, process, ended } = await serveIn(folder, environment);
    await ask(url, 'newUser', ACCOUNT);
    const session = (await ask(url, 'newSession', ACCOUNT)) as { token: string };
    const lasting = {
      name: 'x',
      scope: ['*', ...ONLY_BY_NAME],
      expires_at: '2099-01-01T00:00:00Z',
    };
    const { token } = (await ask(url, 'newToken', lasting, session.token)) as { token: string };
    const { strategy_id } = await ask(
      url,
      'newStrategy',
      { name: 'Followed', type: 'stock', price: 10 },
      token,
    );
    const follower = { ...ACCOUNT, email: 'ben@example.com' };
    await ask(url, 'newUser', follower);
    const followed = (await ask(url, 'newSession', follower)) as { token: string };
    const paying = ((await ask(url, 'newToken', lasting, followed.token)) as { token: string })
      .token;
    await ask(url, 'newPaymentSource', { token: 'test_card_paid', ...ADDRESS }, paying);
    await ask(url, 'newStrategySubscription', { strategy_id, price: 10 }, paying);
    const keyed = async () => {
      const body = { name: 'Once', type: 'stock' };
      const headers = { 'Idempotency-Key': 'once' };
      return (await call(url, 'POST', '/newStrategy', { body, token, headers })).text;
    };
    const first = await keyed();
    const ready = async () => (await call(url, 'GET', '/readyz')).text;
    const ticks = async () => {
      const { text } = await call(url, 'GET', '/metrics');
      return Number(/^slipstream_tick_seconds_count (\d+)/m.exec(text)?.[1]);
    };
    const state = async () => ({
      invoices: await ask(url, 'getInvoices', {}, paying),
      subscriptions: await ask(url, 'getStrategySubscriptions', {}, paying),
      once: await keyed(),
    });
    const before = await state();
    expect(before.once).toBe(first);

    shift(YEAR);
    await until(async () => (await ready()).includes('the clock is in doubt: since 20'));
    expect((await call(url, 'GET', '/metrics')).text).toContain('slipstream_clock_in_doubt 1');
    const seen = await ticks();
    // So that the work that is due has had the time to do harm.
    await until(async () => (await ticks()) > seen + 4);
    expect(await state()).toEqual(before);
    shift(0);
    await until(async () => !(await ready()).includes('in doubt'));
    const after = await ticks();
    await until(async () => (await ticks()) > after + 4);
    expect(await state()).toEqual(before);
    // The session had expired for as long as it seemed so, and was not removed.
    await ask(url, 'getTokens', {}, session.token);

    process.kill('SIGTERM');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out.match(/the clock (jumped|was set)[^:"]*/g)).toEqual([
      'the clock jumped ahead by 366 days',
      'the clock was set back by 366 days',
    ]);
  });
});
