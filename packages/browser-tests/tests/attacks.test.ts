import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Scene, allRead, journeys, openScene } from './scene.js';

const PASSWORD = 'a long sentence of hers';

journeys('an attack on a reader', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  const RIGHT_TO_LEFT = '\u202e';
  const MARKUP = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  const LINK = '<a href="javascript:alert(3)">free money</a> javascript:alert(4)';

  it('by stored markup, links, turned writing and long words stays text, and moves nothing on a phone', async () => {
    const { server } = scene;
    const mallory = await server.user('mallory');
    const name = `${'W'.repeat(30)}<b onclick=alert(5)>`.slice(0, 50);
    const description = [MARKUP, LINK, RIGHT_TO_LEFT, 'w'.repeat(900)].join(' ');
    await server.ask('updateUserInfo', { name: '<i>Mallory</i>' }, mallory);
    const given = { type: 'stock', name, private: false };
    const turned = await server.attempt('newStrategy', { ...given, description }, mallory);
    const made = await server.ask(
      'newStrategy',
      { ...given, description: description.replace(RIGHT_TO_LEFT, '') },
      mallory,
    );
    await server.ask(
      'newPost',
      { strategy_id: made.strategy_id, text: `${MARKUP} ${LINK} ${'w'.repeat(300)}` },
      mallory,
    );
    await server.attempt(
      'newOrderWebhook',
      { strategy_id: made.strategy_id, stock_id: MARKUP, action: 'buy', leverage: LINK },
      mallory,
    );
    const { page, problems } = await scene.browser.reader(server.url, {
      viewport: { width: 390, height: 844 },
    });
    let dialogs = 0;
    page.on('dialog', () => (dialogs += 1));
    await page.goto(`/#token=${mallory}`);
    for (const path of ['/', `/strategies/${made.strategy_id}`, '/my-strategies', '/inbox']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await allRead(page);
      const seen = await page.evaluate(`({
        made: document.querySelectorAll('main img, main script, main i, main b[onclick]').length,
        links: [...document.links].filter((one) => !/^https?:/.test(one.protocol) && one.protocol !== 'blob:').length,
        wide: document.documentElement.scrollWidth - innerWidth,
      })`);
      expect([path, seen]).toEqual([path, { made: 0, links: 0, wide: 0 }]);
    }
    expect([turned.status, dialogs, problems]).toEqual([400, 0, []]);
  });

  const signUp = async (page: Page, email: string) => {
    await page.goto('/sign-up');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  };

  /** Whatever of a tab could keep a token. */
  const kept = (page: Page) =>
    page.evaluate<string>(`JSON.stringify([
      { ...sessionStorage }, { ...localStorage }, document.cookie, location.href, history.state,
      navigation.entries().map(({ url }) => url), document.documentElement.outerHTML,
      performance.getEntriesByType('resource').map(({ name }) => name),
    ])`);

  it('by a link with the token of another account changes nothing: a card or a broker would be added there', async () => {
    const { server, browser } = scene;
    const mallory = await server.user('mallory-links');
    // The service as the public reaches it.
    const url = 'https://slipstream.test';
    const { page, context } = await browser.reader(url);
    await context.route(`${url}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: server.url + pathname + search }) });
    });
    await page.goto(`/account#token=${mallory}`);
    await page.getByText(/Sign in to see this page/).waitFor();
    expect(page.url()).toBe(`${url}/account`);
    await signUp(page, 'reader-of-links@example.com');
    await page.goto(`/account#token=${mallory}`);
    await page.getByText('reader-of-links@example.com').waitFor();
    expect(await kept(page)).not.toContain(mallory);
  });

  it('by looking at what the browser keeps finds no token after the end of a session', async () => {
    const { page, problems } = await scene.browser.reader(scene.server.url);
    await signUp(page, 'grace@example.com');
    await page.goto('/account');
    await page.getByRole('region', { name: 'Tokens and sign-ins' }).waitFor();
    // A read that the end of the session overtakes is refused, which the browser reports.
    await allRead(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(/Sign in to see this page/).waitFor();
    expect(await kept(page)).not.toMatch(/slip[a-z]_/);
    await page.goto(`/my-strategies#token=${scene.owner}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(/Sign in to see this page/).waitFor();
    expect(await kept(page)).not.toMatch(/slip[a-z]_/);
    await page.goBack();
    await page.getByText(/Sign in to see this page/).waitFor();
    expect(problems).toEqual([]);
  });

  it('by another user at the same browser meets tabs that each keep their own user', async () => {
    const { page: first, context, problems } = await scene.browser.reader(scene.server.url);
    const [ada, bob] = [await scene.server.user('ada'), await scene.server.user('bob')];
    await first.goto(`/account#token=${ada}`);
    await first.getByText('ada@example.com').waitFor();
    const second = await context.newPage();
    await second.goto(`/account#token=${bob}`);
    await second.getByText('bob@example.com').waitFor();
    await first.reload();
    await first.getByText('ada@example.com').waitFor();
    // A third tab cannot know whose it is.
    const third = await context.newPage();
    await third.goto('/account');
    await third.getByText(/Sign in to see this page/).waitFor();
    await first.getByRole('button', { name: 'Sign out' }).click();
    await first.getByText(/Sign in to see this page/).waitFor();
    await second.reload();
    await second.getByText('bob@example.com').waitFor();
    expect(problems).toEqual([]);
  });

  it.each([60, -60])(
    'of a clock that is %d minutes off neither ends a session nor renews it without end',
    async (minutes) => {
      const { page, context, problems } = await scene.browser.reader(scene.server.url);
      await context.addInitScript(
        `{ const right = Date.now.bind(Date); const off = ${minutes} * 60_000;
           const Real = Date; Date = class extends Real {
             constructor(...given) { if (given.length) super(...given); else super(right() + off); }
             static now() { return right() + off; } }; }`,
      );
      let renewals = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/newToken')) renewals += 1;
      });
      await signUp(page, `clock${minutes}@example.com`);
      for (const path of ['/account', `/strategies/${scene.strategyId}`]) {
        await page.goto(path);
        await page
          .getByText('Live', { exact: true })
          .or(page.getByText('Still', { exact: true }))
          .waitFor();
        await page.getByRole('button', { name: 'Sign out' }).waitFor();
      }
      await page.getByText('Live', { exact: true }).waitFor();
      expect(renewals).toBe(1);
      expect(problems).toEqual([]);
    },
  );
});
