import { afterEach, beforeEach, describe, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  type ComposedOptions,
  type ComposedServer,
  composedServer,
} from '../../server/tests/helpers/composed-server.js';
import {
  type TestBrowser,
  closeVisitors,
  hasBrowser,
  openBrowser,
  welcomeVisitors,
} from '../src/browser.js';

export const AAPL = 'AAPL:NASDAQ';
export const MSFT = 'MSFT:NASDAQ';

/** A server with quotes, an owner with a public strategy that holds two stocks, and a browser. */
export interface Scene {
  readonly server: ComposedServer;
  readonly browser: TestBrowser;
  readonly owner: string;
  readonly strategyId: string;
  close(): Promise<void>;
}

/** Sets the scene; files of journeys share nothing else. */
export async function openScene(
  environment: Record<string, string> = {},
  options: ComposedOptions = {},
): Promise<Scene> {
  const [server, browser] = await Promise.all([
    composedServer({ ...options, environment }),
    openBrowser(),
  ]);
  await server.quotes({ [AAPL]: 200, [MSFT]: 400 });
  const owner = await server.user('owner');
  const { strategy_id: strategyId } = await server.ask(
    'newStrategy',
    { type: 'stock', name: 'Two giants', description: 'Half and half.', private: false },
    owner,
  );
  const allocations = [AAPL, MSFT].map((stock_id) => ({ stock_id, percent: '0.4' }));
  await server.ask('newOrderAllocations', { strategy_id: strategyId, allocations }, owner);
  await server.quotes({ [AAPL]: 200, [MSFT]: 400 });
  return {
    server,
    browser,
    owner,
    strategyId,
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/** Resolves when the page has read what it shows: on a busy machine nothing is asked for a while before the first of it is. */
export async function allRead(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Journeys, skipped and counted as skipped where there is no browser. A reader who comes in a test leaves with it. */
export function journeys(name: string, tests: () => void): void {
  const where = hasBrowser() ? describe : describe.skip;
  where(name, () => {
    beforeEach(welcomeVisitors);
    afterEach(closeVisitors);
    tests();
  });
}

/** What takes minutes: `npm run verify -- --only dashboard` runs it, and `npm test` skips it and counts it as skipped. */
export const inVerify = process.env['LIVE_MINUTES'] === undefined ? it.skip : it;
