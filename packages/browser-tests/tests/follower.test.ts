import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Reader } from '../src/browser.js';
import { AAPL, MSFT, type Scene, journeys, openScene } from './scene.js';

journeys('a follower', () => {
  let scene: Scene;
  let reader: Reader;
  let page: Page;
  let follower: string;
  beforeAll(async () => {
    scene = await openScene();
    follower = await scene.server.user('follower');
    reader = await scene.browser.reader(scene.server.url);
    page = reader.page;
    await page.goto(`/#token=${follower}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });
  afterAll(() => scene.close());

  it('finds a free strategy with a small drawdown, compares, previews and follows it by keyboard', async () => {
    await page.getByLabel('Largest drawdown').selectOption('0.1');
    await page.getByLabel('Price a month').selectOption('30');
    await page.getByLabel('Compare Two giants').press('Space');
    await page.getByRole('group', { name: 'Comparison' }).getByText('Two giants').waitFor();
    await page.getByRole('link', { name: 'Two giants' }).last().press('Enter');
    await page.getByLabel('Your amount, in your own currency').fill('4000');
    await page.getByText(/it would have become 4,000\.00|it would have become 3,/).waitFor();
    await page.getByRole('button', { name: 'Follow for nothing' }).press('Enter');
    await page.getByRole('button', { name: 'Follow', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Following' }).waitFor();
    const positions = page.getByRole('region', { name: 'Positions' });
    await positions.getByText('AAPL').waitFor();
    const own = await scene.server.ask(
      'getStrategyCalculation',
      { strategy_id: scene.strategyId, input_value: '4000' },
      follower,
    );
    const amount = own.positions?.[0]?.amount ?? '';
    const text = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 }).format(
      amount as Intl.StringNumericLiteral,
    );
    await positions.getByText(text).waitFor();
  });

  it('makes a bot by steps, sees the account before it is stored, starts, halts, resumes and stops it', async () => {
    await page.goto(`/new-bot?strategy=${scene.strategyId}`);
    await page.getByLabel('Play money to start with, USD').fill('10000');
    await page.getByRole('button', { name: 'Look at the account' }).press('Enter');
    await page.getByRole('heading', { name: '4. What it would do now' }).waitFor();
    await page.getByText('$10,000.00').first().waitFor();
    expect(await scene.server.ask('getBots', {}, follower)).toEqual([]);
    await page.getByRole('button', { name: 'Make the bot' }).press('Enter');
    await page.getByText('It is off: it places no orders.').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).press('Enter');
    await page.getByText(/It places \d+ orders now/).waitFor();
    await page.getByRole('button', { name: 'Start it' }).press('Enter');
    await page.getByText(/It starts/).waitFor();
    await scene.server.application.background.runBots();
    await scene.server.quotes({ [AAPL]: 200, [MSFT]: 400 });
    await scene.server.application.background.runBots();
    await page.getByText(/It runs/).waitFor();
    await page.getByRole('group', { name: 'Holdings' }).getByText('AAPL').waitFor();
    expect(await reader.audit()).toEqual([]);

    await page.getByRole('button', { name: 'Halt this bot' }).press('Enter');
    await page.getByRole('button', { name: 'Halt this bot now' }).press('Enter');
    await page.getByText(/Trading is halted/).waitFor();
    await page.getByRole('button', { name: 'Resume trading' }).press('Enter');
    await page.getByText(/Orders are sent again at once/).waitFor();
    await page.getByRole('button', { name: 'Resume trading now' }).press('Enter');
    await page.getByText(/Trading is halted/).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Stop it' }).press('Enter');
    await page.getByText(/It stops|It is off/).waitFor();
  });
});
