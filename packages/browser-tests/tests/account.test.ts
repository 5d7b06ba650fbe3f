import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '../../server/tests/helpers/composed-server.js';
import { savedBy } from '../src/saved-file.js';
import { tabFaults, undefinedNames } from './keyboard.js';
import { type Scene, allRead, inVerify, journeys, openScene } from './scene.js';

const [EMAIL, PASSWORD] = ['ada@example.com', 'a long sentence of hers'];

journeys('an account', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  it('is made, signed out of, refused in words, signed in to, and leaves nothing behind', async () => {
    const { page, problems, audit } = await scene.browser.reader(scene.server.url);
    await page.goto('/sign-up');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto('/sign-in?to=/account');
    expect(await audit()).toEqual([]);
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
    await page.getByLabel('Password').fill('another sentence');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/do not belong together/).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(EMAIL).waitFor();
    await page.getByRole('region', { name: 'Tokens and sign-ins' }).waitFor();
    expect(await audit()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(/Sign in to see this page/).waitFor();
    expect(
      await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'),
    ).not.toMatch(/slip[a-z]_/);
    // The browser itself reports the refused sign-in.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('comes back to where it was asked for: to a strategy to follow, and to what a link chose', async () => {
    const { browser, server, owner } = scene;
    const another = { type: 'stock', name: 'Another', private: false };
    const { strategy_id: other } = await server.ask('newStrategy', another, owner);
    const { page } = await browser.reader(server.url);
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    await page.goto(`/strategies/${other}`);
    await page.getByRole('link', { name: 'make an account' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('eve@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByRole('link', { name: 'look around' }).click();
    await title('Another').waitFor();
    await page.getByRole('button', { name: 'Follow for nothing' }).click();
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('link', { name: 'Mirror it with a bot' }).waitFor();
    const { strategy_id: newest } = await server.ask('newStrategy', another, owner);
    await page.goto(`/strategies/${newest}`);
    await page.getByRole('button', { name: 'Follow for nothing' }).click();
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('link', { name: 'Mirror it with a bot' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`/new-bot?strategy=${other}`);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('eve@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await title('New bot').waitFor();
    expect(await page.getByLabel('Strategy').inputValue()).toBe(other);
  });

  it('says what the removal of a card does before it removes it', async () => {
    const token = await scene.server.user('payer');
    const address = { name: 'P', line_one: '1 Way', postal: '1', city: 'Bonn', country: 'DE' };
    await scene.server.ask('newPaymentSource', { token: 'test_card_paid', ...address }, token);
    const { page, audit } = await scene.browser.reader(scene.server.url);
    await page.goto(`/account#token=${token}`);
    const cards = page.getByRole('list', { name: 'Cards and payout accounts' });
    await cards.getByRole('button', { name: 'Remove' }).press('Enter');
    await cards.getByText(/Without another one, renewals of paid strategies fail/).waitFor();
    expect(await audit()).toEqual([]);
    await cards.getByRole('button', { name: 'Not now' }).press('Enter');
    expect(await scene.server.ask('getPaymentSources', {}, token)).toHaveLength(1);
    await cards.getByRole('button', { name: 'Remove' }).press('Enter');
    await cards.getByRole('button', { name: 'Remove it' }).press('Enter');
    await cards.getByText('No card yet.', { exact: false }).waitFor();
  });

  it('shows markup and misleading characters in names as the text that they are', async () => {
    const token = await scene.server.user('mallory');
    const name = '<img src=x onerror=alert(1)>';
    const { strategy_id } = await scene.server.ask(
      'newStrategy',
      { type: 'stock', name, description: '<script>alert(1)</script>', private: false },
      token,
    );
    const { page, problems } = await scene.browser.reader(scene.server.url);
    await page.goto(`/strategies/${strategy_id}`);
    await page.getByRole('heading', { name }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('gives tables as files without a secret, and without a text that a spreadsheet computes', async () => {
    const token = await scene.server.user('keeper');
    const name = '=HYPERLINK("https://evil.example","look")';
    await scene.server.ask('newStrategy', { type: 'stock', name, private: false }, scene.owner);
    const made = await scene.server.ask('newToken', { name: '@SUM(A1)', scope: ['*'] }, token);
    const { page, problems } = await scene.browser.reader(scene.server.url);
    await page.goto(`/account#token=${token}`);
    await page.getByRole('group', { name: 'Tokens and sign-ins' }).getByText('@SUM').waitFor();
    const tokens = await savedBy(page, 'Tokens and sign-ins as CSV');
    expect(tokens).toContain(`${made.token_id},'@SUM(A1),`);
    expect(tokens).not.toMatch(/slip[a-z]_|[0-9a-f]{64}/);
    expect(await undefinedNames(page)).toEqual([]);
    await page.goto('/');
    await page.getByRole('link', { name }).waitFor();
    expect(await savedBy(page, 'Strategies as CSV')).toContain(
      `"'=HYPERLINK(""https://evil.example"",""look"")"`,
    );
    await page.getByLabel('Compare Two giants').check();
    const compared = await savedBy(page, 'Comparison as CSV');
    expect(compared).toContain(scene.strategyId);
    expect(await undefinedNames(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('gives all that is stored of it as one file', async () => {
    const token = await scene.server.user('mover');
    const name = 'Taken along';
    const fields = { type: 'stock', name, private: true };
    // More than one piece of the export has.
    await Promise.all(
      Array.from({ length: 60 }, () => scene.server.ask('newStrategy', fields, token)),
    );
    const { page, problems } = await scene.browser.reader(scene.server.url);
    await page.goto(`/account#token=${token}`);
    const pieces = JSON.parse(await savedBy(page, 'Download everything')) as {
      readonly strategies: readonly { readonly name: string }[];
      readonly subscriptions: readonly unknown[];
    }[];
    const strategies = pieces.flatMap((piece) => piece.strategies);
    expect(strategies.map((one) => one.name)).toEqual(Array.from({ length: 60 }, () => name));
    expect(pieces.flatMap((piece) => piece.subscriptions)).toHaveLength(60);
    expect(problems).toEqual([]);
  });

  // On a narrow screen there is one column, on a wide one the rule has more to say.
  for (const [width, test] of [
    [1440, it],
    [390, inVerify],
  ] as const)
    test(`goes through every page by Tab in the order in which it is seen, and never stays: ${width} wide`, async () => {
      const { server, owner, strategyId } = scene;
      const [bot] = await server.ask('getBots', {}, owner);
      const allocations = [{ strategy_id: strategyId, percent: '1' }];
      const { bot_id } =
        bot ??
        (await server.ask('newBot', { type: 'stock', broker: 'simulated', allocations }, owner));
      const { page } = await scene.browser.reader(server.url, { viewport: { width, height: 844 } });
      await page.goto(`/sign-up`);
      const faults: Record<string, readonly string[]> = { '/sign-up': await tabFaults(page) };
      await page.goto(`/#token=${owner}`);
      for (const path of [
        ...['/', `/strategies/${strategyId}`, '/my-strategies', '/new-strategy', '/bots'],
        ...[`/bots/${bot_id}`, '/new-bot', '/inbox', '/account'],
      ]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await allRead(page);
        faults[path] = await tabFaults(page);
      }
      expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
    });

  it('of the operator tells a wrong token from a service that does not answer', async () => {
    const { page, context } = await scene.browser.reader(scene.server.url);
    await page.goto('/operator');
    const look = async (token: string) => {
      await page.getByLabel("Operator's token").fill(token);
      await page.getByRole('button', { name: 'Look', exact: true }).click();
    };
    await context.route('**/getOverview*', (route) => route.abort());
    await look(OPERATOR_TOKEN);
    await page.getByText('The service does not answer.').waitFor();
    await context.unroute('**/getOverview*');
    await look('another');
    await page.getByText("This token is not the operator's.").waitFor();
  });

  it('shows what has the focus below its head, also on the way back', async () => {
    const { page } = await scene.browser.reader(scene.server.url, {
      viewport: { width: 1280, height: 700 },
    });
    await page.goto(`/account#token=${scene.owner}`);
    await allRead(page);
    await page.getByRole('button', { name: 'Delete the account' }).focus();
    const covered = new Set<unknown>();
    for (let pressed = 0; pressed < 30; pressed += 1) {
      await page.keyboard.press('Shift+Tab');
      covered.add(
        await page.evaluate(`{
          const { bottom } = document.querySelector('.top').getBoundingClientRect();
          document.activeElement.getBoundingClientRect().bottom > bottom || document.activeElement.outerHTML
        }`),
      );
    }
    expect([...covered]).toEqual([true]);
  });

  it('stays signed in though another password or token is refused beside it', async () => {
    const token = await scene.server.user('careless');
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto(`/operator#token=${token}`);
    await page.getByLabel("Operator's token").fill('another');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByText("This token is not the operator's.").waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.goto('/sign-in');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
    await page.getByLabel('Password').fill('another sentence');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/do not belong together/).waitFor();
    await page.goto('/bots');
    await page.getByText('You have no bots').waitFor();
  });

  it('of the operator shows the whole service, and its token is stored nowhere', async () => {
    const { page, problems, audit } = await scene.browser.reader(scene.server.url);
    await page.goto('/operator');
    await page.getByLabel("Operator's token").fill(OPERATOR_TOKEN);
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByRole('heading', { name: 'Feeds' }).waitFor();
    const users = page.getByRole('region', { name: 'Users' });
    await users.getByText(EMAIL).waitFor();
    await users.getByLabel('Find').fill('mall');
    await users.getByText(EMAIL).waitFor({ state: 'detached' });
    await users.getByText('mallory@example.com').waitFor();
    await page.getByRole('region', { name: 'Failed mails' }).getByText(/None/).waitFor();
    const halts = page.getByRole('region', { name: 'Halts' });
    await halts.getByLabel('Reason').fill('prices look wrong');
    await halts.getByRole('button', { name: 'Halt all trading' }).press('Enter');
    await halts.getByText(/Every bot of everybody/).waitFor();
    await halts.getByRole('button', { name: 'Halt all trading now' }).press('Enter');
    await halts.getByText('prices look wrong').waitFor();
    await halts.getByRole('button', { name: 'Lift' }).press('Enter');
    await halts.getByText('None.').waitFor();
    expect(await undefinedNames(page)).toEqual([]);
    expect(await audit()).toEqual([]);
    expect(
      await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })'),
    ).not.toContain(OPERATOR_TOKEN);
    expect(problems).toEqual([]);
  });
});
