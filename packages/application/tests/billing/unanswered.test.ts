import { describe, expect, it } from '@jest/globals';
import { PaymentUnreachable } from '@slipstream/ports';
import { type BillingWorld, DAY, DETAILS, billingWorld } from './billing-world.js';

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
