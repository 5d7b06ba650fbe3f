import { DAY, id } from '@slipstream/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ChargeAnswer,
  type ChargeRequest,
  type PaymentGateway,
  PaymentUnreachable,
} from '@slipstream/ports';
import type { FakeStripe } from './fake-stripe.js';
import { NOW, linked, outcomeOf, twoServers } from './two-servers.js';

const SEARCH = 'GET /v1/payment_intents/search';

let now: number;
let stripe: FakeStripe;
let gateway: PaymentGateway;
let first: ChargeRequest;
let declinedCard: string;

beforeEach(async () => {
  now = NOW;
  ({ stripe, one: gateway, month: first } = await twoServers(() => now));
  declinedCard = await linked(gateway, 'in', 'pm_card_chargeCustomerFail');
});
afterEach(() => stripe.close());

/** An attempt to charge a month of the subscription, of the given invoice. */
const charge = (
  invoice: string,
  { month = 2, ...rest }: Partial<ChargeRequest> & { readonly month?: number } = {},
): Promise<ChargeAnswer> => {
  stripe.forgetKeys();
  return gateway.charge({
    ...first,
    key: `${invoice}-1`,
    invoiceId: id(invoice),
    paysFor: { ...first.paysFor, month },
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

  it('is found also by a server that knows another card of its payer alone', async () => {
    const forgotten = await charge('forgotten', {
      sourceRef: await linked(gateway, 'in', 'pm_card_visa'),
    });
    for (const isLookup of [true, false])
      expect(await charge(`new ${isLookup}`, { isLookup })).toEqual(forgotten);
    expect(stripe.intents).toHaveLength(1);
  });

  it.each([
    ['an account', 400, { type: 'invalid_request_error', message: 'Search is not available.' }],
    ['a key', 403, { type: 'invalid_request_error', message: 'The key has no right to it.' }],
  ])('is charged by %s that may not search', async (_, status, error) => {
    stripe.before(SEARCH, () => Promise.resolve(stripe.fail(status, error)));
    expect(await charge('new')).toMatchObject({ kind: 'paid' });
  });

  it('waits while the search does not answer', async () => {
    const busy = { type: 'api_error', message: 'later' };
    stripe.before(SEARCH, () => Promise.resolve(stripe.fail(429, busy)));
    await expect(charge('new')).rejects.toThrow(PaymentUnreachable);
    expect(stripe.intents).toEqual([]);
  });

  it.each([
    ['the first charge of a subscription', {}, 'paid'],
    ['a repeated first charge', { isAgain: true }, 'PaymentUnreachable'],
    ['another charge of a first month', { attemptsBefore: 1 }, 'PaymentUnreachable'],
    ['a first charge of a later month', { month: 2 }, 'PaymentUnreachable'],
  ])(
    'needs the search, but for a new subscription, for which a person waits: %s',
    async (_, asked, outcome) => {
      stripe.before(SEARCH, () => Promise.resolve(stripe.fail(503, { type: 'api_error' })));
      expect(await outcomeOf(charge('new', { month: 1, ...asked }))).toBe(outcome);
    },
  );

  it('is charged when the forgotten charge was declined', async () => {
    const declined = { kind: 'declined' };
    expect(await charge('forgotten', { sourceRef: declinedCard })).toMatchObject(declined);
    expect(await charge('new')).toMatchObject({ kind: 'paid' });
  });

  it('is paid when a later attempt of the forgotten invoice was, though its own attempt was declined', async () => {
    await charge('invoice', { sourceRef: declinedCard });
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
    const other = { ...first.paysFor, subscriptionId: id<'subscription'>('other'), month: 2 };
    await charge('third', { paysFor: other });
    expect(stripe.intents).toHaveLength(3);
  });
});
