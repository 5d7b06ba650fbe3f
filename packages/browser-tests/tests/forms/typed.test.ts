import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Scene, journeys, openScene } from '../scene.js';

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

  it('and is no amount is not confirmed as one', async () => {
    const [, form] = await opened('/account', 'Withdraw');
    const field = form.getByLabel('Withdraw, USD');
    await field.fill('100 USD');
    await form.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await form.locator('input:invalid:focus').waitFor();
    expect(await field.getAttribute('title')).toContain('An amount in dollars');
    expect(await form.textContent()).not.toContain('NaN');
  });

  it('and is no number does not take a limit or a cooldown from a bot', async () => {
    const [page, form] = await botPage('Limits');
    await refused(form, 'Orders a day', '1,000', 'Save the limits');
    const settings = page.getByRole('form', { name: 'Settings', exact: true });
    await settings.getByLabel('Rebalance').selectOption('paced');
    await refused(settings, 'Cooldown, hours', 'two', 'Save the settings');
    expect((await bot())?.limits.max_orders_per_day).toBe(5);
    await form.getByLabel('Orders a day').fill('1000');
    await form.getByRole('button', { name: 'Save the limits' }).click();
    await form.getByRole('button', { name: 'Save it' }).click();
    await form.getByText('Saved.').waitFor();
    expect((await bot())?.limits).toMatchObject({ max_orders_per_day: 1000, max_order: '900' });
  });

  it('and is no price is not one', async () => {
    const [, form] = await strategyPage('Settings');
    for (const text of ['29,99', ' ', 'free']) {
      await refused(form, 'Price a month, whole USD', text, 'Change');
      expect(await form.getByRole('button', { name: 'Change it' }).count()).toBe(0);
    }
  });

  it('changes that alone: a price that was set elsewhere meanwhile stays', async () => {
    const { server, owner, strategyId } = scene;
    const [page, form] = await strategyPage('Settings');
    await server.ask('updateStrategy', { strategy_id: strategyId, price: 30 }, owner);
    await form.getByLabel('Description').fill('Told better.');
    await form.getByRole('button', { name: 'Change', exact: true }).click();
    await form.getByRole('button', { name: 'Change it' }).click();
    await form.getByText('Changed.').waitFor();
    expect(await strategy()).toMatchObject({ description: 'Told better.', price: 30 });
    // The form tells it now, and keeps what was typed.
    const price = await form.getByLabel('Price a month, whole USD').elementHandle();
    await page.waitForFunction(
      (input) => (input as { value?: string } | null)?.value === '30',
      price,
    );
    expect(await form.getByLabel('Description').inputValue()).toBe('Told better.');
    await server.ask('updateStrategy', { strategy_id: strategyId, price: 0 }, owner);
  });

  /** Types the leverage key by key, as a reader does. */
  const leverage = async (text: string, locale = 'en-US') => {
    const { page } = await scene.browser.reader(scene.server.url, { locale });
    await page.goto(`/bots/${botId}#token=${scene.owner}`);
    const form = page.getByRole('form', { name: 'Shares and prices', exact: true });
    const input = form.getByLabel('Leverage');
    await input.fill('');
    await input.pressSequentially(text);
    expect(await input.inputValue()).toBe(text.trimStart());
    await form.getByRole('button', { name: 'Save shares and prices' }).click();
    return form;
  };

  // Which texts are decimals, the dashboard's own tests say: typed-decimal.test.ts.
  it('with a comma and with blanks around is a decimal all the same', async () => {
    const form = await leverage(' 0,75 ');
    await form.getByRole('button', { name: 'Save it' }).click();
    await form.getByText('Saved.').waitFor();
    expect((await bot())?.leverage).toBe('0.75');
  });

  it.each([
    ['1,000', 'en-US'],
    ['1.125', 'de-DE'],
  ])('and may mean two numbers is neither: %j in %s', async (text, locale) => {
    const before = (await bot())?.leverage;
    const form = await leverage(text, locale);
    const input = form.locator('input:invalid:focus');
    await input.waitFor();
    expect(await input.getAttribute('title')).toContain('may mean two');
    expect(await form.getByRole('button', { name: 'Save it' }).count()).toBe(0);
    expect((await bot())?.leverage).toBe(before);
  });

  it('and is blank is nothing', async () => {
    const [, form] = await botPage('Limits');
    await form.getByLabel('All positions together').fill('  ');
    await form.getByLabel('Largest order, USD').fill('800');
    await form.getByRole('button', { name: 'Save the limits' }).click();
    await form.getByRole('button', { name: 'Save it' }).click();
    await form.getByText('Saved.').waitFor();
    expect((await bot())?.limits).toMatchObject({ max_gross: null, max_order: '800' });
  });

  it('changes that alone: what another tab chose of the notifications stays', async () => {
    const { server, owner } = scene;
    const { page } = await scene.browser.reader(server.url);
    await page.goto(`/account#token=${owner}`);
    const form = page.getByRole('form', { name: 'Notifications' });
    const stored = async () => (await server.ask('getUserInfo', {}, owner)).notifications;
    await form.getByLabel('Likes of your posts').uncheck();
    const elsewhere = { notifications: ['like', 'new_features_email'] };
    await server.ask('updateUserNotifications', elsewhere, owner);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved.').waitFor();
    expect(await stored()).toEqual(['new_features_email']);
    const followers = form.getByLabel('New followers of your strategies');
    await followers.and(page.locator(':not(:checked)')).waitFor();
    expect(await form.getByLabel('News of this service').isChecked()).toBe(true);
  });

  it('changes that alone: what was set elsewhere of a bot stays, and is shown', async () => {
    const { server, owner } = scene;
    const [page, form] = await botPage('Shares and prices');
    await page.getByText('Live', { exact: true }).waitFor();
    await form.getByLabel('Reserve').fill('0.5');
    const limits = { max_order: '500' };
    await server.ask(
      'updateBot',
      { bot_id: botId, leverage: '0.5', mode: 'paused', limits },
      owner,
    );
    await page.getByText('It is off: it places no orders. It is paused').waitFor();
    expect(await form.getByLabel('Leverage').inputValue()).toBe('0.5');
    expect(await form.getByLabel('Reserve').inputValue()).toBe('0.5');
    expect(await page.getByRole('combobox', { name: 'Mode' }).inputValue()).toBe('paused');
    await form.getByRole('button', { name: 'Save shares and prices' }).click();
    await form.getByRole('button', { name: 'Save it' }).click();
    await form.getByText('Saved.').waitFor();
    expect(await bot()).toMatchObject({
      leverage: '0.5',
      slippage: '0.005',
      mode: 'paused',
      limits,
    });
  });
});
