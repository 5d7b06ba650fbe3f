import {
  type GatewayFaults,
  type SimulatedGateway,
  gatewayFaults,
  simulatedGateway,
} from '@slipstream/adapter-payment-simulated';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import type { PaymentGateway } from '@slipstream/ports';
import {
  type InvoiceStatus,
  type StrategyId,
  type Subscription,
  type Withdrawal,
  decimal,
} from '@slipstream/domain';
import type { Caller, InvoiceView, UserCaller } from '../../src/index.js';
import { PASSWORD, codeIn } from '../accounts.js';
import { type Fixture, fixture } from '../fixture.js';

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 31, 12);

export const DETAILS = {
  name: 'Ada Lovelace',
  city: 'London',
  country: 'GB',
  lineOne: '12 St James Square',
  lineTwo: '',
  district: '',
  postal: 'SW1Y 4JH',
};

const CHOSEN: ReadonlySet<string> = new Set([
  'Confirm your e-mail address',
  'A payment is complete',
  'A new subscriber',
]);

export interface BillingWorld extends Fixture {
  readonly gateway: SimulatedGateway;
  readonly faults: GatewayFaults;
  /** Everything that was logged, as text. */
  readonly logged: string[];
  user(name: string): Promise<UserCaller>;
  /** A user whose address is confirmed. */
  confirmed(name: string): Promise<UserCaller>;
  /** What the user was told always, oldest first. */
  toldAlways(caller: Caller): Promise<string[]>;
  /** The subjects of what was mailed to the user so far, sign-up and chosen notices apart. */
  mailed(name: string): Promise<string[]>;
  /** A strategy that costs `price` USD a month. */
  priced(owner: Caller, price?: number): Promise<StrategyId>;
  /** Adds a payment source by its token, as the primary one. */
  pay(caller: Caller, token: string): Promise<string>;
  subscribe(caller: Caller, strategyId: StrategyId): Promise<Subscription>;
  /** With the password. */
  withdraw(caller: Caller, amount: string): Promise<Withdrawal>;
  subscription(caller: Caller): Promise<Subscription>;
  /** The newest one. */
  invoice(caller: Caller, status?: InvoiceStatus): Promise<InvoiceView>;
  /** Lets time go by, a day at a time, and does what is due. */
  days(count: number): Promise<void>;
  balance(caller: Caller): Promise<readonly [balance: string, settled: string]>;
}

/** The core with simulated payments, or another gateway, at noon of January 31st. */
export async function billingWorld(
  other?: PaymentGateway,
  clock = fixedClock(START),
): Promise<BillingWorld> {
  const faults = gatewayFaults();
  const gateway = simulatedGateway({ clock, faults });
  const logged: string[] = [];
  const note = (fields: unknown, message: string) =>
    void logged.push(`${JSON.stringify(fields)} ${message}`);
  const world = await fixture({
    clock,
    paymentGateway: other ?? gateway,
    log: { info: note, warn: note, error: note },
    ...testSecrets(),
  });
  const { app } = world;
  const user = async (name: string) => (await world.user(name)) as UserCaller;
  const mailsTo = async (name: string) => {
    for (let rounds = 0; rounds < 5; rounds += 1) await app.sendMails();
    return world.ports.mailer.sent.filter(({ to }) => to === `${name}@example.com`);
  };
  const first = <Item>(items: readonly Item[]): Item => {
    const [item] = items;
    if (!item) throw new Error('there is none');
    return item;
  };
  return {
    ...world,
    gateway,
    faults,
    logged,
    user,
    confirmed: async (name) => {
      const made = await user(name);
      const [mail] = await mailsTo(name);
      await app.confirmEmail(made, { code: codeIn(mail) });
      return made;
    },
    toldAlways: async (caller) =>
      (await app.getNotifications(caller, {}))
        .filter(({ type }) => type === 'account')
        .map(({ text }) => text)
        .reverse(),
    mailed: async (name) =>
      (await mailsTo(name)).map(({ subject }) => subject).filter((one) => !CHOSEN.has(one)),
    priced: async (owner, price = 15) =>
      (await app.newStrategy(owner, { type: 'stock', name: 'Momentum', price })).strategy.id,
    pay: async (caller, token) => {
      const direction = token === 'test_bank' ? 'out' : 'in';
      const proof = direction === 'out' ? { password: PASSWORD } : {};
      const command = { token, direction, primary: true, details: DETAILS, ...proof } as const;
      return (await app.newPaymentSource(caller, command)).source.id;
    },
    subscribe: async (caller, strategyId) => {
      const [view] = await app.getStrategies(caller, { strategyIds: [strategyId] });
      const price = view?.strategy.price;
      return app.newStrategySubscription(caller, { strategyId, price });
    },
    withdraw: (caller, amount) =>
      app.newWithdrawal(caller, { amount: decimal(amount), password: PASSWORD }),
    subscription: async (caller) => first(await app.getStrategySubscriptions(caller, {})),
    invoice: async (caller, status) => first(await app.getInvoices(caller, { status })),
    days: async (count) => {
      for (let day = 0; day < count; day += 1) {
        clock.advance(DAY);
        await app.runBilling();
      }
    },
    balance: async (caller) => {
      const { balance, settledBalance } = await app.getWithdrawals(caller, {});
      return [balance.toFixed(), settledBalance.toFixed()];
    },
  };
}
