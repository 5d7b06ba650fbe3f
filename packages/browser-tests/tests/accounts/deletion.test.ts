import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Scene, journeys, openScene } from '../scene.js';

const [email, password] = ['ada@example.com', 'a long sentence of hers'];

journeys('the end of an account', () => {
  let scene: Scene;
  let page: Page;
  let token: string;
  let bot_id: string;
  beforeAll(async () => {
    scene = await openScene();
    const { server, strategyId } = scene;
    await server.ask('newUser', { email, password });
    const session = await server.ask('newSession', { email, password });
    const made = await server.ask('newToken', { name: 'x', scope: ['*'] }, session.token);
    ({ token } = made);
    await server.ask('newStrategySubscription', { strategy_id: strategyId }, token);
    const allocations = [{ strategy_id: strategyId, percent: '1' }];
    const bot = { type: 'stock', broker: 'simulated', allocations } as const;
    ({ bot_id } = await server.ask('newBot', bot, token));
    await server.ask('startBot', { bot_id }, token);
    ({ page } = await scene.browser.reader(server.url));
    await page.goto(`/account#token=${token}`);
  });
  afterAll(() => scene.close());

  it('says what must be done first, which the service asks for', async () => {
    await page.getByRole('button', { name: 'Delete the account' }).click();
    const form = page.getByRole('form', { name: 'Delete the account' });
    await form.getByText('Stop your bots and withdraw your balance first').waitFor();
    await form.getByLabel('Your password').fill(password);
    await form.getByRole('button', { name: 'Delete it for ever' }).click();
    await form.getByText(/^Stop these bots first: /).waitFor();
    const { server } = scene;
    await server.ask('stopBot', { bot_id, close_on_stop: false }, token);
    await server.application.background.runBots();
    await form.getByRole('button', { name: 'Delete it for ever' }).click();
    await page.getByText('Your account is deleted.').waitFor();
    const again = await server.attempt('newSession', { email, password });
    expect(again.status).toBe(401);
  });
});
