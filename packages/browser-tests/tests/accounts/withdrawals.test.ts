import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAY } from '@slipstream/domain';
import type { Page } from 'playwright-core';
import { testSecrets } from '../../../adapter-memory/src/testing/secrets.js';
import { pressAt, tabTo } from '../keyboard.js';
import { type Scene, journeys, openScene } from '../scene.js';

const ADDRESS = { name: 'P', line_one: '1 Way', postal: '1', city: 'Bonn', country: 'DE' };
const ACCOUNT = { email: 'ada@example.com', password: 'a long sentence of hers' };

journeys('an owner who is paid by followers', () => {
  let scene: Scene;
  let token: string;
  let page: Page;
  beforeAll(async () => {
    const { oneTimePasswords } = testSecrets();
    scene = await openScene({}, { adapters: { oneTimePasswords } });
    const { server, browser } = scene;
    await server.ask('newUser', ACCOUNT);
    const signedIn = (await server.ask('newSession', ACCOUNT)).token;
    const scope = ['*', 'newPaymentSource'];
    ({ token } = await server.ask('newToken', { name: 'all', scope }, signedIn));
    const paid = { type: 'stock', name: 'Paid', private: false, price: 100 };
    const { strategy_id } = await server.ask('newStrategy', paid, token);
    const bank = { token: 'test_bank', direction: 'out', password: ACCOUNT.password };
    await server.ask('newPaymentSource', { ...bank, ...ADDRESS }, token);
    const payer = await server.user('payer');
    await server.ask('newPaymentSource', { token: 'test_card_paid', ...ADDRESS }, payer);
    await server.ask('newStrategySubscription', { strategy_id, price: 100 }, payer);
    for (let day = 0; day < 39; day += 1) {
      server.clock.advance(DAY);
      await server.application.background.runBilling();
    }
    ({ page } = await browser.reader(server.url));
    await page.goto('/sign-in?to=/account');
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(ACCOUNT.email);
    await page.getByLabel('Password').fill(ACCOUNT.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('$80.00', { exact: true }).waitFor();
  });
  afterAll(() => scene.close());

  const earnings = (of: Page) => of.getByRole('region', { name: 'Earnings and withdrawals' });

  async function fillIn(of: Page, amount: string, code?: string): Promise<void> {
    await earnings(of).getByLabel('Withdraw, USD').fill(amount);
    await earnings(of).getByLabel('Your password').fill(ACCOUNT.password);
    if (code !== undefined) await earnings(of).getByLabel('Code of your app').fill(code);
  }
  const withdraw = (of: Page) =>
    earnings(of).getByRole('button', { name: 'Withdraw', exact: true });
  const payOut = (of: Page) => earnings(of).getByRole('button', { name: 'Pay it out' });

  const withdrawn = async () =>
    (await scene.server.ask('getWithdrawals', {}, token)).withdrawals.map(({ amount }) => amount);

  it('sees what is left, where another tab was faster', async () => {
    const other = await page.context().newPage();
    await other.goto('/account');
    for (const tab of [page, other]) {
      await fillIn(tab, '50');
      await withdraw(tab).click();
    }
    await payOut(other).dblclick();
    await earnings(other).getByText('pending').waitFor();
    await payOut(page).dblclick();
    await earnings(page)
      .getByText(/30\.00 USD of your earnings have settled/)
      .waitFor();
    await earnings(page).getByText('$30.00', { exact: true }).waitFor();
    await earnings(page).getByRole('button', { name: 'Not now' }).click();
    expect(await withdrawn()).toEqual(['50']);
    await other.close();
  });

  it('withdraws once, where the answer was lost and the next press takes another code of the app', async () => {
    const { server } = scene;
    const session = (await server.ask('newSession', ACCOUNT)).token;
    const all = { name: 'page', type: 'session', scope: ['*'] };
    const { token: own } = await server.ask('newToken', all, session);
    const { secret } = await server.ask('newTotp', { password: ACCOUNT.password }, own);
    const totp = `${secret}:${Math.floor(server.clock.now() / 30_000)}`;
    const { recovery_codes: codes } = await server.ask('confirmTotp', { totp }, own);
    await page.route('**/newWithdrawal', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await fillIn(page, '10', codes[0]);
    await withdraw(page).click();
    await payOut(page).click();
    await earnings(page)
      .getByText(/The service does not answer/)
      .waitFor();
    // What took effect is there, although its answer never came.
    await earnings(page).getByText('$20.00', { exact: true }).waitFor();
    await page.unroute('**/newWithdrawal');
    await fillIn(page, '10', codes[1]);
    await payOut(page).click();
    await earnings(page)
      .getByText(/Your first attempt took effect/)
      .waitFor();
    expect(await withdrawn()).toEqual(['10', '50']);
    // Another one is meant as another one; here by the keyboard alone.
    for (const [label, text] of [
      ['Withdraw, USD', '10'],
      ['Your password', ACCOUNT.password],
      ['Code of your app', codes[2] ?? ''],
    ] as const) {
      await tabTo(page, earnings(page).getByLabel(label));
      await page.keyboard.type(text);
    }
    await pressAt(page, payOut(page), 'Enter');
    await earnings(page).getByText('$10.00', { exact: true }).first().waitFor();
    await withdraw(page).waitFor();
    expect(await withdrawn()).toEqual(['10', '10', '50']);
  });
});
