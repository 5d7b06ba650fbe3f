import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AAPL, MSFT, type Scene, journeys, openScene } from './scene.js';

journeys('the link that the demo prints', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  const open = async () => {
    const reader = await scene.browser.reader(scene.server.url);
    await reader.page.goto(`/strategies/${scene.strategyId}#token=${scene.owner}`);
    await reader.page.getByText('Live', { exact: true }).waitFor();
    return reader;
  };

  it('opens the dashboard signed in, with figures that move, and leaves no token in the address', async () => {
    const { page, problems } = await open();
    expect(page.url()).toBe(`${scene.server.url}/strategies/${scene.strategyId}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await scene.server.quotes({ [AAPL]: 210, [MSFT]: 420 });
    await page.getByTestId('value').getByText('1.03').waitFor();
    expect(problems).toEqual([]);
  });

  it('signs in also where it is opened on a page that shows the same path', async () => {
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto('/account');
    await page.getByRole('link', { name: 'make an account' }).waitFor();
    await page.goto(`/account#token=${scene.owner}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(page.url()).toBe(`${scene.server.url}/account`);
  });

  it('signs in though the page is left before the service has said whose the token is', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    // The first question is never answered.
    await context.route('**/verifyToken*', () => undefined, { times: 1 });
    const asked = page.waitForRequest('**/verifyToken*');
    await page.goto(`/#token=${scene.owner}`);
    await asked;
    await page.goto('/my-strategies');
    await page.getByRole('heading', { name: 'Yours' }).waitFor();
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['slipstream-session']);
  });

  it('tells a link that the service refuses from a service that does not answer', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    await page.goto('/bots#token=slipa_of_nobody');
    await page.getByText('This link is no longer valid').waitFor();
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
    await context.route('**/verifyToken*', (route) => route.abort());
    await page.goto('/');
    await page.goto(`/bots#token=${scene.owner}`);
    await page.getByText('The service did not answer').waitFor();
    await context.unroute('**/verifyToken*');
    await page.reload();
    await page.getByRole('heading', { name: 'Bots' }).waitFor();
  });

  it('opens a page with a sentence where the link was damaged on its way', async () => {
    const { page, problems } = await scene.browser.reader(scene.server.url);
    await page.goto('/bots#token=slipa_%zz');
    await page.getByText('This link is no longer valid').waitFor();
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('says so where what it brought may not do something, rather than asking for a sign-in', async () => {
    const { server, browser } = scene;
    const token = await server.user('reader', '*');
    const { page } = await browser.reader(server.url);
    await page.goto(`/account#token=${token}`);
    await page.getByLabel('Add a card or a payout account').check();
    const form = page.getByRole('form', { name: 'New card or payout account' });
    for (const label of ['Name', 'Street', 'Postal code', 'City', 'Country'])
      await form.getByLabel(label, { exact: true }).fill('1');
    await form.getByRole('button', { name: 'Add it' }).click();
    await form.getByText(/Your link is not for this/).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('signs in a second tab of the same window, and signs both out together', async () => {
    const { page, context } = await open();
    const second = await context.newPage();
    await second.goto('/');
    await second.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, second]) {
      await tab.getByRole('link', { name: 'Sign in' }).first().waitFor();
      expect(await tab.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('slipa_');
    }
  });

  it('signs out on every tab when its token is revoked elsewhere', async () => {
    const token = await scene.server.user('revoked');
    const { page, context } = await scene.browser.reader(scene.server.url);
    await page.goto(`/strategies/${scene.strategyId}#token=${token}`);
    await page.getByText('Live', { exact: true }).waitFor();
    const second = await context.newPage();
    await second.goto('/');
    await second.getByRole('button', { name: 'Sign out' }).waitFor();
    const { token_id } = await scene.server.ask('verifyToken', {}, token);
    await scene.server.ask('deleteToken', { token_id }, token);
    for (const tab of [page, second])
      await tab.getByRole('link', { name: 'Sign in' }).first().waitFor();
  });
});

journeys('a machine that slept past the end of a session', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  it('goes on with the sign-in: pages read again, figures move, and other tabs stay signed in', async () => {
    const HOURS = 2 * 60 * 60_000;
    const { page, context } = await scene.browser.reader(scene.server.url);
    await page.goto('/sign-up');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('sleeper@example.com');
    await page.getByLabel('Password').fill('a long sentence');
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto(`/strategies/${scene.strategyId}`);
    await page.getByText('Live', { exact: true }).waitFor();
    const second = await context.newPage();
    await second.goto('/bots');
    await second.getByText('You have no bots').waitFor();
    // Clocks went on while timers stood.
    for (const tab of [page, second])
      await tab.evaluate(`{ const { now } = Date; Date.now = () => now() + ${HOURS}; }`);
    scene.server.clock.advance(HOURS);
    await page.getByRole('button', { name: 'Year', exact: true }).click();
    await page.getByRole('button', { name: 'Follow for nothing' }).click();
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByText('You follow this strategy.').waitFor();
    await scene.server.quotes({ [AAPL]: 210, [MSFT]: 420 });
    await page.getByTestId('value').getByText('1.03').waitFor();
    for (const tab of [page, second]) await tab.getByRole('button', { name: 'Sign out' }).waitFor();
  });
});
