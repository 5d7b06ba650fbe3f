import { DAY, decimal, id } from '@slipstream/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeAnswer, ChargeRequest, PaymentGateway } from '@slipstream/ports';
import { stripeGateway } from '../src/index.js';
import { type FakeStripe, SECRET_KEY, fakeStripe } from './fake-stripe.js';

const BEGAN = Date.UTC(2026, 0, 5);

let now: number;
let stripe: FakeStripe;
let gateway: PaymentGateway;
let cards: { readonly good: string; readonly declined: string };

beforeEach(async () => {
  now = BEGAN;
  stripe = await fakeStripe(() => now);
  gateway = stripeGateway({
    secretKey: SECRET_KEY,
    webhookSecret: 'whsec_local',
    clock: { now: () => now },
    returnUrl: 'https://slipstream.example/confirmed',
    api: stripe.api,
  });
  const [sourceId, userId] = [id<'payment_source'>('source-1'), id<'user'>('user-1')];
  const link = async (token: string) =>
    (await gateway.link({ sourceId, userId, direction: 'in', token })).ref;
  cards = {
    good: await link('pm_card_visa'),
    declined: await link('pm_card_chargeCustomerFail'),
  };
});
afterEach(() => stripe.close());

/** An attempt to charge a month of the subscription, of the given invoice. */
const charge = (
  invoice: string,
  { month = 2, ...rest }: Partial<ChargeRequest> & { readonly month?: number } = {},
): Promise<ChargeAnswer> => {
  stripe.forgetKeys();
  return gateway.charge({
    key: `${invoice}-1`,
    amount: decimal('30'),
    isAgain: false,
    isLookup: false,
    sourceRef: cards.good,
    invoiceId: id(invoice),
    paysFor: { subscriptionId: id('subscription-1'), month, since: BEGAN },
    attemptsBefore: 0,
    description: `Momentum, month ${month}`,
    product: { id: 'strategy-1', name: 'Momentum' },
    ...rest,
  });
};

/** The database of a server was restored from a copy, and bills a month anew: under the id of another invoice. */
describe('a month that was billed after the copy was made', () => {
  it('is not charged again: the charge of the forgotten invoice pays the new one', async () => {
    const forgotten = await charge('forgotten');
    now += 5 * DAY;
    expect(await charge('new')).toMatchObject({
      kind: 'paid',
      ref: (forgotten as { readonly ref?: string }).ref,
    });
    expect(stripe.intents).toHaveLength(1);
  });

  it('is found also by a server whose clock was an hour behind when it was charged', async () => {
    now -= DAY / 24;
    await charge('forgotten');
    now += DAY;
    await charge('new');
    expect(stripe.intents).toHaveLength(1);
  });

  it('is charged when the forgotten charge was declined', async () => {
    const declined = { kind: 'declined' };
    expect(await charge('forgotten', { sourceRef: cards.declined })).toMatchObject(declined);
    expect(await charge('new')).toMatchObject({ kind: 'paid' });
  });

  it('is paid when a later attempt of the forgotten invoice was, though its own attempt was declined', async () => {
    await charge('invoice', { sourceRef: cards.declined });
    await charge('invoice', { key: 'invoice-2', attemptsBefore: 1 });
    expect(await charge('invoice', { isAgain: true })).toMatchObject({ kind: 'paid' });
    expect(stripe.intents).toHaveLength(2);
  });

  it('is not called free when it is half over: the charge is found, and nothing is charged without one', async () => {
    expect(await charge('before', { isLookup: true })).toEqual({ kind: 'not_made' });
    await charge('forgotten');
    expect(await charge('new', { isLookup: true })).toMatchObject({ kind: 'paid' });
    expect(stripe.intents).toHaveLength(1);
  });
});

describe('the charges of other months and subscriptions', () => {
  it('pay for nothing else', async () => {
    await charge('first', { month: 1 });
    await charge('second', { month: 2 });
    const other = { subscriptionId: id<'subscription'>('other'), month: 2, since: BEGAN };
    await charge('third', { paysFor: other });
    expect(stripe.intents).toHaveLength(3);
  });
});
