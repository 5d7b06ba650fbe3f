import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import type { Page } from 'playwright-core';
import type { Reader } from '../src/browser.js';
import { AAPL, MSFT, type Scene, journeys, openScene } from './scene.js';

/** A weight as the page writes it. */
const asPercent = (share: string | null | undefined): string =>
  new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 2 }).format(
    (share ?? '') as Intl.StringNumericLiteral,
  );

journeys('the owner of a strategy', () => {
  let scene: Scene;
  let reader: Reader;
  let page: Page;
  beforeAll(async () => {
    scene = await openScene();
    reader = await scene.browser.reader(scene.server.url);
    page = reader.page;
    await page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
    await page.getByRole('heading', { name: 'Targets' }).waitFor();
  });
  afterAll(() => scene.close());

  it('makes an alert text, posts it, and sees it in the inbox', async () => {
    const form = page.getByRole('form', { name: 'Alert template' });
    await form.getByLabel('Instrument').fill(AAPL);
    await form.getByLabel('Leverage').fill('0.5');
    await form.getByRole('button', { name: 'Make and copy' }).click();
    const text = (await page.getByLabel("The alert's text").textContent()) ?? '';
    const alert = JSON.parse(
      text
        .replace('{{strategy.order.action}}', 'buy')
        .replace('{{strategy.market_position}}', 'long'),
    ) as Record<string, unknown>;
    const { status } = await scene.server.call('POST', '/newOrderWebhook', { body: alert });
    expect(status).toBe(200);
    const inbox = page.getByRole('list', { name: 'Alerts' });
    await inbox.getByText('buy aapl.nasdaq × 0.5').waitFor();

    const refused = { ...alert, stock_id: 'NOPE:NASDAQ' };
    await scene.server.call('POST', '/newOrderWebhook', { body: refused });
    await inbox.getByText('refused').waitFor();
    await inbox.getByText(/NOPE:NASDAQ.*not/).waitFor();

    // The token is for this strategy alone.
    const other = await scene.server.ask(
      'newStrategy',
      { type: 'stock', name: 'Another' },
      scene.owner,
    );
    const elsewhere = { ...alert, strategy_id: other.strategy_id };
    const answer = await scene.server.call('POST', '/newOrderWebhook', { body: elsewhere });
    expect(answer.status).toBe(401);
  });

  it('sees the newest ten alerts, and more when asked for', async () => {
    for (let count = 0; count < 12; count += 1)
      await scene.server.call('POST', '/newOrderWebhook', {
        body: {
          ...{ strategy_id: scene.strategyId, stock_id: AAPL, action: 'buy', leverage: '0.5' },
          ...{ alert_id: `many ${count}`, api_token: scene.owner },
        },
      });
    const inbox = page.getByRole('list', { name: 'Alerts' });
    await inbox.getByText('many 11').first().waitFor({ state: 'attached' });
    expect(await inbox.getByRole('listitem').count()).toBe(10);
    const group = page.getByRole('region', { name: 'Alerts' });
    await group.getByRole('button', { name: 'Show more' }).click();
    await inbox.getByText('many 0').waitFor({ state: 'attached' });
    expect(await inbox.getByRole('listitem').count()).toBeGreaterThan(12);
    expect(await group.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('sees among the alerts of all strategies which each was for', async () => {
    await page.goto('/inbox');
    const alerts = page.getByRole('list', { name: 'Alerts' });
    await alerts.getByRole('link', { name: 'Two giants' }).first().click();
    await page.getByRole('heading', { name: 'Targets' }).waitFor();
  });

  it('sees weights and open profits move with the price, without a fill or another read', async () => {
    const read: string[] = [];
    page.on('request', (request) => read.push(new URL(request.url()).pathname));
    const row = page.getByRole('region', { name: 'Positions' }).getByRole('row', { name: /AAPL/ });
    const before = (await row.textContent()) ?? '';
    await scene.server.quotes({ [AAPL]: 260 });
    await row.getByText('260.00').waitFor();
    const shown = (await row.textContent()) ?? '';
    expect(shown).not.toBe(before);
    const { positions } = await scene.server.ask(
      'getPositions',
      { strategy_id: scene.strategyId },
      scene.owner,
    );
    const held = positions.find(({ symbol }) => symbol === 'AAPL');
    expect(shown).toContain(asPercent(held?.percent));
    expect(read.filter((path) => /getPositions|getAlerts/.test(path))).toEqual([]);
    await scene.server.quotes({ [AAPL]: 200 });
    await row.getByText('200.00').first().waitFor();
  });

  it('previews targets and places them: those that were not edited trade nothing', async () => {
    await page.reload();
    const form = page.getByRole('form', { name: 'Targets' });
    await form.getByLabel('Percent').first().waitFor();
    await form.getByRole('button', { name: 'Preview' }).click();
    const plan = page.getByRole('group', { name: 'Preview' });
    await plan.getByText('Nothing would be traded.').waitFor();
    // Nothing is traded and nothing is open: nothing is offered.
    expect(await plan.getByRole('button').count()).toBe(0);
    // The page counts in percent, and so does what it says of too much.
    await form.getByLabel('Percent').first().fill('200.5');
    await form.getByRole('button', { name: 'Preview' }).click();
    expect(await form.getByLabel('Percent').first().getAttribute('title')).toMatch(/-200 to 200/);
    expect(await form.locator(':invalid').count()).toBe(1);
    await form.getByLabel('Percent').first().fill('10.5');
    await form.getByRole('button', { name: 'Preview' }).click();
    await plan.getByText('These orders would be placed:').waitFor();
    await plan.getByRole('button', { name: 'Place these orders' }).click();
    await page.getByText(/\d orders? placed/).waitFor();
    await scene.server.quotes({ [AAPL]: 200 });
  });

  it('places an order with the largest size, sees it in the tree with what waits for it, and cancels it', async () => {
    const form = page.getByRole('form', { name: 'New order' });
    await form.getByLabel('Instrument').fill(AAPL);
    await form.getByLabel('Type').selectOption('limit');
    await form.getByLabel('Price', { exact: true }).fill('150');
    await page.getByRole('button', { name: 'Largest size' }).click();
    const largest = page.getByText(/^At most \d/);
    await largest.waitFor();
    // It is the largest at that price.
    await form.getByLabel('Price', { exact: true }).fill('1.50');
    await largest.waitFor({ state: 'detached' });
    await form.getByLabel('Price', { exact: true }).fill('150');
    await form.getByLabel('Size by').selectOption('total');
    await form.getByLabel('Cash', { exact: true }).fill('0.1');
    await form.getByRole('button', { name: 'Place the order' }).click();
    const place = form.getByRole('button', { name: /^Place: / });
    await form
      .getByRole('button', { name: 'Place: buy for 0.1 cash AAPL:NASDAQ at 150', exact: true })
      .waitFor();
    // What is edited is another order, which is not confirmed yet; who types goes on typing.
    await form.getByLabel('Cash', { exact: true }).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('25');
    await place.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Cash', { exact: true }).inputValue()).toBe('0.125');
    await form.getByRole('button', { name: 'Place the order' }).click();
    await place.waitFor();
    await form.getByLabel('Size by').selectOption('amount');
    await place.waitFor({ state: 'detached' });
    await form.getByLabel('Amount', { exact: true }).fill('0.0005');
    await form.getByRole('button', { name: 'Place the order' }).click();
    await form.getByRole('button', { name: /^Place: buy/ }).click();
    const orders = page.getByRole('list', { name: 'Open orders' });
    await orders.getByText('0.0005 at 150.00').waitFor();
    const [first] = await scene.server.ask(
      'getOrders',
      { strategy_id: scene.strategyId },
      scene.owner,
    );
    await scene.server.ask(
      'newOrder',
      {
        strategy_id: scene.strategyId,
        stock_id: AAPL,
        action: 'sell',
        type: 'stop_market',
        amount: '0.0005',
        stop_price: '120',
        order_dependencies: [first?.order_id],
      },
      scene.owner,
    );
    await orders.getByText(/waits for the order above/).waitFor();
    await orders.getByRole('button', { name: 'Cancel' }).first().click();
    await orders.getByText('one that waits for it is released').waitFor();
    await orders.getByRole('button', { name: 'Cancel the order' }).click();
    await orders.getByText('0.0005 at 150.00').waitFor({ state: 'detached' });
  });

  it('shows the figures of the service to the last digit, and breaks no rule', async () => {
    const { positions } = await scene.server.ask(
      'getPositions',
      { strategy_id: scene.strategyId },
      scene.owner,
    );
    await page.reload();
    const panel = page.getByRole('region', { name: 'Positions' });
    await panel
      .getByText(positions[0]?.symbol ?? '', { exact: true })
      .first()
      .waitFor();
    const shown = (await panel.textContent()) ?? '';
    for (const { percent, symbol } of positions) {
      expect(shown).toContain(symbol);
      expect(shown).toContain(asPercent(percent));
    }
    expect(await reader.audit()).toEqual([]);
    expect(reader.problems).toEqual([]);
  });

  it('previews targets again, where another tab traded meanwhile: what is left out would be closed', async () => {
    const { server, owner, strategyId } = scene;
    await page.reload();
    const form = page.getByRole('form', { name: 'Targets' });
    await form.getByLabel('Percent').nth(1).waitFor();
    await form.getByLabel('Percent').first().fill('20');
    await form.getByRole('button', { name: 'Preview' }).click();
    const place = page.getByRole('button', { name: 'Place these orders' });
    await place.waitFor();
    const allocations = [{ stock_id: AAPL, percent: '0.1' }];
    await server.ask('newOrderAllocations', { strategy_id: strategyId, allocations }, owner);
    await server.quotes({ [AAPL]: 200, [MSFT]: 400 });
    await place.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Percent').count()).toBe(2);
  });

  it('is told once of a strategy that is over, and nobody is offered what it refuses', async () => {
    const { server, owner } = scene;
    const bold = { type: 'stock', name: 'All on a fall', private: false };
    const { strategy_id } = await server.ask('newStrategy', bold, owner);
    const allocations = [{ stock_id: MSFT, percent: '-1.9' }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, owner);
    await server.quotes({ [AAPL]: 200, [MSFT]: 400 });
    for (let minute = 0; minute < 20; minute += 1) {
      server.clock.advance(MINUTE);
      await server.quotes({ [AAPL]: 200, [MSFT]: 700 });
      await server.application.background.tick();
    }
    await page.goto(`/strategies/${strategy_id}`);
    await page.getByText(/^It ended on/).waitFor();
    await page.getByRole('region', { name: 'Fills' }).waitFor();
    for (const name of ['Targets', 'New order', 'Alerts'])
      expect([name, await page.getByRole('region', { name }).count()]).toEqual([name, 0]);
    await page.goto('/inbox');
    await page.getByText(/is over: its value was at or below zero/).waitFor();
    const notices = page.getByRole('list', { name: 'Notifications' });
    expect(await notices.getByText(/is over: its value/).count()).toBe(1);

    for (const token of [undefined, await server.user('stranger')]) {
      const { page: theirs } = await scene.browser.reader(server.url);
      await theirs.goto(`/strategies/${strategy_id}${token ? `#token=${token}` : ''}`);
      const follow = theirs.getByRole('region', { name: 'Follow' });
      await follow.getByText('It is over: nobody can follow it any more.').waitFor();
      expect(await follow.getByRole('button').or(follow.getByRole('link')).count()).toBe(0);
    }
  });
});
