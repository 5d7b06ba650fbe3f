import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import type { Page } from 'playwright-core';
import { brokenWords } from '../src/broken-words.js';
import type { Reader } from '../src/browser.js';
import { pressAt, tabTo, undefinedNames } from './keyboard.js';
import { AAPL, MSFT, type Scene, allRead, journeys, openScene } from './scene.js';

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

  it('finds, compares and follows a strategy by the keyboard alone, and sees its shares', async () => {
    for (const [name, price, weight] of [
      ['One bank', 29, '0.2'],
      ['Dear', 99, '0.5'],
    ] as const) {
      const fields = { type: 'stock', name, price, private: false };
      const { strategy_id } = await scene.server.ask('newStrategy', fields, scene.owner);
      const allocations = [{ stock_id: MSFT, percent: weight }];
      await scene.server.ask('newOrderAllocations', { strategy_id, allocations }, scene.owner);
    }
    await scene.server.quotes({ [AAPL]: 200, [MSFT]: 400 });
    await page.reload();
    const compare = (name: string) => page.getByLabel(`Compare ${name}`);
    await compare('Dear').waitFor();
    // A letter chooses the option that begins with it.
    await tabTo(page, page.getByLabel('Price a month'));
    await page.keyboard.type('up to $30');
    await tabTo(page, page.getByLabel('Largest drawdown'));
    await page.keyboard.type('up to 10%');
    await compare('Dear').waitFor({ state: 'detached' });
    await pressAt(page, compare('One bank'), 'Space');
    await pressAt(page, compare('Two giants'), 'Space');
    const beside = page.getByRole('group', { name: 'Comparison' });
    await beside.getByText('$29').waitFor();
    await pressAt(page, beside.getByRole('link', { name: 'Two giants' }), 'Enter');
    await tabTo(page, page.getByLabel('Your amount, in your own currency'));
    await page.keyboard.press('ControlOrMeta+A');
    // A comma is taken as readers of many languages write it.
    await page.keyboard.type('4000,5');
    await page.getByText(/it would have become [34],\d{3}\.\d\d/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('You follow it until you stop. It costs nothing.').waitFor();
    await pressAt(page, page.getByRole('button', { name: 'Follow', exact: true }), 'Enter');
    await page.getByRole('heading', { name: 'Following' }).waitFor();
    const positions = page.getByRole('region', { name: 'Positions' });
    await positions.getByText('AAPL').waitFor();
    const own = await scene.server.ask(
      'getStrategyCalculation',
      { strategy_id: scene.strategyId, input_value: '4000.5' },
      follower,
    );
    const amount = own.positions?.[0]?.amount ?? '';
    const text = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 }).format(
      amount as Intl.StringNumericLiteral,
    );
    await positions.getByText(text).waitFor();
  });

  it('sees what their amount is worth move with the prices, to the digit of the service and without another read', async () => {
    const { server, strategyId } = scene;
    server.clock.advance(MINUTE);
    await server.quotes({ [AAPL]: 200, [MSFT]: 400 });
    await page.reload();
    const worth = page.getByRole('region', { name: 'Positions' }).getByText(/^yours:/);
    await worth.waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    // The amount is read once more when the positions have come.
    await allRead(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await server.quotes({ [AAPL]: 210, [MSFT]: 430 });
    const [row] = await server.ask(
      'getStrategySubscriptions',
      { strategy_id: [strategyId] },
      follower,
    );
    const now = await server.ask(
      'getStrategyCalculation',
      {
        strategy_id: strategyId,
        input_value: row?.input_value ?? '',
        ...(row?.input_date && { input_date: row.input_date }),
      },
      follower,
    );
    const text = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });
    expect(now.value).not.toBe(now.input_value);
    await worth.getByText(text.format(Number(Number(now.value).toFixed(2)))).waitFor();
    const change = `+${(Number(now.percent_change) * 100).toFixed(2)}%`;
    await worth.getByText(change).waitFor();
    expect(asked).not.toContain('/getStrategyCalculation');
    await server.quotes({ [AAPL]: 200, [MSFT]: 400 });
  });

  it('hides amounts of money on every page until the reader looks again', async () => {
    const hide = page.getByRole('button', { name: 'Hide amounts' });
    const filterOfAmounts = () =>
      page.evaluate("getComputedStyle(document.querySelector('main .amount')).filter");
    await hide.click();
    expect(await filterOfAmounts()).toContain('blur');
    await page.goto('/account');
    await page.getByText('$0.00').first().waitFor();
    expect(await filterOfAmounts()).toContain('blur');
    await hide.click();
    expect(await filterOfAmounts()).toBe('none');
  });

  it('reads numbers and times in their own language and zone', async () => {
    const { page: theirs } = await scene.browser.reader(scene.server.url, {
      ...{ locale: 'de-DE', timezoneId: 'Asia/Tokyo' },
    });
    await theirs.goto(`/strategies/${scene.strategyId}#token=${follower}`);
    const [now] = await scene.server.ask(
      'getStrategyValues',
      { strategy_id: [scene.strategyId] },
      follower,
    );
    const german = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 4 });
    const text = german.format((now?.strategy_value ?? '') as Intl.StringNumericLiteral);
    await theirs.getByTestId('value').getByText(text.slice(0, 6)).waitFor();
    const fills = theirs.getByRole('group', { name: 'Fills' });
    await fills.getByText('05.03.2026, 00:00:00').first().waitFor();
  });

  it('has the columns that matter on a phone without scrolling a table', async () => {
    const { page: phone } = await scene.browser.reader(scene.server.url, {
      viewport: { width: 390, height: 844 },
    });
    const hidden = async (name: string): Promise<unknown> => {
      const table = phone.getByRole('group', { name, exact: true });
      await table.locator('tbody tr').first().waitFor();
      const node = `document.querySelector('[role=group][aria-label="${name}"]')`;
      return phone.evaluate(`${node}.scrollWidth - ${node}.clientWidth`);
    };
    const { server, owner, strategyId } = scene;
    const little = { strategy_id: strategyId, stock_id: MSFT, amount: '0.000000589745' };
    await server.quotes({ [AAPL]: 194.137, [MSFT]: 420.13 });
    await server.ask('newOrder', { ...little, action: 'sell' }, owner);
    await phone.goto(`/#token=${follower}`);
    expect(['Strategies', await hidden('Strategies')]).toEqual(['Strategies', 0]);
    await phone.goto(`/strategies/${scene.strategyId}`);
    await phone.getByText('0.000000589745').waitFor();
    for (const name of ['Positions', 'Fills', 'Segments of the record'])
      expect([name, await hidden(name)]).toEqual([name, 0]);
    expect(await brokenWords(phone)).toEqual([]);
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
    await page.getByText('Mirrors Two giants with 100.00% of the account.').waitFor();
    const copied = page.getByRole('region', { name: 'Copied against original' });
    await copied.getByText('Not known: there is no day with a value.').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).press('Enter');
    await page.getByText(/It would place \d+ orders now/).waitFor();
    await page.getByRole('button', { name: 'Start it' }).press('Enter');
    await page.getByText(/It starts/).waitFor();
    await scene.server.application.background.runBots();
    await scene.server.quotes({ [AAPL]: 200, [MSFT]: 400 });
    await scene.server.application.background.runBots();
    await page.getByText(/It runs/).waitFor();
    await page.getByRole('group', { name: 'Holdings' }).getByText('AAPL').waitFor();
    expect(await reader.audit()).toEqual([]);
    expect(await undefinedNames(page)).toEqual([]);

    await page.getByRole('button', { name: 'Halt this bot' }).press('Enter');
    await page.getByRole('button', { name: 'Halt this bot now' }).press('Enter');
    await page.getByText(/Trading is halted \(this bot\) since/).waitFor();
    await page.getByRole('link', { name: 'Bots' }).click();
    await page
      .getByText(/Trading is halted \(Two giants at the simulated broker\) since/)
      .waitFor();
    await page.getByRole('link', { name: 'Account, orders, start and stop' }).click();
    await page.getByRole('button', { name: 'Resume trading' }).press('Enter');
    await page.getByText(/Orders are sent again at once/).waitFor();
    await page.getByRole('button', { name: 'Resume trading now' }).press('Enter');
    await page.getByText(/Trading is halted/).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Stop it' }).press('Enter');
    await page.getByText(/It stops|It is off/).waitFor();
  });
});
