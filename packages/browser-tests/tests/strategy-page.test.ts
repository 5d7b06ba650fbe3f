import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAY } from '@slipstream/domain';
import type { Page } from 'playwright-core';
import type { Reader } from '../src/browser.js';
import { savedBy } from '../src/saved-file.js';
import { undefinedNames } from './keyboard.js';
import { openRecordScene } from './record-scene.js';
import { AAPL, type Scene, allRead, journeys } from './scene.js';

const dayOf = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
const percentOf = (text: string | null): string =>
  new Intl.NumberFormat('en-US', {
    style: 'percent',
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'exceptZero',
  }).format((text ?? '') as Intl.StringNumericLiteral);

journeys('the page of a strategy with a record', () => {
  let scene: Scene & { readonly follower: string };
  let owner: Reader;
  let page: Page;
  const region = (name: string) => page.getByRole('region', { name });
  beforeAll(async () => {
    scene = await openRecordScene();
    owner = await scene.browser.reader(scene.server.url, { hasTouch: true });
    page = owner.page;
    await page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
    await region('Settings').waitFor();
  });
  afterAll(() => scene.close());

  it('shows the figures of the service: API, page and report agree to the digit', async () => {
    const { server, strategyId } = scene;
    const statistics = await server.ask('getStrategyStatistics', { strategy_id: strategyId });
    const shown = (await region('Statistics').textContent()) ?? '';
    const { text: report } = await server.call('GET', '/getReport', {
      query: `strategy_id=${strategyId}`,
    });
    for (const name of ['total_return', 'cagr', 'best_day', 'worst_day'] as const) {
      const text = percentOf(statistics[name].value);
      expect([name, shown]).toEqual([name, expect.stringContaining(text)]);
      const inReport = `${text.replace('-', '\u2212').replace('%', '')}\u00a0%`;
      expect([name, report.includes(inReport)]).toEqual([name, true]);
    }
    const months = (await region('Monthly returns').textContent()) ?? '';
    for (const { return: change } of statistics.monthly)
      expect(months).toContain(percentOf(change));
  });

  it('gives each of its tables as a file with the figures of the service, exact', async () => {
    const { server, strategyId } = scene;
    const fields = { strategy_id: strategyId };
    const statistics = await server.ask('getStrategyStatistics', fields);
    const months = await savedBy(page, 'Monthly returns as CSV');
    for (const { return: change } of statistics.monthly) expect(months).toContain(change);
    const { positions } = await server.ask('getPositions', fields, scene.owner);
    const held = await savedBy(page, 'Positions as CSV');
    for (const { symbol, amount, percent, average_price: paid } of positions)
      for (const figure of [symbol, amount, percent, paid]) expect(held).toContain(figure);
    const [strategy] = await server.ask('getStrategies', { strategy_id: [strategyId] });
    const segments = await savedBy(page, 'Segments of the record as CSV');
    for (const { start, start_value: value } of strategy?.segments ?? [])
      for (const figure of [start, value]) expect(segments).toContain(figure);
    expect(await savedBy(page, 'All as CSV')).toContain('trade_id,');
  });

  it('defines every column and every figure at the press of a key', async () => {
    expect(await undefinedNames(page)).toEqual([]);
    const sharpe = page.getByRole('button', { name: 'Sharpe', exact: true });
    await sharpe.tap();
    await region('Statistics').getByText('None under 30 returns.', { exact: false }).waitFor();
    await sharpe.tap();
  });

  it('has a curve that keys move along, and a table of its points', async () => {
    const chart = page.getByRole('img', { name: /Value of .* Deepest fall/ });
    await chart.focus();
    await chart.press('Home');
    const history = await scene.server.ask(
      'getStrategyHistory',
      { strategy_id: scene.strategyId, timeframe: 'month' },
      scene.owner,
    );
    const first = Number(history[0]?.strategy_value).toFixed(4);
    await region('Performance').getByText(first, { exact: true }).waitFor();
    await page.getByText('Show as a table').click();
    const rows = page.getByRole('group', { name: 'Points of the curve' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBeGreaterThanOrEqual(history.length);
  });

  it('writes no mark of its axes beyond the edge of a phone, over any stretch of time', async () => {
    const { page: phone } = await scene.browser.reader(scene.server.url, {
      viewport: { width: 390, height: 844 },
    });
    await phone.goto(`/strategies/${scene.strategyId}`);
    const ranges = phone.getByRole('region', { name: 'Performance' }).locator('.choices button');
    const cut: Record<string, boolean> = {};
    await phone.locator('.chart canvas').nth(1).waitFor();
    for (const range of await ranges.all()) {
      await range.click();
      await allRead(phone);
      await phone.evaluate('new Promise((drawn) => requestAnimationFrame(() => drawn()))');
      cut[(await range.textContent()) ?? ''] = await phone.evaluate<boolean>(
        `[...document.querySelectorAll('.chart canvas')].some((canvas) => {
          const { width, height } = canvas;
          const edge = (x) => canvas.getContext('2d').getImageData(x, 0, 1, height).data;
          return [0, width - 1].some((x) => edge(x).some((colour) => colour > 0));
        })`,
      );
    }
    expect(Object.keys(cut)).toContain('5 years');
    expect(Object.entries(cut).filter(([, isCut]) => isCut)).toEqual([]);
  });

  it('shows own dates, and a benchmark with its figures', async () => {
    await page.getByText('Own dates and a benchmark').click();
    const form = page.getByRole('form', { name: 'Own dates and benchmark' });
    await form.getByLabel('From (UTC)').fill('2025-06-01');
    await form.getByLabel('To (UTC)').fill('2025-12-31');
    await form.getByLabel('Compare with').fill(AAPL);
    await form.getByRole('button', { name: 'Show' }).press('Enter');
    await region('Performance').getByText('Beta to AAPL:NASDAQ').waitFor();
    await page.getByRole('img', { name: /Beside it is AAPL:NASDAQ/ }).waitFor();
    const own = await scene.server.ask('getStrategyStatistics', {
      ...{ strategy_id: scene.strategyId, from: '2025-06-01', to: '2025-12-31', benchmark: AAPL },
    });
    const shown = (await region('Performance').textContent()) ?? '';
    expect(shown).toContain(percentOf(own.total_return.value));
    expect(shown).toContain(percentOf(own.alpha.value));
    await form.getByLabel('To (UTC)').fill('2099-12-31');
    await form.getByRole('button', { name: 'Show' }).press('Enter');
    const { to } = await scene.server.ask('getStrategyStatistics', {
      ...{ strategy_id: scene.strategyId, from: '2025-06-01' },
    });
    await region('Performance')
      .getByText(`to ${dayOf(to)}`)
      .waitFor();
    await form.getByRole('button', { name: 'Back to 30 days' }).click();
    await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
  });

  it('shows a claimed history apart and labelled, and removes it after saying so', async () => {
    const { server, strategyId } = scene;
    const began = Date.parse('2025-01-01T00:00:00.000Z');
    const points = [0, 1, 2, 3].map((step) => ({
      at: new Date(began - (4 - step) * 30 * DAY).toISOString(),
      value: String(100 + step * 5),
    }));
    await server.ask('newClaimedHistory', { strategy_id: strategyId, points }, scene.owner);
    await page.reload();
    await page.getByText(/also claims a history/).waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page
      .getByRole('img', { name: /dashed curve before it is claimed by the owner/ })
      .waitFor();
    await region('Performance').locator('.legend').getByText('claimed').waitFor();
    await page.getByRole('button', { name: 'Remove the claimed history' }).click();
    await page.getByText(/dashed curve before your record goes for everybody/).waitFor();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: 'Remove the claimed history' }).waitFor({
      state: 'detached',
    });
  });

  it('has posts: the owner writes, a follower reads and likes, the owner deletes', async () => {
    await page
      .getByRole('textbox', { name: 'New post' })
      .fill('Out of tech until the trend turns.');
    await page.getByRole('button', { name: 'Publish the post' }).click();
    const post = page.getByRole('list', { name: 'Posts' }).getByText('Out of tech');
    await post.waitFor();
    const reader = await scene.browser.reader(scene.server.url);
    await reader.page.goto(`/strategies/${scene.strategyId}#token=${scene.follower}`);
    await reader.page.getByRole('button', { name: 'Like · 0' }).click();
    await reader.page.getByRole('button', { name: 'Liked · 1' }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Delete the post' }).count()).toBe(0);
    expect(await reader.audit()).toEqual([]);
    await page.getByRole('button', { name: 'Delete the post' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await post.waitFor({ state: 'detached' });
  });

  it('says what a change does to followers before it is made', async () => {
    const form = page.getByRole('form', { name: 'Settings' });
    await form.getByLabel('Price a month').fill('20');
    await form.getByLabel('Name').fill('Three larger companies');
    await form.getByRole('button', { name: 'Change', exact: true }).click();
    await form.getByText('Who follows from now on pays $20 a month.').waitFor();
    await form.getByRole('button', { name: 'Change it' }).click();
    await page.getByRole('heading', { name: 'Three larger companies', level: 1 }).waitFor();
    const [changed] = await scene.server.ask('getStrategies', {
      strategy_id: [scene.strategyId],
    });
    expect(changed).toMatchObject({ name: 'Three larger companies', price: 20, private: false });
  });

  it('invites to a private strategy, and withdraws the invitation', async () => {
    const form = page.getByRole('form', { name: 'Settings' });
    await form.getByLabel(/^Private/).check();
    await form.getByRole('button', { name: 'Change', exact: true }).click();
    await form.getByText(/Others no longer find or open it/).waitFor();
    await form.getByRole('button', { name: 'Change it' }).click();
    await page.getByRole('heading', { name: 'Invited' }).waitFor();
    const guest = await scene.server.user('guest');
    const { user_id } = await scene.server.ask('getUserInfo', {}, guest);
    const reader = await scene.browser.reader(scene.server.url);
    const path = `/strategies/${scene.strategyId}`;
    await reader.page.goto(`${path}#token=${guest}`);
    await reader.page.getByText(/no such strategy, or it is private/).waitFor();
    const copy = reader.page.getByRole('button', { name: 'Copy the id' });
    await copy.press('Enter');
    await reader.page.getByText('Selected: copy it').or(reader.page.getByText('Copied')).waitFor();
    expect(await reader.page.evaluate('String(getSelection())')).toBe(user_id);
    await page.getByLabel('Id of the user').fill(user_id);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('list', { name: 'Invited' }).getByText(user_id).waitFor();
    await reader.page.goto(path);
    await reader.page.getByRole('heading', { name: 'Three larger companies' }).waitFor();
    // Another tab invites one more; this one does not know of it yet.
    const other = await scene.server.user('other');
    const { user_id: otherId } = await scene.server.ask('getUserInfo', {}, other);
    const invited = { strategy_id: scene.strategyId, invited_user_ids: [user_id, otherId] };
    await scene.server.ask('updateStrategy', invited, scene.owner);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Withdraw the invitation' }).click();
    const item = page.getByRole('listitem').filter({ hasText: otherId });
    await item.waitFor();
    expect(await page.getByRole('list', { name: 'Invited' }).textContent()).not.toContain(user_id);
    await item.getByRole('button', { name: 'Withdraw' }).click();
    await item.getByRole('button', { name: 'Withdraw the invitation' }).click();
    await page.getByText('Nobody is invited yet.').waitFor();
  });

  it('says what the end does, leaves the focus there, and ends it', async () => {
    expect(await owner.audit()).toEqual([]);
    const focused = page.locator(':focus');
    const button = page.getByRole('button', { name: 'End the strategy' });
    const group = page.getByRole('group', { name: 'End the strategy' });
    await button.press('Enter');
    await group.and(focused).waitFor();
    await group.getByText('Nothing brings it back', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await button.and(focused).waitFor();
    await page.keyboard.press('Enter');
    await group.and(focused).waitFor();
    await page.keyboard.press('Tab');
    await group.getByRole('button', { name: 'End it for ever' }).and(focused).waitFor();
    expect(owner.problems).toEqual([]);
    const answer = page.waitForResponse((response) => response.url().includes('/deleteStrategy'));
    await page.keyboard.press('Enter');
    expect((await answer).status()).toBe(200);
    await page.getByRole('heading', { name: 'Yours' }).waitFor();
    expect(
      await scene.server.ask('findStrategies', { mine: 'true', query: 'larger' }, scene.owner),
    ).toEqual([]);
    // What the page reads each minute may be asked for between the end and the next page.
    const others = owner.problems.filter((problem) => !problem.includes('status of 400'));
    expect(others).toEqual([]);
  });
});
