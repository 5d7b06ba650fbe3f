import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AAPL, MSFT, type Scene, journeys, openScene } from '../scene.js';

/** What has the focus, once the page has drawn what came last. */
const FOCUSED = `new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))).then(() => {
  const { activeElement: one } = document;
  if (one === document.body) return 'nothing';
  const label = document.getElementById(one.getAttribute('aria-labelledby') ?? '') ?? one;
  return label.innerText.trim();
})`;

const focused = (page: Page): Promise<string> => page.evaluate<string>(FOCUSED);

journeys('who goes by the keyboard', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  const opened = async (path: string, token = scene.owner): Promise<Page> => {
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto(`${path}#token=${token}`);
    return page;
  };
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().press('Enter');

  it('stays at a button while it waits, and when it is done', async () => {
    const page = await opened('/account');
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/updateUserInfo', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('region', { name: 'Profile' }).getByLabel('Name').fill('Ada');
    await press(page, 'Save');
    await page.locator('button[aria-disabled=true], button:disabled').first().waitFor();
    expect(await focused(page)).toBe('Save');
    go();
    await page.getByText('Saved.').waitFor();
    expect(await focused(page)).toBe('Save');
  });

  it('stays at a button that was refused', async () => {
    const page = await opened('/account');
    await page.getByLabel('Present password').fill('not the one that it is');
    await page.getByLabel('New password').fill('a long sentence of hers');
    await press(page, 'Change the password');
    await page.getByRole('alert').first().waitFor();
    expect(await focused(page)).toBe('Change the password');
  });

  it('does nothing twice by a second press while the first is under way', async () => {
    const page = await opened('/account');
    const asked: string[] = [];
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/newToken', async (route) => {
      const { name } = route.request().postDataJSON() as { readonly name?: string };
      if (name === 'Charts') {
        asked.push(name);
        await held;
      }
      await route.continue();
    });
    await page.getByLabel('Name of a new token').fill('Charts');
    await press(page, 'Make a token');
    await page.locator('button[aria-disabled=true], button:disabled').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name of a new token').press('Enter');
    go();
    await page.getByRole('cell', { name: 'Charts' }).waitFor();
    expect(asked).toEqual(['Charts']);
  });

  it('goes on in the panel of what has left: of an order that was cancelled', async () => {
    const { server, owner, strategyId } = scene;
    const order = { strategy_id: strategyId, stock_id: AAPL, action: 'buy', amount: '0.0001' };
    await server.ask('newOrder', { ...order, type: 'limit', price: '100' }, owner);
    const page = await opened(`/strategies/${strategyId}`);
    const panel = page.getByRole('region', { name: 'Open orders' });
    await panel.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await press(page, 'Cancel the order');
    await panel.getByText('None.', { exact: false }).waitFor();
    expect(await focused(page)).toBe('Open orders');
  });

  it('goes on in the panel of what has left: of a preview that was placed', async () => {
    const { strategyId } = scene;
    const page = await opened(`/strategies/${strategyId}`);
    const panel = page.getByRole('region', { name: 'Targets' });
    await panel.getByLabel('Percent').nth(1).fill('30');
    await panel.getByRole('button', { name: 'Preview' }).press('Enter');
    await press(page, 'Place these orders');
    await panel.getByText(/ placed\. Reduces come/).waitFor();
    expect(await focused(page)).toBe('Targets');
    await scene.server.quotes({ [AAPL]: 200, [MSFT]: 400 });
  });

  it('goes on in the panel of what has left: of a token that was ended', async () => {
    await scene.server.ask('newToken', { name: 'Old', scope: ['getOrders'] }, scene.owner);
    const page = await opened('/account');
    const panel = page.getByRole('region', { name: 'Tokens and sign-ins' });
    const row = panel.getByRole('row').filter({ hasText: 'Old' });
    await row.getByRole('button').first().press('Enter');
    await row.getByRole('button').first().press('Enter');
    await row.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Tokens and sign-ins');
  });

  it('hears what a press does before it is asked to confirm it', async () => {
    const page = await opened('/account');
    const panel = page.getByRole('region', { name: 'Tokens and sign-ins' });
    await panel.getByRole('button', { name: 'End' }).first().press('Enter');
    const id = await page.locator(':focus').getAttribute('aria-describedby');
    expect(await page.locator(`[id="${id}"]`).innerText()).toMatch(/\w{3}.*\./);
  });
});
