import { describe, expect, it } from '@jest/globals';
import { HOUR, ZERO, id } from '@slipstream/domain';
import type { App } from '../app.js';
import { outcomesAmid } from '../interleavings.js';
import { DAY } from './billing-world.js';
import {
  type Ask,
  type Before,
  type MoneyWorld,
  moneyOf,
  moneyWorld,
  passes,
  rests,
} from './crash-scene.js';

const outcomesOf = (before: Before, flow: Ask, other: Ask) =>
  outcomesAmid<MoneyWorld, Awaited<ReturnType<typeof moneyOf>>>({
    async begin() {
      const world = await moneyWorld();
      await before(world);
      return world;
    },
    flow,
    other,
    async outcome(app, world) {
      await rests(app, world);
      return moneyOf(world);
    },
  });

const followed: Before = ({ subscribe, follower, strategyId }) => subscribe(follower, strategyId);

const renews: Before = async (world) => {
  await followed(world);
  world.ports.clock.advance(30 * DAY);
};

const billing: Ask = (app) => app.runBilling();
const removesPrimary = async (app: App, { follower }: MoneyWorld) => {
  const sources = await app.getPaymentSources(follower);
  const primary = sources.find(({ source }) => source.primary);
  await app.deletePaymentSource(follower, { sourceId: primary?.source.id ?? '' });
};

describe('deletePaymentSource amid a charge of the card', () => {
  it('has the other card charged, and declines nothing, at every moment of it', async () => {
    const twoCards: Before = async (world) => {
      await world.pay(world.follower, 'test_card_paid');
      await renews(world);
    };
    const outcomes = await outcomesOf(twoCards, billing, removesPrimary);
    for (const { became, moments } of outcomes)
      expect({ moments, ...became }).toMatchObject({
        moments,
        subscriptions: ['owner active', 'subscriber active'],
        invoices: [
          { status: 'paid', charges: 1 },
          { status: 'paid', charges: 1 },
        ],
        mailed: expect.not.objectContaining({
          'follower@example.com: A charge was declined': expect.anything(),
        }),
      });
  });
});

describe('deleteStrategySubscription amid a charge', () => {
  const unsubscribes: Ask = (app, { follower, strategyId }) =>
    app.deleteStrategySubscription(follower, { strategyId });
  const declined: Before = async (world) => {
    await world.pay(world.follower, 'test_card_declined');
    await followed(world);
    await world.pay(world.follower, 'test_card_paid');
  };

  it.each<[string, Before, Ask, number]>([
    [
      'of the first month',
      async () => undefined,
      (app, { follower, strategyId }) =>
        app.newStrategySubscription(follower, { strategyId, price: 30 }),
      0,
    ],
    [
      'of a retry',
      declined,
      async (app, { follower }) => {
        const [first] = await app.getInvoices(follower, {});
        return app.retryInvoice(follower, { invoiceId: first?.invoice.id ?? '' });
      },
      0,
    ],
    ['of a renewal', renews, billing, 1],
  ])(
    '%s leaves a month that is followed, or nothing to pay, at every moment of it',
    async (...row) => {
      const [, before, charges, paidBefore] = row;
      const outcomes = await outcomesOf(before, charges, unsubscribes);
      for (const { became, moments } of outcomes) {
        const paid = became.invoices.filter(
          ({ status, refunded }) => status === 'paid' && refunded === '0',
        );
        const isFollowed = became.subscriptions.includes('subscriber active');
        expect({ moments, paid: paid.length }).toEqual({
          ...{ moments, paid: isFollowed ? paidBefore + 1 : paidBefore },
        });
      }
    },
  );
});

describe('a card that its owner confirms in the last seconds of its day', () => {
  it('is not removed, at every moment of a check at which the day ends', async () => {
    const waits: Before = async ({ pay, follower, banks, ports }) => {
      banks.say = 'nothing';
      await pay(follower, 'test_card_confirm');
      ports.clock.advance(DAY - 10_000);
    };
    const confirms: Ask = async (_, { banks, ports }) => {
      banks.say = 'confirmed';
      ports.clock.advance(20_000);
    };
    const outcomes = await outcomesOf(waits, billing, confirms);
    expect(outcomes.map(({ became }) => became.sources)).toEqual([
      ['out active, primary', 'in active, primary', 'in active'],
    ]);
  });
});

describe('the end of a strategy amid a payout', () => {
  it('fails what is not under way yet and what its refunds take, at every moment of it', async () => {
    /** As an earlier release booked it: the sale has settled, although its month runs. */
    const settles: Before = ({ ports: { unitOfWork }, owner: { userId } }) =>
      unitOfWork.run(async ({ earnings }) => {
        const [sale] = await earnings.list(userId, { limit: 1 });
        if (!sale) return;
        const amount = ZERO.minus(sale.amount);
        await earnings.save({ ...sale, id: id(`${sale.id}-back`), kind: 'refund', amount });
        await earnings.save({ ...sale, id: id(`${sale.id}-old`), settlesAt: sale.createdAt });
      });
    const isPending: Before = async (world) => {
      await followed(world);
      await passes(3)(world);
      await settles(world);
      await world.withdraw(world.owner, '20');
      world.ports.clock.advance(HOUR);
    };
    const statusOf = ({ ports: { unitOfWork }, owner: { userId } }: MoneyWorld) =>
      unitOfWork.read(
        async ({ withdrawals }) => (await withdrawals.list(userId, { limit: 1 }))[0]?.status,
      );
    const then = new Map<MoneyWorld, string | undefined>();
    const outcomes = await outcomesAmid({
      async begin() {
        const world = await moneyWorld();
        await isPending(world);
        return world;
      },
      flow: billing,
      /** The first transaction of the end; the refunds follow it. */
      async other(_, world) {
        const {
          ports: { unitOfWork, clock },
          strategyId,
        } = world;
        then.set(world, await statusOf(world));
        await unitOfWork.run(async ({ strategies }) => {
          const strategy = await strategies.find(strategyId);
          if (!strategy) return;
          const endedAt = clock.now();
          await strategies.save({ ...strategy, endedAt, endUnderWay: { after: null } });
        });
      },
      async outcome(app, world) {
        await rests(app, world);
        return [then.get(world), await statusOf(world)];
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual([
      ['pending', 'failed'],
      ['processing', 'paid'],
      ['paid', 'paid'],
    ]);
  });
});
