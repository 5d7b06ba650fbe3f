import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAY } from '@slipstream/domain';
import { type Scene, journeys, openScene } from '../scene.js';

const ADDRESS = { name: 'P', line_one: '1 Way', postal: '1', city: 'Bonn', country: 'DE' };

journeys('a follower who pays', () => {
  let scene: Scene;
  let strategyId: string;
  beforeAll(async () => {
    scene = await openScene();
    const paid = { type: 'stock', name: 'Paid', private: false, price: 30 };
    ({ strategy_id: strategyId } = await scene.server.ask('newStrategy', paid, scene.owner));
  });
  afterAll(() => scene.close());

  /** Somebody who pays with that card, and then has another one. */
  async function follower(name: string, next?: string) {
    const { server } = scene;
    const token = await server.user(name);
    const card = (kind: string) =>
      server.ask('newPaymentSource', { token: kind, primary: true, ...ADDRESS }, token);
    await card('test_card_paid');
    await server.ask('newStrategySubscription', { strategy_id: strategyId, price: 30 }, token);
    if (next !== undefined) await card(next);
    return token;
  }
  const subscription = async (token: string) =>
    (await scene.server.ask('getStrategySubscriptions', {}, token))[0];

  async function panel(token: string) {
    const { page, audit } = await scene.browser.reader(scene.server.url, {
      viewport: { width: 390, height: 844 },
    });
    await page.goto(`/strategies/${strategyId}#token=${token}`);
    const following = page.getByRole('region', { name: 'Following' });
    await following.waitFor();
    return { following, audit, page };
  }

  it('goes on after all, where the end that was asked for has not come', async () => {
    const token = await follower('undecided');
    const { following, audit } = await panel(token);
    await following.getByRole('button', { name: 'Stop following' }).press('Enter');
    await following.getByText(/A month that is paid stays until Apr 4, 2026/).waitFor();
    await following.getByRole('button', { name: 'Stop following' }).press('Enter');
    await following.getByText('It ends on Apr 4, 2026.').waitFor();
    await following.getByRole('button', { name: 'Go on following' }).press('Enter');
    await following
      .getByText(/\$30 again on Apr 4, 2026, and every month until you stop/)
      .waitFor();
    expect(await audit()).toEqual([]);
    await following.getByRole('button', { name: 'Go on following' }).press('Enter');
    await following.getByRole('button', { name: 'Stop following' }).waitFor();
    expect(await subscription(token)).toMatchObject({ status: 'active', ends_at: null });
    expect(await scene.server.ask('getInvoices', {}, token)).toHaveLength(1);
  });

  it('is asked anew where the price is another one meanwhile, and counts among the followers at once', async () => {
    const { server, browser, owner } = scene;
    const offer = { type: 'stock', name: 'Offer', private: false, price: 30 };
    const { strategy_id } = await server.ask('newStrategy', offer, owner);
    const token = await server.user('chooser');
    await server.ask('newPaymentSource', { token: 'test_card_paid', ...ADDRESS }, token);
    const { page } = await browser.reader(server.url);
    await page.goto(`/strategies/${strategy_id}#token=${token}`);
    const follow = page.getByRole('region', { name: 'Follow', exact: true });
    await follow.getByRole('button', { name: 'Follow for $30 a month' }).press('Enter');
    await server.ask('updateStrategy', { strategy_id, price: 40 }, owner);
    await follow.getByRole('button', { name: 'Pay $30 and follow' }).press('Enter');
    await follow.getByText('The price is 40 USD a month now, not 30.').waitFor();
    const again = follow.getByRole('button', { name: 'Follow for $40 a month' });
    await again.waitFor();
    expect(await server.ask('getInvoices', {}, token)).toEqual([]);
    await again.press('Enter');
    await follow.getByRole('button', { name: 'Pay $40 and follow' }).press('Enter');
    const performance = page.getByRole('region', { name: 'Performance' });
    await performance.getByText('Followers1').waitFor();
  });

  it('is told that a month which was not paid ends at once', async () => {
    const token = await follower('broke', 'test_card_declined');
    scene.server.clock.advance(31 * DAY + 1_000);
    await scene.server.application.background.runBilling();
    const { following } = await panel(token);
    await following
      .getByText('The last payment failed. You follow it until it fails for good.')
      .waitFor();
    expect(await following.getByText(/\$30 again on/).count()).toBe(0);
    await following.getByRole('button', { name: 'Stop following' }).click();
    await following.getByText('It ends at once, and nothing more is charged.').waitFor();
    expect(await following.getByText(/which is paid/).count()).toBe(0);
    await following.getByRole('button', { name: 'Stop following' }).click();
    await following.waitFor({ state: 'detached' });
    expect(await subscription(token)).toMatchObject({ status: 'cancelled' });
  });

  it('is told before the account is deleted that paid months go with it', async () => {
    const token = await follower('leaving');
    const { page } = await scene.browser.reader(scene.server.url);
    await page.goto(`/account#token=${token}`);
    await page.getByRole('button', { name: 'Delete the account' }).click();
    await page.getByText(/nothing of a month that you paid comes back/).waitFor();
  });

  it('sees within a minute that the payment arrived, or that the end came', async () => {
    const token = await follower('patient');
    const { server } = scene;
    const { page, following } = await panel(token);
    await page.clock.install();
    await page.reload();
    await following.waitFor();
    await server.ask('deleteStrategySubscription', { strategy_id: strategyId }, token);
    await page.clock.runFor(60_000);
    await following.getByText(/^You follow this strategy\. It ends on/).waitFor();
  });
});
