import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { OPERATOR_TOKEN } from '../../server/tests/helpers/composed-server.js';
import { AAPL, MSFT, type Scene, journeys, openScene } from './scene.js';

/** What the window of a page has. */
interface Scrolled {
  readonly scrollY: number;
  readonly innerHeight: number;
  readonly document: { readonly body: { readonly scrollHeight: number } };
}
const isAt = (place: number) => Math.round((globalThis as unknown as Scrolled).scrollY) === place;
const isOnTheWayTo = (place: number) => {
  const { scrollY } = globalThis as unknown as Scrolled;
  return scrollY > 0 && scrollY < place;
};
const isLong = () => {
  const { document, innerHeight } = globalThis as unknown as Scrolled;
  return document.body.scrollHeight > 2 * innerHeight;
};

journeys('a visitor without an account', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  it('finds a strategy, sees its value move and its statistics', async () => {
    const { page, problems, audit } = await scene.browser.reader(scene.server.url);
    await page.goto('/');
    await page.getByRole('link', { name: 'Two giants' }).waitFor();
    expect(await audit()).toEqual([]);
    await page.getByRole('link', { name: 'Two giants' }).click();
    await page.getByRole('heading', { name: 'Two giants', level: 1 }).waitFor();
    await page.getByRole('img', { name: /Value of Two giants: from 1\.0000/ }).waitFor();
    await page.getByRole('heading', { name: 'Statistics' }).waitFor();
    await page.getByText('supplied').first().waitFor();
    await page.getByText('What the owner writes is for readers with an account.').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const value = page.getByTestId('value');
    const before = (await value.textContent()) ?? '';
    await scene.server.quotes({ [AAPL]: 220, [MSFT]: 440 });
    await value.getByText(before, { exact: true }).waitFor({ state: 'detached' });
    const after = await value.textContent();
    const [told] = await scene.server.ask(
      'getStrategyValues',
      { strategy_id: [scene.strategyId] },
      scene.owner,
    );
    expect(Number(after)).toBeCloseTo(Number(told?.strategy_value), 4);
    expect(await audit()).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('sees more strategies with each press, each once, beyond a hundred', async () => {
    const { server } = scene;
    const owners = [await server.user('many'), await server.user('more')];
    for (let made = 0; made < 104; made += 1)
      await server.ask(
        'newStrategy',
        { type: 'stock', name: `Numbered ${made}`, private: false },
        owners[made % 2],
      );
    const { page, problems } = await scene.browser.reader(server.url);
    await page.goto('/');
    await page.getByLabel('Words').fill('Numbered');
    const rows = page.getByRole('group', { name: 'Strategies' }).locator('tbody tr');
    const more = page.getByRole('button', { name: 'Show more' });
    for (const [shown, press] of [
      [50, true],
      [100, true],
      [104, false],
    ] as const) {
      await rows.nth(shown - 1).waitFor();
      expect(await rows.count()).toBe(shown);
      if (press) await more.click();
    }
    expect(await more.count()).toBe(0);
    const names = await rows.locator('b').allTextContents();
    expect(new Set(names).size).toBe(104);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('sees one that falls in the list while it is read once, and goes on to the end', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    let fallen: unknown;
    // The first of all comes in the second part once more; the last of each part is private by now.
    await context.route('**/findStrategies?*', async (route) => {
      const answer = await route.fetch();
      const { response } = (await answer.json()) as { readonly response: unknown[] };
      const isFirst = !route.request().url().includes('cursor=');
      if (isFirst) [fallen] = response;
      const told = isFirst || response.length < 50 ? response : [fallen, ...response.slice(0, 49)];
      await route.fulfill({ json: { success: true, response: told } });
    });
    await context.route('**/getStrategies?*', async (route) => {
      const answer = await route.fetch();
      const { response } = (await answer.json()) as { readonly response: unknown[] };
      await route.fulfill({ json: { success: true, response: response.slice(0, 49) } });
    });
    await page.goto('/');
    await page.getByLabel('Words').fill('Numbered');
    const rows = page.getByRole('group', { name: 'Strategies' }).locator('tbody tr');
    const more = page.getByRole('button', { name: 'Show more' });
    await rows.nth(48).waitFor();
    await more.click();
    await rows.nth(90).waitFor();
    const names = await rows.locator('b').allTextContents();
    expect(new Set(names).size).toBe(names.length);
    await more.click();
    await more.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('finds what was looked for and chosen again after a look at a strategy, with the same figures in both tables', async () => {
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto('/');
    await page.getByLabel('Words').fill('giants');
    await page.getByLabel('Figures of').selectOption('year');
    await page.getByLabel('Compare Two giants').check();
    await page.getByRole('link', { name: 'Two giants' }).first().click();
    await page.getByRole('heading', { name: 'Two giants', level: 1 }).waitFor();
    await scene.server.ask(
      'updateStrategy',
      { strategy_id: scene.strategyId, price: 25 },
      scene.owner,
    );
    await page.goBack();
    const row = page
      .getByRole('group', { name: 'Strategies' })
      .getByRole('row', { name: /giants/ });
    await row.getByText('$25').waitFor();
    expect(await page.getByLabel('Words').inputValue()).toBe('giants');
    expect(await page.getByLabel('Figures of').inputValue()).toBe('year');
    expect(await page.getByLabel('Compare Two giants').isChecked()).toBe(true);
    const compared = page.getByRole('group', { name: 'Comparison' });
    await compared
      .getByRole('row', { name: /A month/ })
      .getByText('$25')
      .waitFor();
  });

  it('comes back to the place in a list that was left, also by a reload; another page begins at its top', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    await page.setViewportSize({ width: 900, height: 500 });
    await page.goto('/');
    const chosen = page
      .getByRole('group', { name: 'Strategies' })
      .locator('tbody tr')
      .nth(30)
      .getByRole('link');
    const top = () => page.evaluate<number>('Math.round(scrollY)');
    await chosen.scrollIntoViewIfNeeded();
    const left = await top();
    expect(left).toBeGreaterThan(500);
    await chosen.click();
    await page.getByRole('heading', { name: 'Statistics' }).waitFor();
    expect(await top()).toBe(0);
    await page.goBack();
    await chosen.waitFor();
    await page.waitForFunction(isAt, left);
    await page.reload();
    await chosen.waitFor();
    await page.waitForFunction(isAt, left);
    await context.close();
  });

  it('leaves a list again before its place has come: the next page stays at its top, and the place is kept', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    await page.setViewportSize({ width: 900, height: 300 });
    await page.goto('/');
    const rows = page.getByRole('group', { name: 'Strategies' }).locator('tbody tr');
    const statistics = page.getByRole('heading', { name: 'Statistics' });
    const place = () => page.evaluate<number[]>('[scrollY, history.state.top].map(Math.round)');
    await rows.nth(30).scrollIntoViewIfNeeded();
    const left = await page.evaluate<number>('Math.round(scrollY)');
    await rows.nth(30).getByRole('link').click();
    await statistics.waitFor();
    // Without its values the list is too short for the place.
    await page.route(/getStrategies/, () => undefined);
    await page.goBack();
    await page.waitForFunction(isOnTheWayTo, left);
    expect(await page.evaluate('Math.round(history.state.top)')).toBe(left);
    await page.unroute(/getStrategies/);
    await page.goForward();
    await statistics.waitFor();
    await page.waitForFunction(isLong, null);
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await rows.nth(30).waitFor();
    await page.waitForFunction(isAt, left);
    expect(await place()).toEqual([left, left]);
    await context.close();
  });

  it('is told within a minute what the figures are, where the service did not say it at first, and that trading is halted', async () => {
    const { browser, server } = scene;
    const { page, context } = await browser.reader(server.url);
    await page.clock.install();
    const fail = (route: Route) => route.fulfill({ status: 503 });
    await context.route('**/getServiceInfo', fail);
    await page.goto('/');
    await page.getByRole('row', { name: /Two giants/ }).waitFor();
    await context.unroute('**/getServiceInfo', fail);
    const halt = { scope: 'all', reason: 'A test' };
    await page.clock.runFor(60_000);
    const below = page.getByRole('contentinfo');
    await below.getByText(/no guarantee of future results/).waitFor();
    const { halt_id } = await server.ask('haltTrading', halt, OPERATOR_TOKEN);
    await page.clock.runFor(60_000);
    const told = below.getByText('The operator has halted all trading.');
    await told.waitFor();
    await server.ask('resumeTrading', { halt_id }, OPERATOR_TOKEN);
    await page.clock.runFor(60_000);
    await told.waitFor({ state: 'detached' });
  });

  it('is told where the script of a page does not come, as after another version of the service', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    await context.route('**/assets/sign-in-*', (route) => route.abort());
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('Not all of this page did load.').waitFor();
    expect(await page.getByRole('heading', { name: 'Strategies' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Strategies' }).click();
    await page.getByRole('heading', { name: 'Strategies' }).waitFor();
    await context.unroute('**/assets/sign-in-*');
    await page.goBack();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('goes on by the keyboard where the next page begins, whose title is its heading', async () => {
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto('/');
    await page.getByRole('link', { name: 'Two giants' }).press('Enter');
    await page.getByRole('heading', { name: 'Two giants', level: 1 }).waitFor();
    await page.getByRole('button', { name: '24 h' }).waitFor();
    expect(await page.title()).toBe('Two giants – Slipstream');
    await page.keyboard.press('Tab');
    expect(await page.locator('main :focus').count()).toBe(1);
    await page.goBack();
    await page.getByRole('heading', { name: 'Strategies', level: 1 }).waitFor();
    expect(await page.title()).toBe('Strategies – Slipstream');
  });

  it.each([
    ...['/nope', '/strategies', '/strategies/a/b', '/strategies/', '/assets/nope.js', '/getBots'],
    // Paths with escapes are unknown, also those that are damaged.
    ...['/strategies/%', '/bots/%E0%A4%A', '/strategies/a%20b', '/Strategies/a', '/assets/%zz'],
  ])('gets the envelope of the service, not a page, from %s', async (path) => {
    const { status, body } = await scene.server.call('GET', path);
    expect([401, 404]).toContain(status);
    expect(body).toMatchObject({ success: false });
  });

  it('gets pages that allow nothing from elsewhere, and assets that are kept for ever', async () => {
    const { status, headers, text } = await scene.server.call('GET', '/strategies/any');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*require-trusted-types-for 'script'/,
    );
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const asset = await scene.server.call('GET', script, { headers: { 'accept-encoding': 'br' } });
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('br');
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('reads and searches the guide, %s, %d pixels wide', async (colorScheme, width) => {
    const { page, problems, audit } = await scene.browser.reader(scene.server.url, {
      colorScheme,
      viewport: { width, height: 844 },
    });
    await page.goto('/');
    await page.getByRole('link', { name: 'Guide' }).click();
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor();
    expect(await audit()).toEqual([]);
    await page.getByRole('link', { name: 'Concepts' }).first().click();
    await page.getByRole('heading', { name: 'Concepts', level: 1 }).waitFor();
    const drawn = page.getByRole('img').first();
    expect(await drawn.evaluate((image) => Reflect.get(image, 'naturalWidth') as number)).toBe(820);
    await page.getByRole('searchbox').fill('lost key');
    await page.getByRole('heading', { name: /^Found in/ }).waitFor();
    expect(await audit()).toEqual([]);
    await page
      .getByRole('link', { name: /A lost key/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'A lost key' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#a-lost-key');
    await page.goto('/guide/settings');
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(width);
    expect(await audit()).toEqual([]);
    expect(problems).toEqual([]);
  });
});
