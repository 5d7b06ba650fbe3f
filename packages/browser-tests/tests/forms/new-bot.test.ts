import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LIVE_LIMITS, NO_LIMITS } from '@slipstream/domain';
import type { Page } from 'playwright-core';
import type { Reader } from '../../src/browser.js';
import { type Scene, journeys, openScene } from '../scene.js';

journeys('the limits of a new bot', () => {
  let scene: Scene;
  let reader: Reader;
  let page: Page;
  beforeAll(async () => {
    scene = await openScene({
      ...{ BROKERS: 'simulated,alpaca', LIVE_TRADING: 'on' },
      ALPACA_LIVE_URL: 'http://127.0.0.1:9',
    });
    reader = await scene.browser.reader(scene.server.url);
    page = reader.page;
    await page.goto(`/new-bot?strategy=${scene.strategyId}#token=${scene.owner}`);
    await page.getByRole('heading', { name: 'New bot' }).waitFor();
  });
  afterAll(() => scene.close());

  /** The limits that the page asks the service to plan with. */
  async function asked(): Promise<unknown> {
    const request = page.waitForRequest((one) => one.url().endsWith('/previewBot'));
    await page.getByRole('button', { name: 'Look at the account' }).click();
    return ((await request).postDataJSON() as { readonly limits: unknown }).limits;
  }
  const shown = (label: string) => page.getByLabel(label, { exact: true });
  const none = {
    ...{ max_capital: null, max_order: null, max_gross: null, max_per_stock: null },
    ...{ max_orders_per_day: null, max_turnover_per_day: null, max_drawdown: null },
  };

  it('are those that it shows, also where the service has others for real money', async () => {
    expect(await asked()).toEqual({ ...none, max_daily_loss: '0.1' });
    await page.getByLabel('Broker').selectOption('alpaca');
    await page.getByLabel('Key id').fill('AK1');
    await page.getByLabel('Secret key').fill('secret');
    await expect(shown('Orders a day').inputValue()).resolves.toBe(
      String(LIVE_LIMITS.maxOrdersPerDay),
    );
    await expect(shown('Turnover a day').inputValue()).resolves.toBe('4');
    const live = { max_daily_loss: '0.1', max_orders_per_day: 200, max_turnover_per_day: '4' };
    expect(await asked()).toEqual({ ...none, ...live });
    // Another default of the service must come to this page too.
    const { maxDailyLoss, maxOrdersPerDay, maxTurnoverPerDay, ...others } = LIVE_LIMITS;
    expect([String(maxDailyLoss), maxOrdersPerDay, String(maxTurnoverPerDay)]).toEqual([
      ...['0.1', 200, '4'],
    ]);
    expect(NO_LIMITS).toMatchObject(others);
  });

  it('are none where the reader takes them away, and stay when the broker changes', async () => {
    await shown('Orders a day').fill('');
    await shown('Largest order, USD').fill('500');
    expect(await asked()).toEqual({
      ...none,
      ...{ max_daily_loss: '0.1', max_turnover_per_day: '4', max_order: '500' },
    });
    await page.getByLabel('Broker').selectOption('simulated');
    expect(await asked()).toEqual({ ...none, max_daily_loss: '0.1', max_order: '500' });
  });

  it('leave the name of a strategy its whole line, also on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = async (label: string) =>
      (await page.getByRole('combobox', { name: label }).boundingBox())?.width;
    expect(await wide('Strategy')).toBe(await wide('Broker'));
    expect(await wide('Strategy')).toBeGreaterThan(300);
  });
});
