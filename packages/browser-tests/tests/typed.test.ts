import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Scene, journeys, openScene } from './scene.js';

journeys('what a reader types', () => {
  let scene: Scene;
  let botId: string;
  beforeAll(async () => {
    scene = await openScene();
    const { server, owner, strategyId } = scene;
    const allocations = [{ strategy_id: strategyId, percent: '1' }];
    const limits = { max_orders_per_day: 5, max_order: '900' };
    const bot = { type: 'stock', broker: 'simulated', allocations, limits };
    ({ bot_id: botId } = await server.ask('newBot', bot, owner));
    await server.ask('updateStrategy', { strategy_id: strategyId, alert_watch: 48 }, owner);
  });
  afterAll(() => scene.close());

  const opened = async (path: string, form: string): Promise<readonly [Page, Locator]> => {
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto(`${path}#token=${scene.owner}`);
    const found = page.getByRole('form', { name: form, exact: true });
    await found.waitFor();
    return [page, found];
  };
  const strategyPage = (form: string) => opened(`/strategies/${scene.strategyId}`, form);
  const botPage = (form: string) => opened(`/bots/${botId}`, form);
  const strategy = async () => {
    const ids = { strategy_id: [scene.strategyId] };
    return (await scene.server.ask('getStrategies', ids, scene.owner))[0];
  };
  const bot = async () => (await scene.server.ask('getBots', { bot_id: [botId] }, scene.owner))[0];
  /** Presses the button, and the browser leads to the field instead of sending it. */
  const refused = async (form: Locator, field: string, text: string, button: string) => {
    const input = form.getByLabel(field);
    await input.fill(text);
    await form.getByRole('button', { name: button, exact: true }).click();
    await form.locator('input:invalid:focus').waitFor();
    expect(await input.getAttribute('title')).toBe('A whole number, without commas or words.');
  };

  it('and is no number does not turn the watch of alerts off', async () => {
    const [, form] = await strategyPage('Missing alerts');
    const field = 'Tell me after this many trading hours';
    await refused(form, field, '24h', 'Save');
    expect((await strategy())?.alert_watch).toBe(48);
    await form.getByLabel(field).fill(' 24 ');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The watch is on.').waitFor();
    expect((await strategy())?.alert_watch).toBe(24);
  });

  it('and is no number does not take a limit from a bot', async () => {
    const [, form] = await botPage('Limits');
    await refused(form, 'Orders a day', '1,000', 'Save the limits');
    expect((await bot())?.limits.max_orders_per_day).toBe(5);
    await form.getByLabel('Orders a day').fill('1000');
    await form.getByRole('button', { name: 'Save the limits' }).click();
    await form.getByRole('button', { name: 'Save it' }).click();
    await form.getByText('Saved.').waitFor();
    expect((await bot())?.limits).toMatchObject({ max_orders_per_day: 1000, max_order: '900' });
  });
});
