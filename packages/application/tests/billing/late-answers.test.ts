import { beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { DAY, MINUTE, ZERO, chargeRefOf, decimal, refundedOf, statusOf } from '@slipstream/domain';
import type { ChargeStanding, PayOutAnswer } from '@slipstream/ports';
import type { UserCaller } from '../../src/index.js';
import { actingGateway } from './acting-gateway.js';
import { type BillingWorld, START, billingWorld } from './billing-world.js';

let world: BillingWorld;
let owner: UserCaller;
let payer: UserCaller;
/** How the charge stands at the gateway at present. */
let present: ChargeStanding;
/** Lets the answer to the first question arrive, which was given when it was asked. */
let arrive: (() => void) | undefined;

beforeEach(async () => {
  const { gateway } = await billingWorld();
  present = { kind: 'paid', refunded: ZERO, checkAgainAt: null };
  arrive = undefined;
  world = await billingWorld({
    ...gateway,
    standing: async () => {
      const given = present;
      if (!arrive) await new Promise<void>((resolve) => (arrive = resolve));
      return given;
    },
    readNotice: async (chargeRef) => ({ kind: 'charge_changed', chargeRef }),
  });
  owner = await world.user('owner');
  payer = await world.user('payer');
  await world.pay(payer, 'test_card_paid');
  await world.subscribe(payer, await world.priced(owner));
});

async function notice(app = world.app): Promise<void> {
  const { invoice } = await world.invoice(payer);
  await app.handlePaymentWebhook(chargeRefOf(invoice) ?? '', {});
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Two notices, to one server each; between the gateway's answers to both, of which the earlier arrives last, it changes. */
async function answeredInOtherOrder(
  servers: string,
  change: Partial<ChargeStanding>,
): Promise<void> {
  const other = servers === 'two servers' ? await world.restart() : world.app;
  const first = notice();
  while (!arrive) await turn();
  present = { ...present, ...change };
  const second = notice(other);
  for (let turns = 0; turns < 100; turns += 1) await turn();
  arrive();
  await Promise.all([first, second]);
}

describe.each(['one server', 'two servers'])(
  'an answer of the gateway to %s that was given before another one and arrives after it',
  (servers) => {
    it('takes back no chargeback', async () => {
      await answeredInOtherOrder(servers, { kind: 'charged_back' });
      expect(statusOf((await world.invoice(payer)).invoice)).toBe('chargeback');
      expect(await world.balance(owner)).toEqual(['0', '0']);
    });

    it('takes back no dispute that was won', async () => {
      present = { ...present, kind: 'charged_back' };
      arrive = () => undefined;
      await notice();
      expect(statusOf((await world.invoice(payer)).invoice)).toBe('chargeback');
      arrive = undefined;
      await answeredInOtherOrder(servers, { kind: 'paid' });
      expect(statusOf((await world.invoice(payer)).invoice)).toBe('paid');
      expect(await world.balance(owner)).toEqual(['12', '0']);
    });

    it('takes back no refund', async () => {
      await answeredInOtherOrder(servers, { refunded: decimal('5') });
      expect(refundedOf((await world.invoice(payer)).invoice).toFixed()).toBe('5');
      expect(await world.balance(owner)).toEqual(['8', '0']);
    });
  },
);

describe.each(['one server', 'two servers'])(
  'an answer of before a dispute was won whose beginning nobody heard of, to %s,',
  (servers) => {
    it.each([null, START + 90 * DAY])(
      'takes nothing back, nor ends what a newer one left: asked again at %p',
      async (checkAgainAt) => {
        present = { ...present, kind: 'charged_back', checkAgainAt };
        await answeredInOtherOrder(servers, { kind: 'paid' });
        expect(statusOf((await world.invoice(payer)).invoice)).toBe('paid');
        expect(await world.balance(owner)).toEqual(['12', '0']);
        // The only server recorded it when it came: nobody had heard more by then.
        const { status } = await world.subscription(payer);
        expect(status).toBe(servers === 'two servers' ? 'active' : 'cancelled');
      },
    );
  },
);

describe('the answer to an attempt that arrives when another one is under way', () => {
  it('does not count as that of the other, which is paid', async () => {
    const { gateway } = await billingWorld();
    const held: (() => void)[] = [];
    let charges = 0;
    world = await billingWorld({
      ...gateway,
      charge: async (request) => {
        const answer = await gateway.charge(request);
        charges += 1;
        if (charges !== 2) await new Promise<void>((resolve) => held.push(resolve));
        return answer;
      },
    });
    owner = await world.user('owner');
    payer = await world.user('payer');
    await world.pay(payer, 'test_card_retried');
    const subscribing = world.subscribe(payer, await world.priced(owner));
    while (held.length < 1) await turn();

    // Another process asks again, hears of the decline, and tries again at the payer's word.
    const other = await world.restart();
    world.ports.clock.advance(60_000);
    await other.runBilling();
    const { invoice } = await world.invoice(payer);
    expect([charges, statusOf(invoice)]).toEqual([2, 'failed']);
    const retrying = other.retryInvoice(payer, { invoiceId: invoice.id });
    while (held.length < 2) await turn();
    held[0]?.();
    await subscribing;
    held[1]?.();
    await retrying;

    expect(statusOf((await world.invoice(payer)).invoice)).toBe('paid');
    expect((await world.subscription(payer)).status).toBe('active');
    expect(gateway.moved().charged.toFixed()).toBe('15');
  });
});

describe('the answer to a charge that is heard when its month is half over', () => {
  /** The answer to the renewal was lost, and no server ran for a month; the next month is paid before it is heard. */
  async function unheard(
    card: string,
    until: 'heard' | 'not heard yet' = 'heard',
    next = 'test_card_paid',
  ) {
    const clock = fixedClock(START);
    const { gateway, faults } = actingGateway(clock);
    const world = await billingWorld(gateway, clock);
    const payer = await world.user('payer');
    await world.pay(payer, 'test_card_paid');
    const strategyId = await world.priced(await world.user('owner'));
    await world.subscribe(payer, strategyId);
    await world.pay(payer, card);
    await world.days(27);
    // The earlier charge is checked first.
    faults.push('lost_request', 'lost_answer');
    await world.days(1);
    await world.pay(payer, next);
    clock.advance(31 * DAY);
    faults.push('lost_request', 'lost_request');
    await world.app.runBilling();
    clock.advance(MINUTE);
    if (until === 'heard') await world.app.runBilling();
    return { ...world, payer, strategyId };
  }

  it('is not told if it is a decline, as nothing is tried again: the rest of the month is free', async () => {
    const { app, payer, toldAlways, subscription } = await unheard('test_card_declined');
    expect((await subscription(payer)).status).toBe('active');
    expect(await toldAlways(payer)).toEqual([]);
    const statuses = (await app.getInvoices(payer, {})).map(({ invoice }) => statusOf(invoice));
    expect(statuses).toEqual(['paid', 'failed', 'paid']);
  });

  it('is not told either while the next month is past due: that one alone is tried again, and nothing has ended', async () => {
    const { toldAlways, payer, subscription } = await unheard(
      'test_card_declined',
      'heard',
      'test_card_declined',
    );
    expect((await subscription(payer)).status).toBe('past_due');
    expect(await toldAlways(payer)).toEqual([expect.stringContaining('it is tried again on')]);
  });

  it('takes nothing of the next month from who leaves after it', async () => {
    const { app, payer, strategyId, subscription, ports } = await unheard('test_card_declined');
    await app.deleteStrategySubscription(payer, { strategyId });
    const { status, endsAt } = await subscription(payer);
    expect([status, (endsAt ?? 0) > ports.clock.now()]).toEqual(['active', true]);
  });

  it('renews nothing for who left meanwhile', async () => {
    const { app, payer, strategyId, subscription } = await unheard(
      'test_card_paid',
      'not heard yet',
    );
    await app.deleteStrategySubscription(payer, { strategyId });
    const left = await subscription(payer);
    await app.runBilling();
    const statuses = (await app.getInvoices(payer, {})).map(({ invoice }) => statusOf(invoice));
    expect(statuses).toEqual(['paid', 'paid', 'paid']);
    const { renewsAt, endsAt } = await subscription(payer);
    expect([renewsAt, endsAt]).toEqual([null, left.endsAt]);
  });
});

describe('an answer about a payout that arrives when another server has asked since', () => {
  /** The first request is answered so, the second pays it out; both answers arrive when the test says so. */
  async function askedTwice(first: PayOutAnswer) {
    const clock = fixedClock(START);
    const { gateway, paidOut } = actingGateway(clock);
    const held: (() => void)[] = [];
    world = await billingWorld(
      {
        ...gateway,
        payOut: async (request) => {
          const answer = held.length === 0 ? first : await gateway.payOut(request);
          await new Promise<void>((resolve) => held.push(resolve));
          return answer;
        },
      },
      clock,
    );
    owner = await world.user('owner');
    payer = await world.user('payer');
    await world.pay(owner, 'test_bank');
    await world.pay(payer, 'test_card_paid');
    await world.subscribe(payer, await world.priced(owner));
    await world.days(40);
    await world.withdraw(owner, '12');
    clock.advance(60 * MINUTE);
    const asked = async (app = world.app): Promise<() => Promise<void>> => {
      const count = held.length;
      const running = app.runBilling();
      while (held.length === count) await turn();
      return () => {
        held[count]?.();
        return running;
      };
    };
    const answeredFirst = await asked();
    clock.advance(MINUTE);
    const answeredSecond = await asked(await world.restart());
    return { answeredFirst, answeredSecond, paidOut };
  }

  it.each([{ kind: 'not_made' }, { kind: 'refused', reason: 'closed' }] as const)(
    'is not believed that it was not made: $kind',
    async (first) => {
      const { answeredFirst, answeredSecond, paidOut } = await askedTwice(first);
      await answeredFirst();
      await answeredSecond();
      const { withdrawals, balance } = await world.app.getWithdrawals(owner, {});
      expect(withdrawals.map(({ status }) => status)).toEqual(['paid']);
      expect([balance.toFixed(), paidOut.size]).toEqual(['12', 1]);
    },
  );
});
