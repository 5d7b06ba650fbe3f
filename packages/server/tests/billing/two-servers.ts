import { openMemory } from '@slipstream/adapter-memory';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { DAY, ONLY_BY_NAME } from '@slipstream/domain';
import {
  type FakeStripe,
  SECRET_KEY,
  fakeStripe,
} from '../../../adapter-payment-stripe/tests/fake-stripe.js';
import { type ComposedServer, IN_SESSION, composedServer } from '../helpers/composed-server.js';

export const PASSWORD = 'correct horse battery';
const ADDRESS = { name: 'A', city: 'C', country: 'GB', line_one: 'L', postal: 'P' };

/** Two servers over one storage, at Stripe: one that is slow, and one that took its place. */
export interface TwoServers {
  readonly stripe: FakeStripe;
  readonly one: ComposedServer;
  readonly other: ComposedServer;
  readonly owner: string;
  readonly payer: string;
  readonly strategy_id: string;
  /** So many days go by, and the first does what is due on each. */
  days(count: number): Promise<void>;
  balance(): Promise<string>;
  close(): Promise<void>;
}

/** An owner with an account at Stripe, whose strategy costs 30 USD a month, and who follows it by card. */
export async function twoServers(): Promise<TwoServers> {
  const clock = fixedClock(IN_SESSION);
  const stripe = await fakeStripe(clock.now);
  const unitOfWork = openMemory();
  const open = () =>
    composedServer({
      clock,
      environment: {
        ...{ STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_WEBHOOK_SECRET: 'whsec_1' },
        STRIPE_URL: `http://127.0.0.1:${stripe.api.port}`,
      },
      adapters: { unitOfWork },
    });
  const one = await open();
  const account = { email: 'owner@example.com', password: PASSWORD };
  await one.ask('newUser', account);
  const { token: session } = await one.ask('newSession', account);
  const lasting = { name: 'all', scope: ['*', ...ONLY_BY_NAME] };
  const { token: owner } = await one.ask('newToken', lasting, session);
  const payer = await one.user('payer');
  const priced = { type: 'stock', name: 'A', price: 30 };
  const { strategy_id } = await one.ask('newStrategy', priced, owner);
  const bank = { token: 'acct_1Ready', direction: 'out', ...ADDRESS, password: PASSWORD };
  await one.ask('newPaymentSource', bank, owner);
  await one.ask('newPaymentSource', { token: 'pm_card_visa', ...ADDRESS }, payer);
  await one.ask('newStrategySubscription', { strategy_id, price: 30 }, payer);
  const other = await open();
  return {
    ...{ stripe, one, other, owner, payer, strategy_id },
    async days(count) {
      for (let day = 0; day < count; day += 1) {
        clock.advance(DAY);
        await one.application.background.runBilling();
      }
    },
    balance: async () => (await one.ask('getWithdrawals', {}, owner)).balance,
    async close() {
      await one.close();
      await other.close();
      await stripe.close();
    },
  };
}
