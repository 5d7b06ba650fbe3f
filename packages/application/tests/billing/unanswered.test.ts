import { describe, expect, it } from '@jest/globals';
import { simulatedGateway } from '@slipstream/adapter-payment-simulated';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { addMonths, chargeRefOf, statusOf } from '@slipstream/domain';
import {
  type ChargeRequest,
  ChargeUnknown,
  type PaymentGateway,
  PaymentUnreachable,
} from '@slipstream/ports';
import { actingGateway } from './acting-gateway.js';
import { type BillingWorld, DAY, DETAILS, START, billingWorld } from './billing-world.js';

const MINUTE = 60_000;

type Asked = 'charge' | 'refund' | 'standing' | 'payOut' | 'confirmation';

/** A gateway that from some moment on answers nothing of one kind, and counts how often it is asked. */
async function deafTo(method: Asked) {
  const { gateway } = await billingWorld();
  const deaf = { since: false, asked: 0 };
  const silent = async (): Promise<never> => {
    deaf.asked += 1;
    throw new PaymentUnreachable('nobody answers');
  };
  const heard = gateway[method].bind(gateway) as (request: unknown) => Promise<never>;
  const other = (request: unknown) => (deaf.since ? silent() : heard(request));
  const world = await billingWorld({ ...gateway, [method]: other });
  return { world, deaf };
}

/** Makes the thing about which that is asked, due now. */
const dueThings: Readonly<Record<Asked, (world: BillingWorld, hush: () => void) => Promise<void>>> =
  {
    charge: async (world, hush) => {
      const [owner, payer] = [await world.user('owner'), await world.user('payer')];
      await world.pay(payer, 'test_card_paid');
      hush();
      await world.subscribe(payer, await world.priced(owner));
    },
    refund: async (world, hush) => {
      const [owner, payer] = [await world.user('owner'), await world.user('payer')];
      await world.pay(payer, 'test_card_paid');
      const strategyId = await world.priced(owner);
      await world.subscribe(payer, strategyId);
      hush();
      await world.app.deleteStrategy(owner, { strategyId });
      await world.app.runBilling();
    },
    standing: async (world, hush) => {
      const [owner, payer] = [await world.user('owner'), await world.user('payer')];
      await world.pay(payer, 'test_card_chargeback_late');
      const strategyId = await world.priced(owner);
      await world.subscribe(payer, strategyId);
      await world.app.deleteStrategySubscription(payer, { strategyId });
      hush();
      world.ports.clock.advance(60 * DAY);
      await world.app.runBilling();
    },
    payOut: async (world, hush) => {
      const [owner, payer] = [await world.user('owner'), await world.user('payer')];
      await world.pay(owner, 'test_bank');
      await world.pay(payer, 'test_card_paid');
      await world.subscribe(payer, await world.priced(owner));
      await world.days(35);
      await world.withdraw(owner, '12');
      hush();
      world.ports.clock.advance(60 * MINUTE);
      await world.app.runBilling();
    },
    confirmation: async (world, hush) => {
      const payer = await world.user('payer');
      await world.app.newPaymentSource(payer, { token: 'test_card_confirm', details: DETAILS });
      hush();
      world.ports.clock.advance(MINUTE);
      await world.app.runBilling();
    },
  };

describe('what the gateway does not answer', () => {
  it.each(Object.keys(dueThings) as Asked[])(
    'is asked for again each minute, and not before: %s',
    async (method) => {
      const { world, deaf } = await deafTo(method);
      await dueThings[method](world, () => {
        deaf.since = true;
      });
      expect(deaf.asked).toBe(1);
      const seen: number[] = [];
      for (const later of [0, MINUTE - 1, 1, MINUTE - 1, 1]) {
        world.ports.clock.advance(later);
        await world.app.runBilling();
        seen.push(deaf.asked);
      }
      expect(seen).toEqual([1, 1, 2, 2, 3]);
    },
  );
});

describe('a charge that the gateway does not know', () => {
  it('is asked for as one that it knows for half a year, and stays as it is: it may be of another account', async () => {
    const clock = fixedClock(START);
    const { gateway } = actingGateway(clock);
    const asked: number[] = [];
    let isOther = false;
    const world = await billingWorld(
      {
        ...gateway,
        standing: async (chargeRef) => {
          asked.push((clock.now() - START) / DAY);
          if (isOther) throw new ChargeUnknown('it is not mine');
          return gateway.standing(chargeRef);
        },
      },
      clock,
    );
    const [owner, payer] = [await world.user('owner'), await world.user('payer')];
    await world.pay(payer, 'test_card_paid');
    const strategyId = await world.priced(owner);
    await world.subscribe(payer, strategyId);
    await world.app.deleteStrategySubscription(payer, { strategyId });
    isOther = true;
    await world.days(300);
    const { invoice } = await world.invoice(payer);
    expect([statusOf(invoice), await world.balance(owner)]).toEqual(['paid', ['12', '12']]);
    expect(asked).toEqual([1, 2, 4, 8, 16, 30, 44, 58, 72, 86, 100, 114, 128, 142, 156, 170, 184]);
    expect(world.logged.filter((line) => line.includes('another account'))).toHaveLength(17);
    // A notice is not refused for it, or the gateway would post it again and again.
    await world.app.handlePaymentWebhook(chargeRefOf(invoice) ?? '', {});
    expect(asked).toHaveLength(18);
  });
});

/** The gateway charged the second month for a database whose copy, from before that, is used now. */
async function restored(card: string, daysAway: number) {
  const clock = fixedClock(START);
  const simulated = simulatedGateway({ clock });
  const asked: ChargeRequest[] = [];
  let isKnown = false;
  const gateway: PaymentGateway = {
    ...simulated,
    async charge(request) {
      asked.push(request);
      if (!isKnown || request.paysFor.month !== 2) return simulated.charge(request);
      return { kind: 'paid', ref: 'charge-of-month-2', checkAgainAt: null };
    },
  };
  const world = await billingWorld(gateway, clock);
  const payer = await world.user('payer');
  await world.pay(payer, 'test_card_paid');
  const strategyId = await world.priced(await world.user('owner'));
  await world.subscribe(payer, strategyId);
  await world.pay(payer, card);
  await world.days(28);
  isKnown = true;
  clock.advance(daysAway * DAY);
  await world.app.runBilling();
  const months = (await world.app.getInvoices(payer, {})).map(
    ({ invoice }) => [invoice.month, statusOf(invoice)] as const,
  );
  return { ...world, payer, asked, months };
}

describe('a month that the gateway charged and the database does not know as paid', () => {
  it('is paid by that charge at the next attempt', async () => {
    const { months, subscription, payer } = await restored('test_card_declined', 4);
    expect(months[0]).toEqual([2, 'paid']);
    expect((await subscription(payer)).status).toBe('active');
  });

  it('is paid by it also when the month is half over and nothing is charged any more', async () => {
    const { months, asked } = await restored('test_card_declined', 25);
    expect(months).toContainEqual([2, 'paid']);
    expect(asked.at(-1)).toMatchObject({ isLookup: true, isAgain: false });
  });
});

describe('a request for a charge', () => {
  it('says which month it pays, and from when charges can be for it', async () => {
    const { asked, payer, subscription } = await restored('test_card_paid', 0);
    const { id: subscriptionId } = await subscription(payer);
    expect(asked.map(({ paysFor }) => paysFor)).toEqual([
      { subscriptionId, month: 1, since: START },
      { subscriptionId, month: 2, since: addMonths(START, 1) },
    ]);
  });
});
