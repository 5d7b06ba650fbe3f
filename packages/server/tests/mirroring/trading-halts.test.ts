import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const STOCK = 'AAPL:NASDAQ';

describe('a halt of trading over the interface', () => {
  let server: ComposedServer;
  let user: string;
  let bot_id: string;
  beforeAll(async () => {
    server = await composedServer();
    await server.quotes({ [STOCK]: [199.98, 200.02] });
    user = await server.user('ada');
    const given = { type: 'stock', name: 'Mine' };
    const { strategy_id } = await server.ask('newStrategy', given, user);
    const allocations = [{ strategy_id, percent: 1 }];
    ({ bot_id } = await server.ask(
      'newBot',
      { type: 'stock', broker: 'simulated', allocations },
      user,
    ));
  });
  afterAll(() => server.close());

  const command = (token: string, ...args: readonly string[]) =>
    runCommand(args, { SLIPSTREAM_URL: server.url, SLIPSTREAM_TOKEN: token });
  const start = () => server.attempt('startBot', { bot_id }, user);
  const page = async (path: string) => (await server.call('GET', path)).text;

  it('refuses startBot by code, is shown by the pages of the server, and is lifted by its rank', async () => {
    const set = await command(
      OPERATOR_TOKEN,
      ...['halt', 'simulated', '--scope', 'broker', '--reason', 'The broker is down.', '--json'],
    );
    const halt = JSON.parse(set.out) as { halt_id: string };
    expect(halt).toMatchObject({
      scope: 'broker',
      id: 'simulated',
      reason: 'The broker is down.',
      by: 'operator',
    });
    const refused = await start();
    expect(refused.status).toBe(400);
    expect(refused.headers.get('x-error-code')).toBe('trading_halted');
    expect(refused.body).toMatchObject({
      response: 'Request failed. Trading is halted by the operator: The broker is down.',
    });
    expect(await page('/readyz')).toBe('ready\ntrading with simulated is halted\n');
    expect(await page('/metrics')).toContain('slipstream_trading_halts{scope="broker"} 1');

    expect((await command(user, 'halts')).out).toMatch(/broker +simulated +operator/);
    const { halt_id } = halt;
    expect(await command(user, 'resume', halt_id)).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('only the operator can lift this halt'),
    });
    expect((await command(OPERATOR_TOKEN, 'resume', halt_id)).out).toBe('Halt lifted.\n');
    expect((await command(OPERATOR_TOKEN, 'halts')).out).toBe('No halts.\n');
    expect(await page('/readyz')).toBe('ready\n');
  });

  it('of a user hits the own bots alone, and is in the audit log', async () => {
    const halt = await server.ask('haltTrading', { scope: 'bot', id: bot_id, reason: 'x' }, user);
    expect((await start()).headers.get('x-error-code')).toBe('trading_halted');
    const stranger = await server.user('bob');
    expect(await server.ask('getTradingHalts', {}, stranger)).toEqual([]);
    expect(await server.ask('getTradingHalts', {}, OPERATOR_TOKEN)).toEqual([halt]);
    expect(await page('/readyz')).toBe('ready\n');
    await server.ask('resumeTrading', { halt_id: halt.halt_id }, user);
    expect((await start()).status).toBe(200);
  });
});
