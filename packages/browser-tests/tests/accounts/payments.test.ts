import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pressAt, tabTo } from '../keyboard.js';
import { type Scene, journeys, openScene } from '../scene.js';

const ADDRESS = { name: 'P', line_one: '1 Way', postal: '1', city: 'Bonn', country: 'DE' };

journeys('a follower whose card is declined', () => {
  let scene: Scene;
  let strategyId: string;
  beforeAll(async () => {
    scene = await openScene();
    const { server, owner } = scene;
    const paid = { type: 'stock', name: 'Paid', private: false, price: 30 };
    ({ strategy_id: strategyId } = await server.ask('newStrategy', paid, owner));
  });
  afterAll(() => scene.close());

  it('is told so where the positions would be, and pays with the next card, by the keyboard alone', async () => {
    const { server, browser } = scene;
    const token = await server.user('payer');
    await server.ask('newPaymentSource', { token: 'test_card_declined', ...ADDRESS }, token);
    await server.ask('newStrategySubscription', { strategy_id: strategyId, price: 30 }, token);
    const { page, problems, audit } = await browser.reader(server.url);
    await page.goto(`/strategies/${strategyId}#token=${token}`);
    await page.getByText('The last payment failed.').waitFor();
    // What was never paid is not there, rather than refused.
    expect(await page.getByRole('region', { name: 'Positions' }).count()).toBe(0);
    expect(problems).toEqual([]);
    await pressAt(page, page.getByRole('link', { name: 'See your payments' }), 'Enter');
    await page.getByRole('list', { name: 'Cards and payout accounts' }).waitFor();
    const isSeen = await page.evaluate<boolean>(`(async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      const payments = [...document.querySelectorAll('h2')].find(
        ({ textContent }) => textContent === 'Payments',
      );
      const { top, bottom } = payments.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })()`);
    expect(isSeen).toBe(true);
    await pressAt(page, page.getByLabel('Add a card or a payout account'), 'Space');
    const form = page.getByRole('form', { name: 'New card or payout account' });
    for (const label of ['Name', 'Street', 'Postal code', 'City', 'Country']) {
      await tabTo(page, form.getByLabel(label, { exact: true }));
      await page.keyboard.type('1');
    }
    expect(await audit()).toEqual([]);
    await pressAt(page, form.getByRole('button', { name: 'Add it' }), 'Enter');
    await form.waitFor({ state: 'detached' });
    await pressAt(page, page.getByRole('button', { name: 'Pay $30.00 now' }), 'Enter');
    await pressAt(page, page.getByRole('button', { name: 'Pay it now' }), 'Enter');
    await page.getByText('Tried again: paid.').waitFor();
    await page.goto(`/strategies/${strategyId}`);
    await page.getByRole('region', { name: 'Positions' }).waitFor();
  });

  it('keeps the present card where the new one is to wait', async () => {
    const { server, browser } = scene;
    const token = await server.user('keeper');
    await server.ask('newPaymentSource', { token: 'test_card_paid', ...ADDRESS }, token);
    const { page } = await browser.reader(server.url);
    await page.goto(`/account#token=${token}`);
    await page.getByLabel('Add a card or a payout account').check();
    const form = page.getByRole('form', { name: 'New card or payout account' });
    await form.getByLabel('Name at the simulated gateway').fill('test_card_declined');
    for (const label of ['Name', 'Street', 'Postal code', 'City', 'Country'])
      await form.getByLabel(label, { exact: true }).fill('1');
    await form.getByLabel('It is charged from now on').uncheck();
    await form.getByRole('button', { name: 'Add it' }).click();
    await form.waitFor({ state: 'detached' });
    const sources = await server.ask('getPaymentSources', {}, token);
    expect(sources.map(({ primary }) => primary).sort()).toEqual([false, true]);
    expect(sources.find(({ primary }) => primary)?.description).toContain('4242');
  });

  it('sees the card that waits for its bank, so that it is not added twice', async () => {
    const { server, browser } = scene;
    const token = await server.user('waiter');
    const { page } = await browser.reader(server.url);
    await page.goto(`/account#token=${token}`);
    await page.getByLabel('Add a card or a payout account').check();
    const form = page.getByRole('form', { name: 'New card or payout account' });
    await form.getByLabel('Name at the simulated gateway').fill('test_card_confirm');
    for (const label of ['Name', 'Street', 'Postal code', 'City', 'Country'])
      await form.getByLabel(label, { exact: true }).fill('1');
    await form.getByRole('button', { name: 'Add it' }).click();
    await form.getByText('Your bank wants you to confirm it.').waitFor();
    const cards = page.getByRole('list', { name: 'Cards and payout accounts' });
    await cards.getByText('pending').waitFor();
  });
});
