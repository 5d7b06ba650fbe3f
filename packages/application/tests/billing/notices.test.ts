import { beforeEach, describe, expect, it } from '@jest/globals';
import { type InvoiceId, ZERO, chargeRefOf, refundedOf, statusOf } from '@slipstream/domain';
import type { UserCaller } from '../../src/index.js';
import { type BillingWorld, billingWorld } from './billing-world.js';

let world: BillingWorld;
let payer: UserCaller;
let charges: string[];

/** A gateway that posts a notice of each charge, as Stripe does: the body is the invoice's id. */
async function noticingWorld(): Promise<BillingWorld> {
  const { gateway } = await billingWorld();
  charges = [];
  return billingWorld({
    ...gateway,
    charge: async (request) => {
      charges.push(request.key);
      return gateway.charge(request);
    },
    readNotice: async (body) => ({ kind: 'charge_decided', invoiceId: body as InvoiceId }),
  });
}

async function subscribedWith(card: string): Promise<void> {
  await world.pay(payer, card);
  await world.subscribe(payer, await world.priced(await world.user('owner')));
}

/** The gateway posts late, twice and in any order. */
async function notices(count = 3): Promise<void> {
  const { invoice } = await world.invoice(payer);
  for (let posted = 0; posted < count; posted += 1)
    await world.app.handlePaymentWebhook(invoice.id, {});
}

const standing = async () => {
  const { invoice } = await world.invoice(payer);
  return [statusOf(invoice), invoice.attempts, (await world.subscription(payer)).status];
};

beforeEach(async () => {
  world = await noticingWorld();
  payer = await world.user('payer');
});

describe('a notice that a charge was decided', () => {
  it.each([
    ['test_card_paid', ['paid', 1, 'active']],
    ['test_card_declined', ['failed', 1, 'past_due']],
    ['test_card_retried', ['failed', 1, 'past_due']],
  ] as const)('makes no other attempt before its time: %s', async (card, expected) => {
    await subscribedWith(card);
    await notices();
    expect(await standing()).toEqual(expected);
    expect(charges).toHaveLength(1);
  });

  it('leaves the three attempts where they are: at once, after three days and after seven', async () => {
    await subscribedWith('test_card_declined');
    const seen: unknown[] = [];
    for (const days of [2, 1, 3, 1, 5]) {
      await world.days(days);
      await notices();
      seen.push((await standing())[1]);
    }
    expect(seen).toEqual([1, 2, 2, 3, 3]);
    expect((await world.subscription(payer)).status).toBe('cancelled');
  });

  it('asks for the answer of a charge at once, with the same key, if that is not known', async () => {
    world.faults.on('charge', 'lost_answer');
    await subscribedWith('test_card_paid');
    await notices();
    expect(await standing()).toEqual(['paid', 1, 'active']);
    expect(new Set(charges).size).toBe(1);
  });

  it('does not hinder a retry that its payer asks for', async () => {
    await subscribedWith('test_card_retried');
    await notices();
    const { invoice } = await world.invoice(payer);
    await world.app.retryInvoice(payer, { invoiceId: invoice.id });
    expect(await standing()).toEqual(['paid', 2, 'active']);
  });
});

describe('a notice that a refund failed after it was made', () => {
  it('has it owed again, and asked for a day later', async () => {
    const { gateway } = await billingWorld();
    let [asked, failed] = [0, false];
    world = await billingWorld({
      ...gateway,
      refund: (request) => {
        asked += 1;
        return gateway.refund(request);
      },
      standing: async (chargeRef) => {
        const stands = await gateway.standing(chargeRef);
        return failed ? { ...stands, refunded: ZERO, hasFailedRefund: true } : stands;
      },
      readNotice: async (chargeRef) => ({ kind: 'charge_changed', chargeRef }),
    });
    const owner = await world.user('owner');
    payer = await world.user('payer');
    const strategyId = await world.priced(owner);
    await world.pay(payer, 'test_card_paid');
    await world.subscribe(payer, strategyId);
    await world.app.deleteStrategy(owner, { strategyId });
    await world.days(1);
    const { invoice } = await world.invoice(payer);
    failed = true;
    await world.app.handlePaymentWebhook(chargeRefOf(invoice) ?? '', {});
    failed = false;
    const { invoice: owing } = await world.invoice(payer);
    expect([owing.state.kind, refundedOf(owing).toFixed()]).toEqual(['refunding', '15']);
    expect(world.logged.join()).toContain('a refund failed after it was made');
    await world.days(2);
    expect([asked, (await world.invoice(payer)).invoice.state.kind]).toEqual([2, 'paid']);
    expect(await world.balance(owner)).toEqual(['0', '0']);
  });
});
