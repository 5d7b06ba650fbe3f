import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../../server/tests/helpers/composed-server.js';
import { AAPL, MSFT, type Scene, allRead, journeys, openScene } from '../scene.js';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const COUNTS = { orders: 101, alerts: 101, likes: 101, posts: 21, rebalances: 26, users: 26 };

journeys('a list that goes on', () => {
  let scene: Scene;
  let botId: string;
  beforeAll(async () => {
    scene = await openScene({ CAPS: 'posts=1000,alerts=1000', TRADING_HOURS: 'always' });
    const { server, owner, strategyId: strategy_id } = scene;
    const { ask, attempt, clock, application } = server;
    const quotes = () => server.quotes({ [AAPL]: 200, [MSFT]: 400 });
    await ask('updateUserNotifications', { notifications: ['like'] }, owner);
    const fan = await server.user('fan');
    const { post_id } = await ask('newPost', { text: 'First', strategy_id }, owner);
    for (let n = 1; n < COUNTS.posts; n += 1)
      await ask('newPost', { text: 'Another', strategy_id }, owner);
    for (let n = 0; n < COUNTS.likes; n += 1) {
      await ask('newLike', { post_id }, fan);
      await ask('deleteLike', { post_id }, fan);
      clock.advance(HOUR);
    }
    await quotes();
    const url = 'https://receiver.invalid/hook';
    await ask('newEndpoint', { kind: 'webhook', url, events: ['order.filled'] }, owner);
    const order = { strategy_id, stock_id: AAPL, action: 'buy', total: '0.0001' };
    for (let n = 0; n < COUNTS.orders; n += 1) await ask('newOrder', order, owner);
    await quotes();
    await application.background.sendEvents();
    const alert = { strategy_id, stock_id: AAPL, action: 'none' };
    for (let n = 0; n < COUNTS.alerts; n += 1) await attempt('newOrderWebhook', alert, owner);
    const bot = {
      ...{ type: 'stock', broker: 'simulated' },
      allocations: [{ strategy_id, percent: '1' }],
    };
    ({ bot_id: botId } = await ask('newBot', bot, owner));
    await ask('startBot', { bot_id: botId }, owner);
    for (let n = 0; n < COUNTS.rebalances; n += 1) {
      const allocations = [{ stock_id: AAPL, percent: n % 2 === 0 ? '0.1' : '0.9' }];
      await ask('newOrderAllocations', { strategy_id, allocations }, owner);
      for (let look = 0; look < 2; look += 1) {
        clock.advance(MINUTE);
        await quotes();
        await application.background.runBots();
      }
    }
    for (let n = 0; n < COUNTS.users; n += 1) await server.user(`many${n}`);
  });
  afterAll(() => scene.close());

  it.each([
    ['/inbox', 'Notifications', ['Show more'], 100, 'Older ones are not shown.'],
    ['/inbox', 'Alerts of all strategies', ['Show more'], 100, 'The latest 100.'],
    ['/account', 'Events to your systems', ['Deliveries', 'Show more'], 100, 'The latest 100.'],
    ['/bots/:bot', 'Orders at the broker', [], 25, 'The latest 25. The file has all.'],
    ['/strategies/:id', 'Fills', ['Show more'], 100, 'The latest 100. The file has all.'],
    ['/strategies/:id', 'Posts', [], 20, 'Older ones are not shown.'],
  ])('says so on %s: %s', async (path, region, presses, count, said) => {
    const { server, browser, owner, strategyId } = scene;
    const { page } = await browser.reader(server.url);
    await page.goto(`${path.replace(':id', strategyId).replace(':bot', botId)}#token=${owner}`);
    const panel = page.getByRole('region', { name: region, exact: true });
    for (const name of presses) await panel.getByRole('button', { name, exact: true }).click();
    await panel.getByText(said, { exact: true }).waitFor();
    const rows = panel.locator('ul.list > li, tbody > tr');
    // Beside deliveries is their endpoint.
    expect(await rows.count()).toBe(count + (region.startsWith('Events') ? 1 : 0));
    expect(await panel.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('begins with what is newest, and is read as a whole by one press', async () => {
    const { server, browser, owner } = scene;
    const { page } = await browser.reader(server.url);
    await page.goto(`/inbox#token=${owner}`);
    const panel = page.getByRole('region', { name: 'Notifications', exact: true });
    const items = panel.getByRole('list').getByRole('listitem');
    await items.nth(49).waitFor();
    // What the stream tells of the same list has come too.
    await page.getByText('Live', { exact: true }).waitFor();
    await allRead(page);
    const times = await items.locator('.small.quiet').allInnerTexts();
    const moments = times.map((text) => Date.parse(text));
    expect(moments).toEqual(moments.toSorted((one, other) => other - one));
    expect(times).toHaveLength(50);
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await panel.getByText('new', { exact: true }).first().waitFor({ state: 'detached' });
    expect(await panel.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0);
  });

  it('says so of users whom the operator finds', async () => {
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto('/operator');
    await page.getByLabel("Operator's token").fill(OPERATOR_TOKEN);
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Users', exact: true });
    await panel.getByLabel('Find').fill('many');
    await panel.getByText('The first 25. Type more of the address or of the name.').waitFor();
    await panel.getByLabel('Find').fill('many1');
    await panel.getByText('many12').first().waitFor();
    expect(await panel.getByText('The first 25.').count()).toBe(0);
  });
});
