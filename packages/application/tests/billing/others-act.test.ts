import { describe, expect, it } from '@jest/globals';
import {
  DAY,
  type Decimal,
  type Invoice,
  type StrategyId,
  type Subscription,
  type UserId,
  ZERO,
  addMonths,
  chargeRefOf,
  decimal,
  isHalfOver,
  refundedOf,
  remainderOf,
  statusOf,
  sum,
} from '@slipstream/domain';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import fc from 'fast-check';
import type { UserCaller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import {
  type ActingGateway,
  type GatewayCharge,
  actingGateway,
  takenOf,
} from './acting-gateway.js';
import { type BillingWorld, DETAILS, START, billingWorld } from './billing-world.js';

const EVERYTHING = { limit: 1_000_000 };
const CARDS = [
  'test_card_paid',
  'test_card_paid',
  'test_card_declined',
  'test_card_retried',
  'test_card_confirm',
] as const;

const DOINGS = [
  ...['subscribe', 'subscribe', 'subscribe', 'end', 'exclude', 'delete strategy', 'price'],
  ...['card', 'remove source', 'retry', 'withdraw', 'take back', 'delete user', 'fault'],
  ...['refund', 'dispute', 'win', 'lose', 'refund fails', 'close', 'empty', 'notice'],
  ...['days', 'days', 'days', 'days', 'hours', 'outage'],
] as const;

const act = fc.record({
  what: fc.constantFrom(...DOINGS),
  who: fc.nat(3),
  which: fc.nat(7),
  part: fc.integer({ min: 1, max: 100 }),
  days: fc.constantFrom(1, 1, 3, 8, 16, 31),
  /** How often the gateway tells it. */
  notices: fc.nat(2),
  /** Whether the next one happens at the same time. */
  atOnce: fc.boolean(),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

interface Person {
  caller: UserCaller;
}

interface Market {
  readonly world: BillingWorld;
  readonly side: ActingGateway;
  readonly people: Person[];
  /** Also those whose account is deleted. */
  readonly everybody: UserId[];
  readonly strategies: { owner: Person; id: StrategyId; isPrivate: boolean }[];
}

/** Two who sell and buy, and two who buy. */
async function openMarket(): Promise<Market> {
  const clock = fixedClock(START);
  const side = actingGateway(clock);
  const world = await billingWorld(side.gateway, clock);
  const people: Person[] = [];
  const market: Market = { world, side, people, everybody: [], strategies: [] };
  for (const n of [0, 1, 2, 3]) people.push({ caller: await join(market, n) });
  for (const [n, price] of [7, 30, 100].entries())
    await sell(market, people[n % 2] as Person, price, n === 2);
  return market;
}

async function join({ world, everybody }: Market, n: number): Promise<UserCaller> {
  const caller = await world.user(`person${n}-${everybody.length}`);
  everybody.push(caller.userId);
  await world.pay(caller, 'test_card_paid');
  if (n < 2) await world.pay(caller, 'test_bank');
  return caller;
}

async function sell(market: Market, owner: Person, price: number, isPrivate: boolean) {
  const { world, people, strategies } = market;
  const id = await world.priced(owner.caller, price);
  const invitedUserIds = people.map(({ caller }) => caller.userId);
  if (isPrivate)
    await world.app.updateStrategy(owner.caller, { strategyId: id, private: true, invitedUserIds });
  strategies.push({ owner, id, isPrivate });
}

/** What a caller may be told no to; anything else fails the test. */
const orRefused = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if ((error as Error).name === 'Refusal') return false;
      throw error;
    },
  );

const pick = <Item>(items: readonly Item[], place: number): Item | undefined =>
  items[place % Math.max(1, items.length)];

const shareOf = (amount: Decimal, percent: number): Decimal =>
  amount
    .times(decimal(String(percent)))
    .times(decimal('0.01'))
    .round(2);

async function perform(market: Market, { what, who, which, part, days, notices }: Act) {
  const { world, side, people, strategies } = market;
  const { app } = world;
  const person = people[who] as Person;
  const { caller } = person;
  const strategy = pick(strategies, which) as (typeof strategies)[number];
  const charge = pick([...side.charges.values()], which);
  const told = async (of: GatewayCharge): Promise<void> => {
    for (let count = 0; count < notices; count += 1)
      await app.handlePaymentWebhook(of.ref, {}).catch((error: unknown) => {
        if ((error as Error).name !== 'PaymentUnreachable') throw error;
      });
  };
  const free = (of: GatewayCharge): Decimal => of.amount.minus(of.given);
  switch (what) {
    case 'subscribe':
      return orRefused(world.subscribe(caller, strategy.id));
    case 'end':
      return orRefused(app.deleteStrategySubscription(caller, { strategyId: strategy.id }));
    case 'exclude': {
      const { userId } = caller;
      const given = { strategyId: strategy.id, userId };
      if (userId === strategy.owner.caller.userId) return undefined;
      return orRefused(app.deleteStrategySubscription(strategy.owner.caller, given));
    }
    case 'delete strategy': {
      const { owner, id: strategyId, isPrivate } = strategy;
      if (await orRefused(app.deleteStrategy(owner.caller, { strategyId }))) {
        strategies.splice(strategies.indexOf(strategy), 1);
        await sell(market, owner, part, isPrivate);
      }
      return undefined;
    }
    case 'price':
      // Its owner may be deleted at the same time.
      return orRefused(
        app.updateStrategy(strategy.owner.caller, {
          strategyId: strategy.id,
          price: part % 3 === 0 ? 0 : part,
        }),
      );
    case 'card':
      return orRefused(
        app.newPaymentSource(caller, {
          token: CARDS[which % CARDS.length] ?? '',
          primary: part > 30,
          details: DETAILS,
        }),
      );
    case 'remove source': {
      const source = pick(await app.getPaymentSources(caller), which);
      return source && orRefused(app.deletePaymentSource(caller, { sourceId: source.source.id }));
    }
    case 'retry': {
      const [failed] = await app.getInvoices(caller, { status: 'failed' });
      return failed && orRefused(app.retryInvoice(caller, { invoiceId: failed.invoice.id }));
    }
    case 'withdraw': {
      const { settledBalance } = await app.getWithdrawals(caller, {});
      const share = settledBalance.times(decimal(`0.${String(part).padStart(2, '0')}`)).round(2, 0);
      if (share.lte(ZERO)) return undefined;
      return orRefused(app.newWithdrawal(caller, { amount: share, password: PASSWORD }));
    }
    case 'take back': {
      const { withdrawals } = await app.getWithdrawals(caller, {});
      const one = pick(withdrawals, which);
      return one && orRefused(app.deleteWithdrawal(caller, { withdrawalId: one.id }));
    }
    case 'delete user': {
      if (!(await orRefused(app.deleteUser(caller, { password: PASSWORD })))) return undefined;
      person.caller = await join(market, who);
      for (const one of [...strategies].filter(({ owner }) => owner === person)) {
        strategies.splice(strategies.indexOf(one), 1);
        await sell(market, person, part, one.isPrivate);
      }
      return undefined;
    }
    case 'fault':
      return side.faults.push(part % 2 === 0 ? 'lost_answer' : 'lost_request');
    case 'refund': {
      if (!charge || charge.dispute === 'open' || charge.dispute === 'lost') return undefined;
      charge.given = charge.given.plus(shareOf(free(charge), part));
      return told(charge);
    }
    case 'dispute':
      if (charge?.dispute !== 'none' || free(charge).lte(ZERO)) return undefined;
      charge.dispute = 'open';
      // Many banks dispute the whole charge.
      charge.disputed = part > 50 ? charge.amount : shareOf(free(charge), part);
      return told(charge);
    case 'win':
    case 'lose':
      if (charge?.dispute !== 'open') return undefined;
      charge.dispute = what === 'win' ? 'won' : 'lost';
      return told(charge);
    case 'refund fails':
      if (!charge?.given.gt(ZERO)) return undefined;
      charge.given = ZERO;
      charge.hasFailed = true;
      return told(charge);
    case 'close':
      side.isClosed = part < 50;
      return undefined;
    case 'empty':
      side.isEmpty = part < 70;
      return undefined;
    case 'notice':
      return charge && told(charge);
    case 'days':
      return world.days(days);
    case 'hours':
    case 'outage':
      world.ports.clock.advance(what === 'hours' ? part * 60_000 : days * DAY);
      return app.runBilling();
  }
}

/** Every invoice with its rows, and every withdrawal. */
const records = ({ world, everybody }: Market) =>
  world.ports.unitOfWork.read(async ({ invoices, earnings, withdrawals, subscriptions }) => {
    const lists = await Promise.all(
      everybody.map(async (id) => ({
        invoices: await invoices.list(id, {}, EVERYTHING),
        earnings: await earnings.list(id, EVERYTHING),
        withdrawals: await withdrawals.list(id, EVERYTHING),
        subscriptions: await subscriptions.listOfUser(id, EVERYTHING),
      })),
    );
    return {
      invoices: lists.flatMap((list) => list.invoices),
      earnings: lists.flatMap((list) => list.earnings),
      withdrawals: lists.flatMap((list) => list.withdrawals),
      subscriptions: lists.flatMap((list) => list.subscriptions),
    };
  });

/** To the cent at any time, whatever the service knows of the gateway so far. */
async function checkAlways(market: Market): Promise<void> {
  const { invoices, earnings, withdrawals, subscriptions } = await records(market);
  for (const invoice of invoices) {
    const own = earnings.filter(({ invoiceId }) => invoiceId === invoice.id);
    const left = sum(own.map((row) => row.amount.plus(row.commission)));
    expect([invoice.id, left.toFixed()]).toEqual([invoice.id, remainderOf(invoice).toFixed()]);
    expect(sum(own.map(({ amount }) => amount)).gte(ZERO)).toBe(true);
    expect(sum(own.map(({ commission }) => commission)).gte(ZERO)).toBe(true);
  }
  for (const withdrawal of withdrawals) {
    const rows = earnings.filter(({ withdrawalId }) => withdrawalId === withdrawal.id);
    const isBack = withdrawal.status === 'failed' || withdrawal.status === 'cancelled';
    const out = isBack ? ZERO : withdrawal.amount;
    expect(sum(rows.map(({ amount }) => amount)).toFixed()).toBe(ZERO.minus(out).toFixed());
    const paidOut = market.side.paidOut.get(withdrawal.id);
    if (withdrawal.status === 'paid') expect(paidOut?.toFixed()).toBe(withdrawal.amount.toFixed());
    else if (withdrawal.status !== 'processing') expect(paidOut).toBeUndefined();
  }
  for (const subscription of subscriptions) {
    const { id, status, price, renewsAt } = subscription;
    const own = invoices.filter(({ subscriptionId }) => subscriptionId === id);
    checkMonths(subscription, own, market.world.ports.clock.now());
    const opens = status === 'active' || (status === 'past_due' && renewsAt !== null);
    if (price > 0 && opens) expect(own.some((one) => statusOf(one) === 'paid')).toBe(true);
    if (opens) expect(own.some((one) => statusOf(one) === 'chargeback')).toBe(false);
    const open = own.filter(({ state }) => ['due', 'charging', 'retrying'].includes(state.kind));
    expect(open.length).toBeLessThanOrEqual(1);
    if (status === 'cancelled')
      expect(open.every(({ state }) => state.kind === 'charging')).toBe(true);
  }
  for (const { given, amount } of market.side.charges.values())
    expect(given.lte(amount)).toBe(true);
}

const BY_OTHERS = ['the strategy was deleted', 'the owner of the strategy ended it'];

/** Nobody looks at a month that failed, and whose month others ended has the unused days back. */
function checkMonths(
  { status, statusReason, endsAt }: Subscription,
  invoices: readonly Invoice[],
  now: number,
): void {
  const newest = invoices.toSorted((a, b) => a.month - b.month).at(-1);
  if (status === 'active' && newest && statusOf(newest) === 'failed')
    expect(isHalfOver(newest, now)).toBe(true);
  if (!BY_OTHERS.includes(statusReason ?? '') || endsAt === null) return;
  for (const invoice of invoices) {
    const { amount, anchorAt, month } = invoice;
    if (statusOf(invoice) !== 'paid' || anchorAt === null || anchorAt > endsAt) continue;
    const [from, until] = [addMonths(anchorAt, month - 1), addMonths(anchorAt, month)];
    const unused = Math.max(0, Math.floor((until - endsAt) / DAY));
    const cents = Math.ceil((Number(amount.toFixed()) * 100 * unused) / ((until - from) / DAY));
    expect(Number(refundedOf(invoice).times(decimal('100')).toFixed())).toBeGreaterThanOrEqual(
      cents,
    );
  }
}

/** Once everything is told: the tables are what the gateway has. */
async function checkAtRest(market: Market): Promise<void> {
  const { invoices, earnings } = await records(market);
  for (const charge of market.side.charges.values()) {
    const { ref, given, amount } = charge;
    const taken = takenOf(charge);
    const invoice = invoices.find((one) => chargeRefOf(one) === ref);
    expect([ref, invoice && statusOf(invoice)]).toEqual([
      ref,
      taken.gt(ZERO) ? 'chargeback' : 'paid',
    ]);
    if (!invoice) continue;
    expect([ref, refundedOf(invoice).toFixed()]).toEqual([ref, given.toFixed()]);
    const own = earnings.filter(({ invoiceId }) => invoiceId === invoice.id);
    const left = sum(own.map((row) => row.amount.plus(row.commission)));
    // What is owed beside a dispute is no earning either.
    const owed = 'owed' in invoice.state ? invoice.state.owed : null;
    if (!owed)
      expect([ref, left.toFixed()]).toEqual([ref, amount.minus(given).minus(taken).toFixed()]);
    else if (charge.dispute === 'lost')
      expect([ref, given.plus(taken).gte(owed.total)]).toEqual([ref, true]);
  }
  expect(invoices.filter((one) => chargeRefOf(one) !== null)).toHaveLength(
    market.side.charges.size,
  );
}

/** The first strategy has been followed for ten days. */
async function openFollowed() {
  const market = await openMarket();
  const { world, side, people, strategies } = market;
  const [{ owner, id: strategyId }] = strategies as [(typeof strategies)[number]];
  const follower = people[3] as Person;
  await world.subscribe(follower.caller, strategyId);
  await world.days(10);
  const [charge] = [...side.charges.values()] as [GatewayCharge];
  return { market, world, side, owner, strategyId, follower, charge };
}

describe('a dispute of a part of a payment', () => {
  it('takes that part from the earning, and the rest is kept', async () => {
    const { market, world, follower, charge } = await openFollowed();
    Object.assign(charge, { dispute: 'lost', disputed: decimal('2') });
    await world.days(2);
    const { invoice } = await world.invoice(follower.caller);
    expect([statusOf(invoice), invoice.amount.toFixed()]).toEqual(['chargeback', '7']);
    const rows = (await records(market)).earnings.filter(
      ({ invoiceId }) => invoiceId === invoice.id,
    );
    expect(sum(rows.map(({ amount }) => amount)).toFixed()).toBe('4');
    expect(sum(rows.map(({ commission }) => commission)).toFixed()).toBe('1');
  });
});

describe('a refund that is owed when a part of the payment is disputed', () => {
  it.each([
    ['2', 'lost', '2.5'],
    ['2', 'won', '4.5'],
    ['6', 'lost', '0'],
  ] as const)('of %s which is %s: refunds %s', async (part, end, refunded) => {
    const { market, world, side, owner, strategyId, follower, charge } = await openFollowed();
    side.faults.push('lost_request');
    await world.app.deleteStrategy(owner.caller, { strategyId });
    Object.assign(charge, { dispute: 'open', disputed: decimal(part) });
    await world.days(3);
    expect(charge.given.toFixed()).toBe('0');
    charge.dispute = end;
    side.faults.push('lost_answer', 'lost_request', 'lost_answer');
    await world.days(5);
    const { invoice } = await world.invoice(follower.caller);
    expect([charge.given.toFixed(), refundedOf(invoice).toFixed()]).toEqual([refunded, refunded]);
    await checkAtRest(market);
    if (end === 'won') return;
    // It comes back from a closed card, and is owed again beside the dispute.
    Object.assign(charge, { given: decimal('0'), hasFailed: true });
    await world.days(3);
    expect(charge.given.toFixed()).toBe(refunded);
    await checkAtRest(market);
  });
});

describe('a refund that the gateway refuses, because the charge is disputed', () => {
  it('takes the whole earning, although no notice of the dispute came', async () => {
    const { world, side, owner, strategyId, follower, charge } = await openFollowed();
    side.faults.push('lost_request');
    await world.app.deleteStrategy(owner.caller, { strategyId });
    await world.app.runBilling();
    Object.assign(charge, { dispute: 'lost', disputed: charge.amount });
    await world.days(2);
    expect(statusOf((await world.invoice(follower.caller)).invoice)).toBe('chargeback');
    expect(await world.balance(owner.caller)).toEqual(['0', '0']);
  });
});

describe('over any story at a gateway at which others act too', () => {
  it('every cent is where the tables say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 45 }), async (acts) => {
        const market = await openMarket();
        for (let next = 0; next < acts.length;) {
          const [one, other] = acts.slice(next, next + 2) as [Act, Act | undefined];
          const together = one.atOnce && other ? [one, other] : [one];
          next += together.length;
          await Promise.all(together.map((each) => perform(market, each)));
          await checkAlways(market);
        }
        market.side.faults.length = 0;
        market.side.isClosed = false;
        market.side.isEmpty = false;
        await market.world.days(4);
        await checkAlways(market);
        await checkAtRest(market);
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});
