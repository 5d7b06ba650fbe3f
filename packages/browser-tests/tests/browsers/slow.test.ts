import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Scene, journeys, openScene } from '../scene.js';

const isAt = (place: number) =>
  Math.round((globalThis as unknown as { scrollY: number }).scrollY) === place;

journeys('a slow machine', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  it('signs a second tab in as soon as the first one, which is busy, can say who the reader is', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    await page.goto(`/account#token=${scene.owner}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    // Between its tasks, of which each takes longer than a page waits before it opens without an answer.
    await page.evaluate(`{
      const work = () => {
        for (const until = performance.now() + 1_000; performance.now() < until;);
        window.work = setTimeout(work);
      };
      work();
    }`);
    const second = await context.newPage();
    await second.goto('/account');
    await second.getByRole('button', { name: 'Sign out' }).waitFor();
    await second.getByText('owner@example.com').waitFor();
    await page.evaluate('clearTimeout(work)');
    expect(await second.evaluate('Object.keys(sessionStorage)')).toEqual(['slipstream-session']);
  });

  it('comes back to the place in a list that was left, although the service takes eight seconds to tell it', async () => {
    const { server, browser } = scene;
    const owner = await server.user('many');
    for (let made = 0; made < 30; made += 1)
      await server.ask('newStrategy', { type: 'stock', name: `Numbered ${made}` }, owner);
    const { page } = await browser.reader(server.url, { viewport: { width: 900, height: 300 } });
    await page.clock.install();
    await page.goto('/');
    const row = page.getByRole('group', { name: 'Strategies' }).locator('tbody tr').nth(25);
    await row.getByRole('link').scrollIntoViewIfNeeded();
    const left = await page.evaluate<number>('Math.round(scrollY)');
    expect(left).toBeGreaterThan(500);
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Statistics' }).waitFor();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/(find|get)Strategies/, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/findStrategies/);
    await page.goBack();
    await asked;
    await page.clock.fastForward(8_000);
    answer();
    await row.waitFor();
    await page.waitForFunction(isAt, left);
  });
});
