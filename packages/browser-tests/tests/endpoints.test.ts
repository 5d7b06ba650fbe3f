import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Scene, journeys, openScene } from './scene.js';

journeys('endpoints', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  it('are added, looked at, disabled and removed on the page of the account', async () => {
    const { server } = scene;
    const token = await server.user('listener');
    const made = await server.ask('newStrategy', { type: 'stock', name: 'Heard' }, token);
    const { page, problems, audit } = await scene.browser.reader(server.url);
    await page.goto(`/account#token=${token}`);
    const panel = page.getByRole('region', { name: 'Events to your systems' });
    await panel.getByText('can go to your own system').waitFor();
    await panel.getByText('Add one').click();
    await panel.getByLabel('Its address').fill('http://receiver.invalid');
    await panel.getByRole('button', { name: 'Add it' }).click();
    await panel.getByText('Url must be an https address.').waitFor();
    expect(await audit()).toEqual([]);
    await panel.getByLabel('Its address').fill('https://receiver.invalid/hook');
    await panel.getByRole('button', { name: 'Add it' }).click();
    await panel.getByText(/^whsec_/).waitFor();
    const order = { strategy_id: made.strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy' };
    await server.ask('newOrder', { ...order, amount: '0.001' }, token);
    await server.application.background.sendEvents();
    await panel.getByRole('button', { name: 'Deliveries' }).click();
    await panel.getByText('order.filled', { exact: true }).waitFor();
    await panel.getByText(/^retrying: its name/).waitFor();
    await panel.getByRole('button', { name: 'Send again' }).click();
    expect(await audit()).toEqual([]);
    await panel.getByRole('button', { name: 'Disable' }).click();
    await panel.getByRole('button', { name: 'Enable' }).waitFor();
    await panel.getByRole('button', { name: 'Remove', exact: true }).click();
    await panel.getByRole('button', { name: 'Remove it' }).click();
    await panel.getByText('can go to your own system').waitFor();
    expect(await server.ask('getEndpoints', {}, token)).toEqual([]);
    // The browser itself reports the refused address.
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });
});
