import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { type Scene, journeys, openScene } from '../scene.js';

journeys('an answer to what was edited meanwhile', () => {
  let scene: Scene;
  let page: Page;
  beforeAll(async () => {
    scene = await openScene();
    ({ page } = await scene.browser.reader(scene.server.url));
  });
  afterAll(() => scene.close());

  /** Holds requests of an operation up; `next` gives the one that comes next. */
  async function heldUp(operation: string) {
    const [come, waiting]: [Route[], ((route: Route) => void)[]] = [[], []];
    await page.route(new RegExp(`/${operation}\\b`), (route) => {
      const take = waiting.shift();
      if (take) take(route);
      else come.push(route);
    });
    return {
      next: async (): Promise<Route> =>
        come.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    };
  }

  it('shows no plan of earlier targets: its button would place those that were never previewed', async () => {
    await page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
    const form = page.getByRole('form', { name: 'Targets' });
    const percent = form.getByLabel('Percent').first();
    const press = form.getByRole('button', { name: 'Preview' });
    const plan = page.getByRole('group', { name: 'Preview' });
    await percent.fill('10');
    const { next } = await heldUp('previewOrderAllocations');
    await press.click();
    const early = await next();
    await percent.fill('90');
    await press.click();
    const late = await next();
    const answered = page.waitForResponse(/previewOrderAllocations/);
    await early.continue();
    await (await answered).finished();
    await late.continue();
    await plan.getByText('These orders would be placed:').waitFor();
    await expect(plan.getByRole('listitem').allTextContents()).resolves.toEqual([
      expect.stringMatching(/^buy/),
    ]);
    await percent.fill('10');
    await press.click();
    const last = await next();
    await percent.fill('20');
    const told = page.waitForResponse(/previewOrderAllocations/);
    await last.continue();
    await (await told).finished();
    // What was told before is shown by then.
    await page.evaluate('new Promise((done) => setTimeout(done))');
    await expect(plan.count()).resolves.toBe(0);
  });
});
