import { type Decimal, decimal, id } from '@slipstream/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type PaymentGatewayFixture, paymentGatewayContract } from '@slipstream/port-contracts';
import {
  type ChargeRequest,
  type PaymentGateway,
  PaymentSourceRefused,
  PaymentUnreachable,
} from '@slipstream/ports';
import Stripe from 'stripe';
import { stripeGateway } from '../src/index.js';
import { type FakeStripe, SECRET_KEY, fakeStripe } from './fake-stripe.js';

const WEBHOOK_SECRET = 'whsec_local';
const PATHS = {
  charge: '/v1/payment_intents',
  refund: '/v1/refunds',
  payOut: '/v1/transfers',
} as const;
const usd = (cents: number): string => decimal(String(cents)).times(decimal('0.01')).toFixed();

/** An event as Stripe posts it, signed by the library's own helper. */
function posted(type: string, object: object) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
  const { webhooks } = new Stripe(SECRET_KEY);
  const signature = webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET });
  return { body, headers: { 'stripe-signature': signature } };
}

const gatewayOf = ({ api }: FakeStripe): PaymentGateway =>
  stripeGateway({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, api });

const open = async (): Promise<PaymentGatewayFixture> => {
  const stripe = await fakeStripe();
  const total = (amounts: readonly number[]) => usd(amounts.reduce((sum, one) => sum + one, 0));
  return {
    gateway: gatewayOf(stripe),
    tokens: { paid: 'pm_card_visa', declined: 'pm_card_chargeCustomerFail', out: 'acct_1Ready' },
    disputedToken: 'pm_card_visa',
    moved: () => ({
      charged: total(
        stripe.intents.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount),
      ),
      refunded: total(stripe.intents.map(({ refunded }) => refunded)),
      paidOut: total(stripe.transfers.map(({ amount }) => amount)),
    }),
    loseNextAnswer: (method) => stripe.lose(PATHS[method], 'answer'),
    loseNextRequest: (method) => stripe.lose(PATHS[method], 'request'),
    chargeBack: async (chargeRef) => {
      const intent = stripe.intents.find((one) => one.id === chargeRef);
      if (!intent) throw new Error('there is no such charge');
      intent.latest_charge.disputed = true;
      const dispute = { object: 'dispute', status: 'needs_response', payment_intent: chargeRef };
      return posted('charge.dispute.created', dispute);
    },
    close: stripe.close,
  };
};

paymentGatewayContract('stripe', open);

describe('Stripe', () => {
  let stripe: FakeStripe;
  let gateway: PaymentGateway;

  beforeEach(async () => {
    stripe = await fakeStripe();
    gateway = gatewayOf(stripe);
  });
  afterEach(() => stripe.close());

  const request = async (
    rest: Partial<ChargeRequest> = {},
    amount: Decimal = decimal('15'),
  ): Promise<ChargeRequest> => ({
    key: 'invoice-1-1',
    amount,
    isAgain: false,
    sourceRef: (await link('pm_card_visa')).ref,
    invoiceId: id('invoice-1'),
    triesBefore: 0,
    description: 'Momentum, month 1',
    product: { id: 'strategy-1', name: 'Momentum' },
    ...rest,
  });
  const link = (token: string, direction: 'in' | 'out' = 'in') =>
    gateway.link({ userId: id('user-1'), direction, token });

  it('is charged in cents, off session, and knows invoice and product', async () => {
    await gateway.charge(await request());
    expect(stripe.intents).toMatchObject([
      {
        amount: 1500,
        currency: 'usd',
        description: 'Momentum, month 1',
        metadata: { invoice_id: 'invoice-1', product_id: 'strategy-1' },
      },
    ]);
    expect(stripe.sent.join('\n')).toContain('off_session=true');
    expect([...stripe.products.keys()]).toEqual(['strategy-1']);
  });

  it('takes a product that is there already', async () => {
    await gateway.charge(await request());
    await gatewayOf(stripe).charge(await request({ key: 'invoice-2-1' }));
    expect(stripe.products.size).toBe(1);
  });

  it('charges once even when it has forgotten the key a day later', async () => {
    const asked = await request();
    stripe.lose(PATHS.charge, 'answer');
    await expect(gateway.charge(asked)).rejects.toBeInstanceOf(PaymentUnreachable);
    stripe.forgetKeys();
    expect(await gateway.charge({ ...asked, isAgain: true })).toMatchObject({ kind: 'paid' });
    expect(stripe.intents).toHaveLength(1);
  });

  it('pays out once even when it has forgotten the key a day later', async () => {
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    const asked = { key: 'withdrawal-1', amount: decimal('1'), sourceRef };
    stripe.lose(PATHS.payOut, 'answer');
    const lost = gateway.payOut({ ...asked, isAgain: false });
    await expect(lost).rejects.toBeInstanceOf(PaymentUnreachable);
    stripe.forgetKeys();
    expect(await gateway.payOut({ ...asked, isAgain: true })).toEqual({ kind: 'done' });
    expect(stripe.transfers).toHaveLength(1);
  });

  it.each([
    [500, { type: 'api_error', message: 'boom' }],
    [429, { type: 'invalid_request_error', code: 'rate_limit', message: 'slow down' }],
    [401, { type: 'invalid_request_error', message: 'Invalid API Key provided' }],
    [403, { type: 'invalid_request_error', message: 'not allowed' }],
    [409, { type: 'idempotency_error', message: 'in use' }],
  ])('answers nothing with %i: asked again, not declined', async (status, error) => {
    await gateway.charge(await request());
    const asked = await request({ key: 'invoice-2-1' });
    stripe.fail(status, error);
    await expect(gateway.charge(asked)).rejects.toBeInstanceOf(PaymentUnreachable);
  });

  it('refuses a card that its bank asks the payer to confirm, and an account that waits', async () => {
    const card = link('pm_card_authenticationRequired');
    await expect(card).rejects.toBeInstanceOf(PaymentSourceRefused);
    const account = link('acct_1Waiting', 'out');
    await expect(account).rejects.toBeInstanceOf(PaymentSourceRefused);
  });

  it('pays out later when its balance is not there yet', async () => {
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    stripe.setBalance(99);
    const asked = { key: 'withdrawal-1', amount: decimal('1'), sourceRef };
    const early = gateway.payOut({ ...asked, isAgain: false });
    await expect(early).rejects.toBeInstanceOf(PaymentUnreachable);
    stripe.setBalance(100);
    stripe.forgetKeys();
    expect(await gateway.payOut({ ...asked, isAgain: true })).toEqual({ kind: 'done' });
  });

  it('takes nothing from, and pays nothing to, what another gateway linked', async () => {
    const sourceRef = 'simulated:test_card_paid';
    expect(await gateway.charge(await request({ sourceRef }))).toMatchObject({ kind: 'declined' });
    const asked = { key: 'withdrawal-1', amount: decimal('1'), isAgain: false, sourceRef };
    expect(await gateway.payOut(asked)).toMatchObject({ kind: 'refused' });
    await gateway.unlink(sourceRef);
  });

  it('declines what was charged to a card that is gone', async () => {
    const asked = await request();
    await gateway.unlink(asked.sourceRef);
    expect(await gateway.charge(asked)).toEqual({ kind: 'declined', reason: 'resource_missing' });
  });

  it.each([
    [
      'charge.dispute.created',
      { status: 'warning_needs_response', payment_intent: 'pi_1' },
      undefined,
    ],
    ['charge.dispute.created', { status: 'needs_response', payment_intent: null }, undefined],
    [
      'charge.dispute.funds_withdrawn',
      { status: 'needs_response', payment_intent: { id: 'pi_1' } },
      { kind: 'charged_back', chargeRef: 'pi_1' },
    ],
    [
      'payment_intent.succeeded',
      { metadata: { invoice_id: 'invoice-1' } },
      { kind: 'charge_decided', invoiceId: 'invoice-1' },
    ],
    ['payment_intent.payment_failed', { metadata: {} }, undefined],
    ['customer.created', {}, undefined],
  ])('reads %s of %j', async (type, object, notice) => {
    const { body, headers } = posted(type, object);
    expect(await gateway.readNotice?.(body, headers)).toEqual(notice);
  });
});
