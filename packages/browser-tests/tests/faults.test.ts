import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import type { Page, Route } from 'playwright-core';
import { composedServer, newFolder } from '../../server/tests/helpers/composed-server.js';
import type { Reader } from '../src/browser.js';
import { type Line, openLine } from './line.js';
import { AAPL, MSFT, type Scene, allRead, journeys, openScene } from './scene.js';

/** What the browser itself writes about requests that failed; the page answers for the rest. */
const ofNetwork = /^console: (Failed to load resource|WebSocket connection to)/;

/** The time of the page when its connection breaks. */
const LOST_AT = Date.parse('2026-03-04T15:07:00.000Z');

journeys('a server that is killed', () => {
  const storage = { storage: 'sqlite', folder: newFolder() } as const;
  let scene: Scene;
  let line: Line;
  let page: Page;
  let reader: Reader;
  beforeAll(async () => {
    scene = await openScene({}, storage);
    line = await openLine(scene.server.url);
    reader = await scene.browser.reader(line.url);
    page = reader.page;
    await page.clock.setFixedTime(LOST_AT);
    await page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
    await page.getByText('Live', { exact: true }).waitFor();
  });
  afterAll(async () => {
    await line.close();
    await scene.close();
  });

  const limit = { stock_id: AAPL, action: 'buy', type: 'limit', amount: '0.0003', price: '120' };

  it('is told, with the old figures in their place', async () => {
    const value = page.getByTestId('value');
    const before = await value.textContent();
    expect(before).toMatch(/^\d\.\d{4}$/);
    const place = await value.boundingBox();
    line.cut();
    await page.getByText(': figures of').waitFor();
    expect(await value.textContent()).toBe(before);
    expect(await value.boundingBox()).toEqual(place);
  });

  it("names the time of the figures in their reader's zone, and keeps it until they move again", async () => {
    const state = page.getByRole('status').filter({ hasText: 'Reconnecting' });
    await state.getByText(': figures of 10:07 AM').waitFor();
    await page.clock.setFixedTime(LOST_AT + 5 * MINUTE);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => done()))');
    expect(await state.textContent()).toContain('figures of 10:07 AM');
  });

  it('is live again by itself after its return, signed in, with what happened since once each', async () => {
    await scene.server.shutDown();
    const again = await composedServer(storage);
    try {
      await again.quotes({ [AAPL]: 220, [MSFT]: 440 });
      await again.ask('newOrder', { strategy_id: scene.strategyId, ...limit }, scene.owner);
      line.mend(again.url);
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await page.getByText(/figures of/).count()).toBe(0);
      const orders = page.getByRole('list', { name: 'Open orders' });
      await orders.getByText('0.0003 at 120.00').waitFor();
      expect(await orders.getByText('0.0003 at 120.00').count()).toBe(1);
      const [told] = await again.ask(
        'getStrategyValues',
        { strategy_id: [scene.strategyId] },
        scene.owner,
      );
      const value = Number(told?.strategy_value).toFixed(4);
      await page.getByTestId('value').getByText(value, { exact: true }).waitFor();
      await again.quotes({ [AAPL]: 230, [MSFT]: 460 });
      await page
        .getByTestId('value')
        .getByText(value, { exact: true })
        .waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(reader.problems.filter((problem) => !ofNetwork.test(problem))).toEqual([]);
    } finally {
      await again.close();
    }
  });
});

journeys('a service in trouble', () => {
  let scene: Scene;
  let follower: string;
  beforeAll(async () => {
    scene = await openScene();
    follower = await scene.server.user('follower');
  });
  afterAll(() => scene.close());

  const at = async (path: string, token: string) => {
    const reader = await scene.browser.reader(scene.server.url);
    await reader.page.goto(`/#token=${token}`);
    await reader.page.getByRole('button', { name: 'Sign out' }).waitFor();
    return { ...reader, to: () => reader.page.goto(path) };
  };
  const envelope = (response: string) => JSON.stringify({ success: false, response });
  const answers = {
    'says that there were too many requests': [
      { status: 429, headers: { 'retry-after': '7' }, body: envelope('Request failed. Slow.') },
      'Too many requests. Try again in 7 seconds.',
    ],
    'cannot work now': [
      { status: 503, headers: { 'retry-after': '0' }, body: envelope('Request failed. Later.') },
      /The service cannot do this now\. Try again in a moment\./,
    ],
    'sends half of its answer': [
      { status: 200, contentType: 'application/json', body: '{"success":true,"respo' },
      /answer did not come whole/,
    ],
    'sends the page of somebody else': [
      { status: 200, contentType: 'text/html', body: '<html><b>Log in to this WLAN</b></html>' },
      /answer did not come whole/,
    ],
  } as const;

  it.each(Object.entries(answers))(
    'that %s is told in words, and another attempt shows the figures',
    async (_, [answer, words]) => {
      const { page, context, to, problems } = await at(`/strategies/${scene.strategyId}`, follower);
      const meet = (route: Route) => route.fulfill(answer);
      await context.route('**/getStrategyStatistics*', meet);
      await to();
      await page.getByText(words).waitFor();
      await page.getByText('Could not read the statistics.').waitFor();
      await context.unroute('**/getStrategyStatistics*', meet);
      await page.getByRole('button', { name: 'Try again' }).click();
      const panel = page.getByRole('region', { name: 'Statistics' });
      await panel.getByText('Total return').first().waitFor();
      expect(problems.filter((problem) => !ofNetwork.test(problem))).toEqual([]);
      await context.close();
    },
  );

  it('that does not say who follows offers nobody to follow what they have, and says so', async () => {
    const { page, context, to } = await at(`/strategies/${scene.strategyId}`, scene.owner);
    const subscribed = { strategy_id: scene.strategyId, input_value: '4000' };
    await scene.server.ask('updateStrategyCalculation', subscribed, scene.owner);
    const fail = (route: Route) => route.fulfill({ status: 500 });
    await context.route('**/getStrategySubscriptions*', fail);
    await to();
    await page.getByText('Could not read whether you follow it.').waitFor();
    await page.getByRole('region', { name: 'Positions' }).waitFor();
    expect(await page.getByRole('region', { name: 'Follow', exact: true }).count()).toBe(0);
    await context.unroute('**/getStrategySubscriptions*', fail);
    await context.route('**/getStrategyCalculation*', fail);
    await page.getByRole('button', { name: 'Try again' }).click();
    const positions = page.getByRole('region', { name: 'Positions' });
    await positions.getByText('Could not read your amounts.').waitFor();
    await context.unroute('**/getStrategyCalculation*', fail);
    await positions.getByRole('button', { name: 'Try again' }).click();
    await positions.getByRole('button', { name: 'Yours' }).waitFor();
    expect(await page.getByText('Could not read').count()).toBe(0);
  });

  it('that does not answer what came to the inbox is told, and asked again', async () => {
    const { page, context, to } = await at('/inbox', follower);
    const fail = (route: Route) => route.fulfill({ status: 500 });
    await context.route('**/getNotifications*', fail);
    await to();
    await page.getByText('Could not read the notifications.').waitFor();
    expect(await page.getByText('Nothing yet.').count()).toBe(0);
    await context.unroute('**/getNotifications*', fail);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing yet.').waitFor();
  });

  it('whose answer is lost after it was done does not do it again', async () => {
    const { page, context, to } = await at(`/strategies/${scene.strategyId}`, scene.owner);
    const keys: (string | null)[] = [];
    await context.route('**/newOrder', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key'));
      await route.fetch();
      await (keys.length < 5 ? route.abort('connectionreset') : route.fulfill({ status: 500 }));
    });
    await to();
    const form = page.getByRole('form', { name: 'New order' });
    await form.getByLabel('Instrument').fill(AAPL);
    await form.getByLabel('Type').selectOption('limit');
    await form.getByLabel('Price', { exact: true }).fill('110');
    await form.getByLabel('Amount', { exact: true }).fill('0.0007');
    await form.getByRole('button', { name: 'Place the order' }).click();
    await form.getByRole('button', { name: /^Place: buy/ }).click();
    await page.getByText(/The service (does not answer|cannot do this)/).waitFor();
    await context.unroute('**/newOrder');
    await form.getByRole('button', { name: /^Place: buy/ }).click();
    await page.getByRole('list', { name: 'Open orders' }).getByText('0.0007 at 110.00').waitFor();
    const orders = await scene.server.ask(
      'getOrders',
      { strategy_id: scene.strategyId },
      scene.owner,
    );
    expect(orders.filter(({ amount }) => amount === '0.0007')).toHaveLength(1);
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(1);
  });

  it('whose answer to a halt is lost halts again after the halt was lifted', async () => {
    const { page, context, to } = await at('/bots', follower);
    await context.route('**/haltTrading', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.clock.install();
    await to();
    const panel = page.getByRole('region', { name: 'Emergency halt' });
    await panel.getByRole('button', { name: 'Halt all your bots' }).click();
    await panel.getByRole('button', { name: 'Halt all your bots now' }).click();
    await panel.getByText('The service does not answer.').waitFor();
    await context.unroute('**/haltTrading');
    // The panel reads the halts again four times a minute.
    await page.clock.fastForward(15_000);
    await panel.getByRole('button', { name: 'Resume trading' }).click();
    await panel.getByRole('button', { name: 'Resume trading now' }).click();
    await panel.getByText('Trading is halted').waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Halt all your bots now' }).click();
    await panel.getByText('Trading is halted').waitFor();
    expect(await scene.server.ask('getTradingHalts', {}, follower)).toHaveLength(1);
  });

  it('that is slow places one order, however often the button is pressed', async () => {
    const { page, context, to } = await at(`/strategies/${scene.strategyId}`, scene.owner);
    let asked = 0;
    let go: () => void = () => undefined;
    const slept = new Promise<void>((resolve) => (go = resolve));
    await context.route('**/newOrder', async (route) => {
      asked += 1;
      await slept;
      await route.continue();
    });
    await to();
    const form = page.getByRole('form', { name: 'New order' });
    await form.getByLabel('Instrument').fill(AAPL);
    await form.getByLabel('Type').selectOption('limit');
    await form.getByLabel('Price', { exact: true }).fill('110');
    await form.getByLabel('Amount', { exact: true }).fill('0.0009');
    await form.getByRole('button', { name: 'Place the order' }).click();
    const place = form.getByRole('button', { name: /^Place: buy/ });
    // Two presses before the page is drawn anew, as a nervous finger does.
    await place.evaluate((button) => {
      const pressed = button as unknown as { click(): void };
      pressed.click();
      pressed.click();
    });
    expect(await place.isDisabled()).toBe(true);
    go();
    await page.getByRole('list', { name: 'Open orders' }).getByText('0.0009 at 110.00').waitFor();
    expect(asked).toBe(1);
  });

  it('that is slow to open a stream meets a reader who signs out before, without an error', async () => {
    const line = await openLine(scene.server.url);
    const letStreamsOpen = line.holdStreams();
    const { page, context, problems } = await scene.browser.reader(line.url);
    const asked = page.waitForEvent('websocket');
    await page.goto(`/strategies/${scene.strategyId}#token=${follower}`);
    const socket = await asked;
    // A read that the end of the session overtakes is refused, which the browser reports.
    await allRead(page);
    const ended = socket.waitForEvent('close');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' });
    letStreamsOpen();
    await ended;
    await page.getByText('Live', { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
    await line.close();
  });
});
