import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import { type ComposedServer, composedServer } from '../../server/tests/helpers/composed-server.js';
import { type TestBrowser, openBrowser } from '../src/browser.js';
import { AAPL, journeys } from './scene.js';

/** Beats that a test gives by hand. */
function handTimers() {
  const runs = new Set<() => void>();
  return {
    every: (_: number, run: () => void) => {
      runs.add(run);
      return () => {
        runs.delete(run);
      };
    },
    beat: () => {
      for (const run of runs) run();
    },
  };
}

const minutes = Array.from({ length: 120 }, (_, minute) => {
  const time = new Date(Date.UTC(2026, 2, 3, 10, minute)).toISOString().slice(11, 19);
  const price = (100 + minute / 10).toFixed(2);
  return `2026-03-03,${time},AAPL,${[price, price, price, price].join(',')},100`;
});

journeys('a server that replays recorded prices', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-recording-'));
  const timers = handTimers();
  let server: ComposedServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    const file = join(folder, 'minutes.csv');
    writeFileSync(
      file,
      `${['date,time,symbol,open,high,low,close,volume', ...minutes].join('\n')}\n`,
    );
    [server, browser] = await Promise.all([
      composedServer({
        environment: { MARKET: 'replay', REPLAY_FILES: file, TRADING_HOURS: 'always' },
        adapters: { timers },
      }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('has “replayed” beside each fill, and “simulated” beside every curve and figure', async () => {
    const owner = await server.user('owner');
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'stock', name: 'Replay' },
      owner,
    );
    const play = (): void => {
      server.clock.advance(MINUTE / 60);
      timers.beat();
    };
    play();
    play();
    const allocations = [{ stock_id: AAPL, percent: '0.5' }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, owner);
    play();
    const { page, problems } = await browser.reader(server.url);
    await page.goto(`/strategies/${strategy_id}#token=${owner}`);
    await page.getByRole('group', { name: 'Fills' }).getByText('replayed').waitFor();
    for (const name of ['Performance simulated', 'Statistics', 'Segments of the record'])
      await page.getByRole('region', { name }).getByText('simulated').first().waitFor();
    await page.getByText('Simulated: Made-up, recorded or unknown prices.').waitFor();
    expect(problems).toEqual([]);
  });
});
