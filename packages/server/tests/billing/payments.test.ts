import { ONLY_BY_NAME, ZERO, DAY } from '@slipstream/domain';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type PaymentGateway, NoticeRefused } from '@slipstream/ports';
import { simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { readSettings } from '../../src/index.js';
import { type ComposedServer, STORAGES, composedServer } from '../helpers/composed-server.js';

const ADDRESS = {
  name: 'Ada Lovelace',
  city: 'London',
  country: 'GB',
  line_one: '12 St James Square',
  postal: 'SW1Y 4JH',
};

let server: ComposedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const PASSWORD = 'correct horse battery';

/** The token of an owner with a password. */
async function withPassword(composed: ComposedServer): Promise<string> {
  const account = { email: 'owner@example.com', password: PASSWORD };
  await composed.ask('newUser', account);
  const { token } = await composed.ask('newSession', account);
  return (await composed.ask('newToken', { name: 'all', scope: ['*', ...ONLY_BY_NAME] }, token))
    .token;
}

/** A strategy of 15 USD a month, and somebody with a card. */
async function market(composed: ComposedServer, card = 'test_card_paid') {
  const [owner, payer] = [await withPassword(composed), await composed.user('payer')];
  const { strategy_id, product_id } = await composed.ask(
    'newStrategy',
    { type: 'stock', name: 'Momentum', price: 15 },
    owner,
  );
  const source = await composed.ask('newPaymentSource', { token: card, ...ADDRESS }, payer);
  return { owner, payer, strategy_id, product_id, source };
}

const days = async ({ clock, application }: ComposedServer, count: number): Promise<void> => {
  for (let day = 0; day < count; day += 1) {
    clock.advance(DAY);
    await application.background.runBilling();
  }
};

describe.each(STORAGES)('payments over HTTP with %s storage', (storage) => {
  it('go from a card through invoices and earnings to a withdrawal', async () => {
    server = await composedServer({ storage });
    const { owner, payer, strategy_id, product_id, source } = await market(server);
    expect(product_id).toBe(`product-${strategy_id}`);
    expect(source).toMatchObject({ ...ADDRESS, line_two: '', primary: true, status: 'active' });
    expect(source.created_at).toMatch(/\+00:00$/);
    expect(await server.ask('getPaymentSources', {}, owner)).toEqual([]);

    const made = await server.ask('newStrategySubscription', { strategy_id, price: 15 }, payer);
    expect(made).toMatchObject({ status: 'active', price: 15 });
    const [invoice] = await server.ask('getInvoices', { status: 'paid', limit: 1 }, payer);
    expect(invoice).toMatchObject({ amount: '15', amount_refunded: '0', source, retryable: false });
    expect(await server.ask('getInvoices', { invoice_id: [''] }, payer)).toEqual([invoice]);
    expect(await server.ask('getInvoices', {}, owner)).toEqual([]);

    // A month of 31 days, and seven more.
    const proof = { password: PASSWORD };
    const bank = { token: 'test_bank', direction: 'out', ...ADDRESS, ...proof };
    await server.ask('newPaymentSource', bank, owner);
    await server.ask('deleteStrategySubscription', { strategy_id }, payer);
    await days(server, 38);
    const withdrawal = await server.ask('newWithdrawal', { amount: 12, ...proof }, owner);
    expect(await server.ask('getWithdrawals', {}, owner)).toEqual({
      balance: '0',
      settled_balance: '0',
      withdrawals: [withdrawal],
    });
    const beyond = await server.attempt('newWithdrawal', { amount: '0.01', ...proof }, owner);
    expect([beyond.status, beyond.headers.get('x-error-code')]).toEqual([
      400,
      'insufficient_earnings',
    ]);
    await days(server, 1);
    const { withdrawals } = await server.ask('getWithdrawals', {}, owner);
    expect(withdrawals[0]?.status).toBe('paid');

    await server.ask('newStrategySubscription', { strategy_id, price: 15 }, payer);
    await days(server, 1);
    await server.ask('deleteStrategy', { strategy_id }, owner);
    await server.application.background.runBilling();
    const [refunded] = await server.ask('getInvoices', {}, payer);
    // 29 whole days of 30 are unused; the owner keeps 80 % of the rest.
    expect(refunded?.amount_refunded).toBe('14.5');
    expect((await server.ask('getWithdrawals', {}, owner)).balance).toBe('0.4');
  });

  it('show one card as the one that is charged, while another waits for its bank', async () => {
    server = await composedServer({ storage });
    const { payer, source } = await market(server);
    const next = { token: 'test_card_confirm', primary: true, ...ADDRESS };
    const waiting = await server.ask('newPaymentSource', next, payer);
    expect([waiting.status, waiting.primary]).toEqual(['pending', false]);
    const charged = async (): Promise<readonly string[]> => {
      const all = await server?.ask('getPaymentSources', {}, payer);
      return all?.filter(({ primary }) => primary).map(({ source_id }) => source_id) ?? [];
    };
    expect(await charged()).toEqual([source.source_id]);
    await days(server, 1);
    expect(await charged()).toEqual([waiting.source_id]);
  });

  it('retry a declined invoice with another card', async () => {
    server = await composedServer({ storage });
    const { payer, strategy_id } = await market(server, 'test_card_declined');
    const made = await server.ask('newStrategySubscription', { strategy_id, price: 15 }, payer);
    expect(made.status).toBe('past_due');
    const [failed] = await server.ask('getInvoices', { status: 'failed' }, payer);
    const card = { token: 'test_card_paid', primary: true, ...ADDRESS };
    await server.ask('newPaymentSource', card, payer);
    const invoice_id = failed?.invoice_id;
    expect((await server.ask('retryInvoice', { invoice_id }, payer)).status).toBe('paid');
    const again = await server.attempt('retryInvoice', { invoice_id }, payer);
    expect(again.headers.get('x-error-code')).toBe('not_retryable');
  });
});

describe("the payment gateway's webhook", () => {
  const posting = (gateway: PaymentGateway) =>
    composedServer({
      adapters: { paymentGateway: gateway },
    });

  it('is read unchanged, and ends a subscription that was charged back', async () => {
    const read: string[] = [];
    const simulated = simulatedGateway({ clock: { now: () => 0 } });
    let chargeRef = '';
    server = await posting({
      ...simulated,
      name: 'stripe',
      charge: async (request) => {
        const answer = await simulated.charge(request);
        chargeRef = answer.kind === 'paid' ? answer.ref : '';
        return answer;
      },
      readNotice: async (body, headers) => {
        read.push(body);
        if (headers['stripe-signature'] !== 'good') throw new NoticeRefused('it does not fit');
        return { kind: 'charge_changed', chargeRef };
      },
      standing: async () => ({ kind: 'charged_back', refunded: ZERO, checkAgainAt: null }),
    });
    const { owner, payer, strategy_id } = await market(server);
    await server.ask('newStrategySubscription', { strategy_id, price: 15 }, payer);
    const body = ' {"as": "it came"}\n';
    const refused = await server.call('POST', '/stripe', { body });
    expect([refused.status, refused.body?.success]).toEqual([400, false]);
    const headers = { 'stripe-signature': 'good' };
    for (const time of [1, 2]) {
      const taken = await server.call('POST', '/stripe', { body, headers });
      expect([time, taken.status]).toEqual([time, 200]);
    }
    expect(read).toEqual([body, body, body]);
    const [row] = await server.ask('getStrategySubscriptions', {}, payer);
    expect(row?.status).toBe('cancelled');
    const [invoice] = await server.ask('getInvoices', {}, payer);
    expect(invoice?.status).toBe('chargeback');
    expect((await server.ask('getWithdrawals', {}, owner)).balance).toBe('0');
  });

  it('has no path while payments are simulated', async () => {
    server = await composedServer();
    expect((await server.call('POST', '/simulated', { body: {} })).status).toBe(404);
    expect((await server.call('POST', '/stripe', { body: {} })).status).toBe(404);
  });
});

describe('the settings of Stripe', () => {
  const [key, secret] = ['sk_test_1', 'whsec_1'];

  it.each([
    [{ STRIPE_SECRET_KEY: key }, /STRIPE_WEBHOOK_SECRET/],
    [{ STRIPE_WEBHOOK_SECRET: secret }, /STRIPE_SECRET_KEY/],
    [{ STRIPE_URL: 'http://127.0.0.1:12111' }, /STRIPE_URL needs STRIPE_SECRET_KEY/],
    ...[
      'https://api.stripe.example',
      'http://10.0.0.1:80',
      'http://127.0.0.1.evil.example:80',
      'http://127.0.0.1:1/path',
      'nonsense',
    ].map(
      (url) =>
        [
          { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_URL: url },
          /STRIPE_URL/,
        ] as const,
    ),
    [{ STRIPE_SECRET_KEY: 'pk_test_1', STRIPE_WEBHOOK_SECRET: secret }, /STRIPE_SECRET_KEY/],
  ])('%j are refused and named', (environment, named) => {
    expect(() => readSettings(environment)).toThrow(named);
  });

  it('must be set together, and then the webhook is accepted', async () => {
    const environment = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret };
    server = await composedServer({ environment });
    const unsigned = await server.call('POST', '/stripe', { body: {} });
    expect([unsigned.status, unsigned.headers.get('x-error-code')]).toEqual([
      400,
      'payment_gateway',
    ]);
  });
});
