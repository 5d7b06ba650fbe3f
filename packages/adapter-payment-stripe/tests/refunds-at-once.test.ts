import { decimal, id } from '@slipstream/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentGateway } from '@slipstream/ports';
import { stripeGateway } from '../src/index.js';
import { type FakeStripe, SECRET_KEY, fakeStripe } from './fake-stripe.js';

const NOW = Date.UTC(2026, 0, 5);
const MONTH = { subscriptionId: id<'subscription'>('subscription-1'), month: 1, since: NOW };
const REFUNDS = 'POST /v1/refunds';

let stripe: FakeStripe;
/** Two servers. */
let one: PaymentGateway;
let other: PaymentGateway;
let chargeRef: string;

beforeEach(async () => {
  stripe = await fakeStripe(() => NOW);
  const open = () =>
    stripeGateway({
      secretKey: SECRET_KEY,
      webhookSecret: 'whsec_local',
      clock: { now: () => NOW },
      returnUrl: 'https://slipstream.example/confirmed',
      api: stripe.api,
    });
  [one, other] = [open(), open()];
  const [sourceId, userId] = [id<'payment_source'>('source-1'), id<'user'>('user-1')];
  const linked = await one.link({ sourceId, userId, direction: 'in', token: 'pm_card_visa' });
  const paid = await one.charge({
    ...{ key: 'invoice-1-1', amount: decimal('30'), isAgain: false, isLookup: false },
    ...{ sourceRef: linked.ref, invoiceId: id('invoice-1'), paysFor: MONTH, attemptsBefore: 0 },
    ...{ description: 'Momentum, month 1', product: { id: 'strategy-1', name: 'Momentum' } },
  });
  chargeRef = paid.kind === 'paid' ? paid.ref : '';
});
afterEach(() => stripe.close());

const refund = (server: PaymentGateway, total: string) =>
  server
    .refund({ key: 'invoice-1-refund', amount: decimal(total), isAgain: false, chargeRef })
    .then(
      ({ kind }) => kind,
      (error: unknown) => (error as Error).name,
    );
const given = async (): Promise<string> => (await one.standing(chargeRef)).refunded.toFixed();

describe('a refund that was sent by one server, and arrives after', () => {
  it.each([
    ['the same of another', '10', '10'],
    ['a larger total of another', '5', '10'],
    ['a smaller total of another', '10', '5'],
  ])('%s: gives back no more than one of both asked for', async (_what, first, second) => {
    stripe.before(REFUNDS, async () => expect(await refund(other, second)).toBe('done'));
    await refund(one, first);
    expect(await given()).toBe(second);
    // Each goes on until it is answered, whatever came first.
    expect(await refund(one, first)).toBe('done');
    expect(await given()).toBe(Number(first) > Number(second) ? first : second);
  });

  it('what another one gave after a refund by hand: is not given twice', async () => {
    stripe.before(REFUNDS, async () => {
      stripe.giveBack(chargeRef, 300);
      expect(await refund(other, '10')).toBe('done');
    });
    await refund(one, '10');
    expect(await refund(one, '10')).toBe('done');
    expect(await given()).toBe('10');
  });

  it('what another one gave, and the bank sent back: is given again once', async () => {
    expect(await refund(one, '10')).toBe('done');
    stripe.failRefund();
    stripe.before(REFUNDS, async () => expect(await refund(other, '10')).toBe('done'));
    await refund(one, '10');
    expect(await given()).toBe('10');
  });
});
