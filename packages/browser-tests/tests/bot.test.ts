import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Reader } from '../src/browser.js';
import { AAPL, type Scene, journeys, openScene } from './scene.js';

journeys('the owner of a bot', () => {
  let scene: Scene;
  let reader: Reader;
  let page: Page;
  let botId: string;
  const reads: string[] = [];
  beforeAll(async () => {
    scene = await openScene();
    const { server, owner, strategyId } = scene;
    const allocations = [{ strategy_id: strategyId, percent: '1' }];
    const fields = { type: 'stock', broker: 'simulated', allocations };
    ({ bot_id: botId } = await server.ask('newBot', fields, owner));
    await server.ask('startBot', { bot_id: botId }, owner);
    reader = await scene.browser.reader(server.url);
    page = reader.page;
    await page.goto(`/bots/${botId}#token=${owner}`);
    await page.getByText('No orders yet.').waitFor();
    await page.getByRole('row', { name: /AAPL.*\$0\.00/ }).waitFor();
    page.on('request', (request) => reads.push(new URL(request.url()).pathname));
  });
  afterAll(() => scene.close());

  it('sees its orders and its account change without a reload', async () => {
    await scene.server.application.background.runBots();
    const orders = page.getByRole('region', { name: 'Orders at the broker' });
    await orders.getByRole('row', { name: /buy.*AAPL/ }).waitFor();
    await orders.getByText('filled').first().waitFor();
    const holdings = page.getByRole('region', { name: 'Account against target' });
    await holdings.getByRole('row', { name: /AAPL.*\$[34],\d{3}/ }).waitFor();
    expect(reads.filter((path) => /getBotOrders|getBotAccount/.test(path))).toEqual([]);
  });

  it('sees what a change of the strategy makes the bot do', async () => {
    const allocations = [{ stock_id: AAPL, percent: '0.1' }];
    const { server, owner, strategyId } = scene;
    await server.ask('newOrderAllocations', { strategy_id: strategyId, allocations }, owner);
    await server.quotes({ [AAPL]: 200 });
    const orders = page.getByRole('region', { name: 'Orders at the broker' });
    const sold = orders.getByRole('row', { name: /sell.*AAPL/ });
    // The trade makes the bot due beside its answer; a server looks for due bots again and again.
    while (!(await sold.isVisible())) await server.application.background.runBots();
    expect(await reader.audit()).toEqual([]);
    expect(reader.problems).toEqual([]);
  });

  it('is offered to close its positions with the stop, where that was chosen meanwhile', async () => {
    const chosen = { bot_id: botId, close_on_stop: true };
    await scene.server.ask('updateBot', chosen, scene.owner);
    const panel = page.getByRole('region', { name: 'Control' });
    await panel.getByRole('button', { name: 'Stop', exact: true }).click();
    await panel.getByRole('button', { name: 'Close its positions and stop' }).waitFor();
    await panel.getByLabel('Close its positions first').uncheck();
    await panel.getByText('It is off at once.').waitFor();
    await panel.getByRole('button', { name: 'Not now' }).click();
  });
});
