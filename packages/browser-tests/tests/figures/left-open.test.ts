import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import { type Scene, allRead, journeys, openScene } from '../scene.js';

journeys('a page that stays open', () => {
  let scene: Scene;
  let follower: string;
  beforeAll(async () => {
    scene = await openScene();
    const { server, strategyId: strategy_id } = scene;
    follower = await server.user('follower');
    await server.ask('newStrategySubscription', { strategy_id }, follower);
  });
  afterAll(() => scene.close());

  it.each([
    ['/strategies/:id', 'the curve, whose timeframe rolls on', '/getStrategyHistory', 10],
    ['/strategies/:id', 'the statistics, with each day that is over', '/getStrategyStatistics', 10],
    ['/my-strategies', 'the figures of what is followed', '/getStrategySubscriptions', 1],
  ])('reads on %s %s again', async (path, _, read, minutes) => {
    const { server, browser, strategyId } = scene;
    const { page, context } = await browser.reader(server.url);
    await page.clock.install();
    await page.goto(`${path.replace(':id', strategyId)}#token=${follower}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Two giants').first().waitFor();
    await allRead(page);
    const again = page.waitForRequest((request) => new URL(request.url()).pathname === read);
    await page.clock.runFor(minutes * MINUTE + 1_000);
    expect((await again).method()).toBe('GET');
    await context.close();
  });
});
