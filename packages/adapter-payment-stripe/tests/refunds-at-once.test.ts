import { decimal } from '@slipstream/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentGateway } from '@slipstream/ports';
import type { FakeStripe } from './fake-stripe.js';
import { outcomeOf, twoServers } from './two-servers.js';

const REFUNDS = 'POST /v1/refunds';

let stripe: FakeStripe;
let one: PaymentGateway;
let other: PaymentGateway;
let chargeRef: string;

beforeEach(async () => {
  const servers = await twoServers();
  ({ stripe, one, other } = servers);
  const paid = await one.charge(servers.month);
  chargeRef = paid.kind === 'paid' ? paid.ref : '';
});
afterEach(() => stripe.close());

const refund = (server: PaymentGateway, total: string): Promise<string> =>
  outcomeOf(
    server.refund({ key: 'invoice-1-refund', amount: decimal(total), isAgain: false, chargeRef }),
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
