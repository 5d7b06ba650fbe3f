import { decimal } from '@slipstream/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeRequest, PayOutRequest, PaymentGateway } from '@slipstream/ports';
import type { FakeStripe } from './fake-stripe.js';
import { linked, outcomeOf, twoServers } from './two-servers.js';

let stripe: FakeStripe;
let one: PaymentGateway;
let other: PaymentGateway;
let asked: PayOutRequest;
let month: ChargeRequest;

beforeEach(async () => {
  ({ stripe, one, other, month } = await twoServers());
  const sourceRef = await linked(one, 'out', 'acct_1Ready');
  const first = { isAgain: false, isLookup: false };
  asked = { key: 'withdrawal-1', amount: decimal('12'), sourceRef, ...first };
});
afterEach(() => stripe.close());

const answer = (server: PaymentGateway, request: PayOutRequest): Promise<string> =>
  outcomeOf(server.payOut(request));
const lookup = (): Promise<string> => answer(other, { ...asked, isAgain: true, isLookup: true });

describe('a payout that one server sent, and another one looks up', () => {
  it('is not made when it arrives after it was said not to be', async () => {
    stripe.before('POST /v1/transfers', async () => expect(await lookup()).toBe('not_made'));
    expect(await answer(one, asked)).toBe('not_made');
    expect(stripe.transfers).toEqual([]);
    expect(await lookup()).toBe('not_made');
  });

  it('is not said not to be made when it arrives amid the question', async () => {
    stripe.before('POST /v1/customers', async () => expect(await answer(one, asked)).toBe('done'));
    expect(await lookup()).toBe('done');
    expect(stripe.transfers).toHaveLength(1);
  });

  it('is said to be refused when it was, and nobody heard', async () => {
    const mistyped = { ...asked, sourceRef: JSON.stringify({ account: 'acct_1Mistyped' }) };
    stripe.lose('/v1/transfers', 'answer');
    expect(await answer(one, mistyped)).toBe('PaymentUnreachable');
    expect(await answer(other, { ...mistyped, isAgain: true, isLookup: true })).toBe('refused');
  });

  it('is said not to be made when there is no money for it, and made when there is', async () => {
    stripe.setBalance(0);
    stripe.before('POST /v1/customers', async () => {
      stripe.setBalance(Number.MAX_SAFE_INTEGER);
      expect(await answer(one, { ...asked, isAgain: true })).toBe('done');
    });
    expect(await answer(other, { ...asked, isAgain: true })).toBe('done');
    expect(stripe.transfers).toHaveLength(1);
  });
});

describe('a charge that one server sent, and another one looks up', () => {
  const charge = (server: PaymentGateway, request: ChargeRequest): Promise<string> =>
    outcomeOf(server.charge(request));
  const found = (): Promise<string> => charge(other, { ...month, isAgain: true, isLookup: true });

  it('is not made when it arrives after it was said not to be', async () => {
    stripe.before('POST /v1/payment_intents', async () => expect(await found()).toBe('not_made'));
    expect(await charge(one, month)).toBe('PaymentUnreachable');
    expect(stripe.intents).toEqual([]);
    expect(await found()).toBe('not_made');
  });

  it('is not said not to be made when it arrives amid the question', async () => {
    stripe.before('POST /v1/customers', async () => expect(await charge(one, month)).toBe('paid'));
    expect(await found()).toBe('paid');
    expect(stripe.intents).toHaveLength(1);
  });

  it.each([
    ['a customer that is gone', '{"customer":"cus_gone","paymentMethod":"pm_1"}'],
    ['a card of another gateway', 'simulated:test_card_paid'],
  ])('was not made, and is no decline, where it was of %s', async (_, sourceRef) => {
    for (const isAgain of [false, true])
      expect(await charge(other, { ...month, sourceRef, isAgain, isLookup: true })).toBe(
        'not_made',
      );
    expect(await charge(other, { ...month, key: 'new', sourceRef })).toBe('declined');
  });
});
