import { type Decimal, decimal, id, DAY } from '@slipstream/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type PaymentGatewayFixture, paymentGatewayContract } from '@slipstream/port-contracts';
import {
  type ChargeRequest,
  ChargeUnknown,
  type PaymentGateway,
  PaymentSourceRefused,
  PaymentUnreachable,
} from '@slipstream/ports';
import Stripe from 'stripe';
import { NOTICED_EVENTS, stripeGateway } from '../src/index.js';
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

const NOW = Date.UTC(2026, 0, 5);
let now = NOW;
beforeEach(() => {
  now = NOW;
});

const gatewayOf = ({ api }: FakeStripe, secretKey = SECRET_KEY): PaymentGateway =>
  stripeGateway({
    secretKey,
    webhookSecret: WEBHOOK_SECRET,
    clock: { now: () => now },
    returnUrl: 'https://slipstream.example/confirmed',
    api,
  });

/** The bank takes the charge back. */
const dispute = ({ disputes, intents }: FakeStripe, chargeRef: string) => {
  const amount = intents.find((one) => one.id === chargeRef)?.amount ?? 0;
  disputes.push({
    id: 'dp_1',
    object: 'dispute',
    amount,
    status: 'needs_response',
    payment_intent: chargeRef,
    balance_transactions: [{ amount: -amount }],
  });
};

const open = async (): Promise<PaymentGatewayFixture> => {
  const stripe = await fakeStripe(() => NOW);
  const total = (amounts: readonly number[]) => usd(amounts.reduce((sum, one) => sum + one, 0));
  return {
    gateway: gatewayOf(stripe),
    tokens: { paid: 'pm_card_visa', declined: 'pm_card_chargeCustomerFail', out: 'acct_1Ready' },
    disputedToken: 'pm_card_visa',
    moved: () => ({
      charged: total(
        stripe.intents.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount),
      ),
      refunded: total(stripe.intents.map((one) => one.latest_charge.amount_refunded)),
      paidOut: total(stripe.transfers.map(({ amount }) => amount)),
    }),
    loseNextAnswer: (method) => stripe.lose(PATHS[method], 'answer'),
    loseNextRequest: (method) => stripe.lose(PATHS[method], 'request'),
    chargeBack: async (chargeRef) => {
      dispute(stripe, chargeRef);
      return posted('charge.dispute.created', { object: 'dispute', payment_intent: chargeRef });
    },
    wonToken: 'pm_card_visa',
    winBack: async () => {
      for (const one of stripe.disputes) one.status = 'won';
    },
    toConfirm: {
      token: 'pm_card_authenticationRequired',
      confirm: async () => {
        for (const one of stripe.setups) Object.assign(one, { status: 'succeeded' });
      },
    },
    close: stripe.close,
  };
};

paymentGatewayContract('stripe', open);

describe('Stripe', () => {
  let stripe: FakeStripe;
  let gateway: PaymentGateway;

  beforeEach(async () => {
    stripe = await fakeStripe(() => NOW);
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
    isLookup: false,
    sourceRef: (await link('pm_card_visa')).ref,
    invoiceId: id('invoice-1'),
    paysFor: { subscriptionId: id('subscription-1'), month: 1, since: NOW },
    attemptsBefore: 0,
    description: 'Momentum, month 1',
    product: { id: 'strategy-1', name: 'Momentum' },
    ...rest,
  });
  const link = (token: string, direction: 'in' | 'out' = 'in') =>
    gateway.link({ sourceId: id('source-1'), userId: id('user-1'), direction, token });

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

  it.each([
    ['sk_live_1', 'live'],
    ['rk_live_1', 'live'],
    ['sk_test_1', 'test'],
    ['rk_test_1', 'test'],
  ])('moves by the key %s what is %s', (secretKey, money) => {
    expect(gatewayOf(stripe, secretKey).money).toBe(money);
  });

  it('uses an existing product', async () => {
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

  it('charges and pays out nothing again that a restored database has as not made yet', async () => {
    const retried = await request({ key: 'invoice-1-2', attemptsBefore: 1 });
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    const first = { isAgain: false, isLookup: false };
    const withdrawn = { key: 'withdrawal-1', amount: decimal('1'), sourceRef, ...first };
    for (let day = 0; day < 3; day += 1) {
      expect(await gateway.charge(retried)).toMatchObject({ kind: 'paid' });
      expect(await gateway.payOut(withdrawn)).toEqual({ kind: 'done' });
      stripe.forgetKeys();
    }
    expect([stripe.intents.length, stripe.transfers.length]).toEqual([1, 1]);
  });

  it('pays out once even when it has forgotten the key a day later', async () => {
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    const asked = { key: 'withdrawal-1', amount: decimal('1'), isLookup: false, sourceRef };
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

  it('refuses an account that waits', async () => {
    const account = link('acct_1Waiting', 'out');
    await expect(account).rejects.toBeInstanceOf(PaymentSourceRefused);
  });

  it('refuses an account that is not connected, or not any more', async () => {
    const mistyped = link('acct_1Mistyped', 'out');
    await expect(mistyped).rejects.toBeInstanceOf(PaymentSourceRefused);
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    const asked = {
      key: 'withdrawal-1',
      amount: decimal('1'),
      isLookup: false,
      isAgain: true,
      sourceRef,
    };
    const code = 'account_invalid';
    const answers = [
      [200, { object: 'list', data: [], has_more: false }],
      [200, { object: 'balance', available: [{ amount: 100, currency: 'usd' }], pending: [] }],
      [403, { error: { type: 'invalid_request_error', code, message: 'revoked' } }],
    ] as const;
    for (const [status, body] of answers) stripe.answer(status, body);
    expect(await gateway.payOut(asked)).toEqual({ kind: 'refused', reason: code });
  });

  it('sends the payer to the page of the bank that asks to confirm a card', async () => {
    const asked = await link('pm_card_authenticationRequired');
    expect(asked).toMatchObject({
      kind: 'to_confirm',
      nextAction: { url: 'https://hooks.stripe.com/3d', clientSecret: expect.any(String) },
    });
    expect(stripe.sent.join('\n')).toContain('return_url=https');
    expect(stripe.setups[0]?.metadata).toEqual({ source_id: 'source-1' });
    Object.assign(stripe.setups[0] ?? {}, { status: 'requires_payment_method' });
    expect(await gateway.confirmation(asked.ref)).toMatchObject({ kind: 'refused' });
    expect(await gateway.confirmation('simulated:test_card_paid')).toMatchObject({
      kind: 'refused',
    });
  });

  it.each(['request', 'answer'] as const)(
    'names a card before it is linked, and removes it although the %s was lost',
    async (loss) => {
      const begun: string[] = [];
      const asked = { sourceId: id<'payment_source'>('source-1'), userId: id<'user'>('user-1') };
      const link = gateway.link({
        ...asked,
        direction: 'in',
        token: 'pm_card_visa',
        begun: async (ref) => {
          expect(stripe.attached()).toBe(0);
          begun.push(ref);
          stripe.lose(`/v1/setup_intents/${stripe.setups[0]?.id}/confirm`, loss);
        },
      });
      await expect(link).rejects.toBeInstanceOf(PaymentUnreachable);
      expect([begun.length, stripe.attached()]).toEqual([1, loss === 'answer' ? 1 : 0]);
      await gateway.unlink(begun[0] ?? '');
      expect(stripe.attached()).toBe(0);
      const [setup] = stripe.setups;
      expect(setup?.status).toBe(loss === 'answer' ? 'succeeded' : 'canceled');
    },
  );

  it('links nothing if what it names cannot be stored', async () => {
    const link = gateway.link({
      sourceId: id('source-1'),
      userId: id('user-1'),
      direction: 'in',
      token: 'pm_card_visa',
      begun: () => Promise.reject(new Error('the disk is full')),
    });
    await expect(link).rejects.toThrow();
    expect(stripe.attached()).toBe(0);
  });

  it('lets nobody confirm a card any more that was removed before', async () => {
    const { ref } = await link('pm_card_authenticationRequired');
    await gateway.unlink(ref);
    expect(stripe.setups.map(({ status }) => status)).toEqual(['canceled']);
    expect(await gateway.confirmation(ref)).toMatchObject({ kind: 'refused' });
    await gateway.unlink(ref);
  });

  it('removes a card that was confirmed meanwhile', async () => {
    const { ref } = await link('pm_card_authenticationRequired');
    Object.assign(stripe.setups[0] ?? {}, { status: 'succeeded' });
    const confirmed = await gateway.confirmation(ref);
    if (confirmed.kind !== 'linked') throw new Error(confirmed.kind);
    await gateway.unlink(ref);
    expect(await gateway.charge(await request({ sourceRef: confirmed.ref }))).toMatchObject({
      kind: 'declined',
    });
  });

  it('is asked how a charge stands, less often the older it is, for half a year', async () => {
    const paid = await gateway.charge(await request());
    if (paid.kind !== 'paid') throw new Error(paid.kind);
    const pauses: number[] = [];
    let next = paid.checkAgainAt;
    while (next !== null) {
      pauses.push((next - now) / DAY);
      now = next;
      next = (await gateway.standing(paid.ref)).checkAgainAt;
    }
    expect(pauses).toEqual([1, 1, 2, 4, 8, ...Array.from({ length: 12 }, () => 14)]);
  });

  it.each([
    ['warning_needs_response', [], 'paid', undefined],
    ['needs_response', [-1500], 'charged_back', false],
    ['under_review', [-1500], 'charged_back', false],
    ['under_review', [-1500, 1500], 'paid', undefined],
    ['lost', [-1500], 'charged_back', true],
    ['won', [-1500, 1500], 'paid', undefined],
    // docs.stripe.com/changelog/endive/2026-10-28: a decision may be appealed. The money stays away meanwhile.
    ['appeal_needs_response', [-1500], 'charged_back', false],
    ['appeal_under_review', [-1500], 'charged_back', false],
    ['appeal_under_review', [-1500, 1500], 'paid', undefined],
    ['warning_closed', [], 'paid', undefined],
    ['prevented', [], 'paid', undefined],
    ['prevented', [-1500], 'charged_back', false],
    ['a status of next year', [-1500], 'charged_back', false],
    ['a status of next year', [], 'paid', undefined],
  ] as const)(
    'reads a dispute that is %s, with %j moved, as %s',
    async (status, moved, ...read) => {
      const paid = await gateway.charge(await request());
      if (paid.kind !== 'paid') throw new Error(paid.kind);
      dispute(stripe, paid.ref);
      const balance_transactions = moved.map((amount) => ({ amount }));
      Object.assign(stripe.disputes[0] ?? {}, { status, balance_transactions });
      const { kind, isLost } = await gateway.standing(paid.ref);
      expect([kind, isLost]).toEqual(read);
    },
  );

  it.each([
    ['needs_response', true],
    ['under_review', true],
    ['appeal_under_review', true],
    ['lost', false],
    ['won', false],
  ] as const)(
    'asks on after half a year while a dispute is not decided: %s',
    async (status, asks) => {
      const answer = await gateway.charge(await request());
      if (answer.kind !== 'paid') throw new Error('not paid');
      dispute(stripe, answer.ref);
      Object.assign(stripe.disputes[0] ?? {}, { status });
      now = NOW + 200 * DAY;
      const { checkAgainAt } = await gateway.standing(answer.ref);
      expect(checkAgainAt).toBe(asks ? now + 14 * DAY : null);
    },
  );

  it('says how much open and lost disputes took, of two of a part both', async () => {
    const paid = await gateway.charge(await request());
    if (paid.kind !== 'paid') throw new Error(paid.kind);
    const taken = async () => {
      const { kind, disputed, isLost } = await gateway.standing(paid.ref);
      return [kind, disputed?.toFixed(), isLost];
    };
    for (const amount of [500, 250]) {
      dispute(stripe, paid.ref);
      const balance_transactions = [{ amount: -amount }];
      const of = { amount, status: 'lost', balance_transactions };
      Object.assign(stripe.disputes.at(-1) ?? {}, of);
    }
    expect(await taken()).toEqual(['charged_back', '7.5', true]);
    Object.assign(stripe.disputes.at(-1) ?? {}, { status: 'under_review' });
    expect(await taken()).toEqual(['charged_back', '7.5', false]);
    const won = { status: 'won', balance_transactions: [{ amount: -250 }, { amount: 250 }] };
    Object.assign(stripe.disputes.at(-1) ?? {}, won);
    expect(await taken()).toEqual(['charged_back', '5', true]);
  });

  it('says that a refund failed after it was made, and makes it again', async () => {
    const paid = await gateway.charge(await request());
    if (paid.kind !== 'paid') throw new Error(paid.kind);
    const asked = { key: 'r', amount: decimal('15'), isAgain: false, chargeRef: paid.ref };
    const stands = async () => {
      const { refunded, hasFailedRefund } = await gateway.standing(paid.ref);
      return [refunded.toFixed(), hasFailedRefund];
    };
    expect(await gateway.refund(asked)).toEqual({ kind: 'done' });
    expect(await stands()).toEqual(['15', false]);
    stripe.failRefund();
    expect(await stands()).toEqual(['0', true]);
    expect(await gateway.refund(asked)).toEqual({ kind: 'done' });
    expect(await stands()).toEqual(['15', true]);
  });

  it('does not know a charge of another account, or of its test mode', async () => {
    await expect(gateway.standing('pi_elsewhere')).rejects.toBeInstanceOf(ChargeUnknown);
    stripe.fail(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
    await expect(gateway.standing('pi_elsewhere')).rejects.toBeInstanceOf(PaymentUnreachable);
  });

  it('shows the payer nothing that the bank wants secret', async () => {
    await gateway.charge(await request());
    const asked = await request({ key: 'invoice-2-1' });
    stripe.fail(402, { type: 'card_error', code: 'card_declined', decline_code: 'stolen_card' });
    expect(await gateway.charge(asked)).toEqual({ kind: 'declined', reason: 'generic_decline' });
  });

  it('says of the first request that it did not, when the balance cannot be asked for: nothing was sent', async () => {
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    const asked = {
      key: 'withdrawal-1',
      amount: decimal('1'),
      isLookup: false,
      sourceRef,
      isAgain: false,
    };
    stripe.fail(500, { type: 'api_error', message: 'no answer' });
    expect(await gateway.payOut(asked)).toEqual({ kind: 'not_made' });
    expect(await gateway.payOut(asked)).toEqual({ kind: 'done' });
  });

  it('pays out later when its balance is not there yet, and says that it did not', async () => {
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    stripe.setBalance(99);
    const asked = {
      key: 'withdrawal-1',
      amount: decimal('1'),
      isLookup: false,
      sourceRef,
      isAgain: false,
    };
    expect(await gateway.payOut(asked)).toEqual({ kind: 'not_made' });
    stripe.setBalance(100);
    expect(await gateway.payOut(asked)).toEqual({ kind: 'done' });
  });

  it('says so of a payout while an earlier request for it has no answer, and calls that off', async () => {
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    stripe.setBalance(99);
    const asked = {
      key: 'withdrawal-1',
      amount: decimal('1'),
      isLookup: false,
      sourceRef,
      isAgain: true,
    };
    expect(await gateway.payOut(asked)).toEqual({ kind: 'not_made' });
    stripe.setBalance(100);
    expect(await gateway.payOut(asked)).toEqual({ kind: 'not_made' });
    expect(stripe.transfers).toEqual([]);
    stripe.forgetKeys();
    expect(await gateway.payOut(asked)).toEqual({ kind: 'done' });
  });

  it('pays out with a key that may not read the balance, and a day late what it asked for too early', async () => {
    const { ref: sourceRef } = await link('acct_1Ready', 'out');
    const asked = {
      key: 'withdrawal-1',
      amount: decimal('1'),
      isLookup: false,
      sourceRef,
      isAgain: false,
    };
    const forbid = (): void =>
      stripe.fail(403, { type: 'invalid_request_error', message: 'no right to that' });
    stripe.setBalance(99);
    stripe.answer(200, { object: 'list', data: [], has_more: false });
    forbid();
    expect(await gateway.payOut(asked)).toEqual({ kind: 'not_made' });
    stripe.setBalance(100);
    expect(await gateway.payOut(asked)).toEqual({ kind: 'not_made' });
    stripe.forgetKeys();
    expect(await gateway.payOut(asked)).toEqual({ kind: 'done' });
    expect(stripe.transfers).toHaveLength(1);
  });

  it('neither charges nor pays a source that another gateway linked', async () => {
    const sourceRef = 'simulated:test_card_paid';
    expect(await gateway.charge(await request({ sourceRef }))).toMatchObject({ kind: 'declined' });
    const asked = {
      key: 'withdrawal-1',
      amount: decimal('1'),
      isLookup: false,
      isAgain: false,
      sourceRef,
    };
    expect(await gateway.payOut(asked)).toMatchObject({ kind: 'refused' });
    await gateway.unlink(sourceRef);
  });

  it('declines a charge to a removed card', async () => {
    const asked = await request();
    await gateway.unlink(asked.sourceRef);
    expect(await gateway.charge(asked)).toEqual({ kind: 'declined', reason: 'resource_missing' });
  });

  it.each([
    ['charge.dispute.created', { payment_intent: null }, undefined],
    ...[
      'charge.dispute.created',
      'charge.dispute.closed',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.refunded',
    ].map(
      (type) =>
        [
          type,
          { payment_intent: { id: 'pi_1' } },
          { kind: 'charge_changed', chargeRef: 'pi_1' },
        ] as const,
    ),
    [
      'setup_intent.succeeded',
      { metadata: { source_id: 'source-1' } },
      { kind: 'source_decided', sourceId: 'source-1' },
    ],
    ['setup_intent.setup_failed', { metadata: {} }, undefined],
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

  it.each(NOTICED_EVENTS)('hears at once of %s, which a webhook must have', async (type) => {
    const metadata = { source_id: 'source-1', invoice_id: 'invoice-1' };
    const { body, headers } = posted(type, { payment_intent: 'pi_1', metadata });
    expect(await gateway.readNotice?.(body, headers)).toBeDefined();
  });
});
