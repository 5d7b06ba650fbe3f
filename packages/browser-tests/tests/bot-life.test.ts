import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import {
  type AlpacaAccount,
  type AlpacaOAuthStandIn,
  type AlpacaStandIn,
  type Listening,
  alpacaOAuth,
  alpacaStandIn,
  listen,
} from '../../stand-ins/src/index.js';
import { IN_SESSION } from '../../server/tests/helpers/composed-server.js';
import type { Reader } from '../src/browser.js';
import { AAPL, MSFT, type Scene, journeys, openScene } from './scene.js';

const NUMBER = 'PA3ADA000001';
const [CLIENT, SECRET] = ['client-of-tests', 'secret-of-the-client'];

journeys('a bot at a real broker, by keyboard alone', () => {
  const redirects: string[] = [];
  const now = (): number => scene?.server.clock.now() ?? IN_SESSION;
  let scene: Scene | undefined;
  let alpaca: AlpacaStandIn;
  let oauth: AlpacaOAuthStandIn;
  let account: AlpacaAccount;
  let listening: Listening[];
  let reader: Reader;
  let page: Page;

  beforeAll(async () => {
    alpaca = alpacaStandIn({ now });
    alpaca.addAsset({ symbol: 'AAPL', bid: '200', ask: '200' });
    alpaca.addAsset({ symbol: 'MSFT', bid: '400', ask: '400' });
    const [keyId, secretKey] = [`PK${NUMBER}`, 'secret'];
    account = alpaca.addAccount({ number: NUMBER, keyId, secretKey, cash: '10000' });
    oauth = alpacaOAuth({ now, clientId: CLIENT, clientSecret: SECRET, redirects });
    const [venue, consent] = [await listen(alpaca.venue), await listen(oauth.venue)];
    listening = [venue, consent];
    scene = await openScene({
      BROKERS: 'simulated,alpaca_paper',
      ALPACA_PAPER_URL: venue.url,
      ALPACA_OAUTH_CLIENT_ID: CLIENT,
      ALPACA_OAUTH_CLIENT_SECRET: SECRET,
      ALPACA_OAUTH_URL: consent.url,
    });
    const { server, browser, strategyId } = scene;
    redirects.push(`${server.url}/connect`);
    const follower = await server.user('follower');
    await server.ask('newStrategySubscription', { strategy_id: strategyId }, follower);
    reader = await browser.reader(server.url);
    page = reader.page;
    await page.goto(`/new-bot?strategy=${strategyId}#token=${follower}`);
    await page.getByRole('heading', { name: 'New bot' }).waitFor();
  });
  afterAll(async () => {
    await scene?.close();
    for (const one of listening) await one.close();
  });

  /** A key is lost on a button that waits for an answer. */
  const press = (name: string | RegExp, within: Page | Locator = page) =>
    within
      .getByRole('button', { name, exact: typeof name === 'string', disabled: false })
      .press('Enter');
  const drift = async (): Promise<number> => {
    const group = page.getByRole('region', { name: 'Account against target' });
    return parseFloat((await group.locator('dd', { hasText: '%' }).first().textContent()) ?? '');
  };
  /** Time goes by in steps of half a minute; bots look at their accounts once a minute. */
  async function pass(steps: number, prices: readonly [aapl: number, msft: number] = [200, 400]) {
    for (let step = 0; step < steps; step += 1) {
      scene?.server.clock.advance(30_000);
      for (const [index, symbol] of ['AAPL', 'MSFT'].entries())
        alpaca.quote(symbol, String(prices[index]), String(prices[index]));
      await scene?.server.quotes({ [AAPL]: prices[0], [MSFT]: prices[1] });
      await scene?.server.application.background.runBots();
    }
  }

  it('is connected on the page of the broker, which the dashboard hears of', async () => {
    await page.getByLabel('Name of the bot').fill('Savings');
    await page.getByRole('combobox', { name: 'Broker' }).selectOption('alpaca_paper');
    await press(/Connect on the page of/);
    oauth.signIn(account);
    const [back] = await Promise.all([
      reader.context.waitForEvent('page'),
      page.getByRole('link', { name: 'Open the page of the broker' }).press('Enter'),
    ]);
    await back.getByText('go back to its tab').waitFor();
    expect(back.url()).not.toContain('code');
    await back.close();
    await page.getByText(`Alpaca paper account ${NUMBER}`).waitFor();
    expect(await reader.audit()).toEqual([]);
  });

  it('is made after a look at the account, and starts: its drift falls', async () => {
    await press('Look at the account');
    await page.getByRole('heading', { name: '4. What it would do now' }).waitFor();
    await page.getByText(/It would place 2 orders now/).waitFor();
    await press('Make the bot');
    await page.getByRole('heading', { name: 'Savings', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Account against target' }).getByText('AAPL').waitFor();
    const before = await drift();
    expect(before).toBeGreaterThan(50);
    await press('Start');
    await page.getByText(/It would place 2 orders now/).waitFor();
    await press('Start it');
    await page.getByText(/It starts/).waitFor();
    await pass(4);
    await page.getByText(/It runs/).waitFor();
    await page.reload();
    await page
      .getByRole('group', { name: 'Holdings' })
      .getByText(/^39\.\d\d%$/)
      .first()
      .waitFor();
    expect(await drift()).toBeLessThan(1);
    const orders = page.getByRole('group', { name: 'Orders at the broker' });
    await orders.getByText('filled').first().waitFor();
    expect(await reader.audit()).toEqual([]);
  });

  it('says why the broker refuses and what to do, and goes on when the cause is gone', async () => {
    const refusal = { message: 'account is restricted' };
    alpaca.faults.add({ kind: { status: 403, body: refusal }, times: 1_000 });
    await pass(3);
    await page
      .getByText(/The broker refused access/)
      .first()
      .waitFor();
    await page.getByText(/It waits for you/).waitFor();
    alpaca.faults.clear();
    await press('Try again now');
    await pass(3);
    await page.getByText(/It runs/).waitFor();
  });

  it('shows what tighter limits would do, stops at a loss beyond them, and goes on when it is acknowledged', async () => {
    const limits = page.getByRole('form', { name: 'Limits' });
    for (let step = 0; step < 5; step += 1)
      await limits.getByLabel('Loss in a day, percent').press('ArrowLeft');
    await limits.getByText(/^5% of the day’s start: \$/).waitFor();
    await press('Save the limits', limits);
    await limits.getByText(/Tighter limits act at once/).waitFor();
    await press('Save it', limits);
    await limits.getByText('Saved.').waitFor();
    await pass(3, [190, 380]);
    await pass(3, [182, 364]);
    await page.getByText(/A limit was breached/).waitFor();
    await press('Acknowledge the breach');
    await page.getByText(/Peak and day begin anew/).waitFor();
    await press('Acknowledge and go on');
    await page.getByText(/A limit was breached/).waitFor({ state: 'detached' });
    await pass(3, [182, 364]);
    await page.getByText(/It runs/).waitFor();
  });

  it('is halted and resumed, each after its consequence was said', async () => {
    await press('Halt this bot');
    await page.getByText(/send no order any more/).waitFor();
    await press('Halt this bot now');
    await page.getByText(/Trading is halted/).waitFor();
    await press('Resume trading');
    await page.getByText(/Orders are sent again at once/).waitFor();
    await press('Resume trading now');
    await page.getByText(/Trading is halted/).waitFor({ state: 'detached' });
    await pass(2, [182, 364]);
  });

  it('changes its mode and its pace after a look at what follows', async () => {
    const mode = page.getByRole('form', { name: 'Mode' });
    await mode.getByLabel('Mode').selectOption('reduce_only');
    await press('Change the mode', mode);
    await mode.getByText(/opens and adds nothing any more/).waitFor();
    await press('Save it', mode);
    await page.getByText(/It only reduces/).waitFor();
    const settings = page.getByRole('form', { name: 'Settings' });
    await settings.getByLabel('Rebalance').selectOption('paced');
    await settings.getByLabel('Band, percent').fill('2');
    await settings.getByLabel('Not these instruments').fill(MSFT);
    await press('Save the settings', settings);
    await settings.getByText(/It waits with increases/).waitFor();
    await press('Save it', settings);
    await settings.getByText('Saved.').waitFor();
    const shares = page.getByRole('form', { name: 'Shares and prices' });
    await shares.getByLabel('Part in Two giants, percent').fill('50');
    await press('Save shares and prices', shares);
    await shares.getByText(/is reduced at once/).waitFor();
    await shares.getByText(/sell/).first().waitFor();
    await press('Save it', shares);
    await shares.getByText('Saved.').waitFor();
    expect(await reader.audit()).toEqual([]);
  });

  it('is stopped with closure: it sells what it bought, and is off', async () => {
    await press('Stop');
    await page.getByLabel('Close its positions first').press('Space');
    await press('Close its positions and stop');
    await page.getByText(/It closes its positions|It stops/).waitFor();
    await pass(4, [182, 364]);
    await page.getByText('It is off: it places no orders.').waitFor();
    expect([...account.positions.values()].filter((amount) => !amount.eq('0'))).toEqual([]);
    // Now it may be given other keys.
    await page.getByRole('form', { name: 'Access to the account' }).waitFor();
    // The page of the broker is of another origin; the browser names refused requests.
    const own = reader.problems.filter((problem) => !/^request: .*oauth|40\d/.test(problem));
    expect(own).toEqual([]);
  });
});
