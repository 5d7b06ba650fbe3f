import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import type { Page } from 'playwright-core';
import { AAPL, MSFT, type Scene, allRead, journeys, openScene } from '../scene.js';

/** Hundredths of percent, as whole numbers. */
const hundredths = (text: string): number => Math.round(Number(text.replace(/[+,%]/g, '')) * 100);

journeys('figures that move', () => {
  let scene: Scene;
  let page: Page;
  const region = (name: string) => page.getByRole('region', { name });
  const trade = (percent: string) =>
    scene.server.ask(
      'newOrderAllocations',
      { strategy_id: scene.strategyId, allocations: [{ stock_id: AAPL, percent }] },
      scene.owner,
    );
  beforeAll(async () => {
    scene = await openScene();
    ({ page } = await scene.browser.reader(scene.server.url));
    await page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
    await region('Positions').getByRole('row', { name: /AAPL/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });
  afterAll(() => scene.close());

  it('tell one return beside the value that moves, wherever it stands, and it is the one of the service', async () => {
    const { server, strategyId } = scene;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await server.quotes({ [AAPL]: 260, [MSFT]: 400 });
    const [strategy] = await server.ask('getStrategies', { strategy_id: [strategyId] });
    const past = strategy?.timeframes.find(({ timeframe }) => timeframe === 'month');
    const form = new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 2 });
    const text = `+${form.format(Number(Number(past?.return).toFixed(4)))}`;
    expect(hundredths(text)).toBeGreaterThan(1_000);
    const places = [
      page.getByText(`${text} 30 days`),
      region('Performance').getByRole('definition').getByText(text, { exact: true }),
      region('Segments of the record').getByRole('cell', { name: text, exact: true }),
    ];
    for (const place of places) await place.waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText(`${text} all`).waitFor();
    expect(asked).not.toContain('/getStrategies');
  });

  it.each([1280, 390])(
    'tell weights that make a whole together with the cash, %d wide',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      const rows = region('Positions').locator('tbody tr');
      const weights: number[] = [];
      for (const row of await rows.all()) {
        const [, weight = ''] = await row.locator('td').allInnerTexts();
        weights.push(hundredths(weight));
      }
      expect(weights).toHaveLength(3);
      // Each is rounded by itself.
      expect(Math.abs(weights.reduce((sum, one) => sum + one, 0) - 10_000)).toBeLessThanOrEqual(2);
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  );

  it('have neither sign nor colour where they are shown as zero', async () => {
    const { server } = scene;
    server.clock.advance(MINUTE);
    await server.quotes({ [AAPL]: 270, [MSFT]: 400 });
    const reading = region('Performance').locator('p').filter({ hasText: 'from its peak' });
    await reading.filter({ hasText: '10:01:00' }).waitFor();
    server.clock.advance(MINUTE);
    await server.quotes({ [AAPL]: 269.999, [MSFT]: 400 });
    await reading.filter({ hasText: '10:02:00' }).waitFor();
    expect(await reading.textContent()).toContain(' 0.00% from its peak');
    expect(await reading.locator('.down').count()).toBe(0);
  });

  it('stay in their place while a fill is read', async () => {
    const { server } = scene;
    const fills = region('Fills').locator('tbody tr');
    await fills.first().waitFor();
    const before = await fills.count();
    await page.evaluate(`
      window.gone = new Set();
      new MutationObserver(() => {
        if (!document.querySelector('[aria-label=Fills] table')) gone.add('fills');
        const heads = [...document.querySelectorAll('[aria-label=Positions] th')];
        if (!heads.some((one) => one.innerText === 'Yours')) gone.add('amounts');
      }).observe(document.body, { childList: true, subtree: true });`);
    await trade('0.2');
    server.clock.advance(MINUTE);
    await server.quotes({ [AAPL]: 260, [MSFT]: 400 });
    await fills.nth(before).waitFor();
    await allRead(page);
    expect(await page.evaluate('[...gone]')).toEqual([]);
  });
});
