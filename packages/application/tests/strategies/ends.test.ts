import { describe, expect, it } from '@jest/globals';
import {
  type Invoice,
  type InvoiceState,
  type StrategyId,
  type Subscription,
  type UserId,
  ZERO,
  decimal,
  id,
  isRetryable,
  refundedOf,
  statusOf,
  sum,
  unusedPart,
} from '@slipstream/domain';
import {
  aPaymentSource,
  aSubscription,
  aUser,
  anEarning,
  anInvoice,
} from '@slipstream/port-contracts';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import fc from 'fast-check';
import { type UserCaller } from '../../src/index.js';
import { type App, createApp } from '../app.js';
import { PASSWORD } from '../accounts.js';
import { type BillingWorld, DAY, START, billingWorld } from '../billing/billing-world.js';

const EVERYTHING = { limit: 1_000_000 };

interface Payer {
  /** What is paid a month; nothing for who follows for free. */
  readonly price: number;
  /** Since when, in days. */
  readonly since: number;
  readonly invoice: 'paid' | 'failed' | 'pending';
}

interface Scene {
  readonly world: BillingWorld;
  readonly owner: UserCaller;
  readonly strategyId: StrategyId;
}

const idOf = <Kind extends string>(kind: Kind, index: number) =>
  id<Kind>(`${kind}-${String(index).padStart(3, '0')}`);

const stateOf = (invoice: Payer['invoice'], index: number): InvoiceState => {
  const dueAt = START + DAY;
  if (invoice === 'pending') return { kind: 'due', dueAt };
  if (invoice === 'failed') return { kind: 'retrying', reason: null, dueAt };
  return { kind: 'paid', chargeRef: `charge-${index}`, refunded: ZERO, checkAt: null };
};

/** A follower with a month that is paid, or is tried to be. */
const follow = (
  { world, owner, strategyId }: Scene,
  { price, since, invoice: status }: Payer,
  index: number,
): Promise<void> =>
  world.ports.unitOfWork.run(async (stores) => {
    const userId: UserId = idOf('user', index);
    const subscriptionId = idOf('subscription', index);
    const sourceId = idOf('payment_source', index);
    const begun = START - since * DAY;
    await stores.users.save(aUser({ id: userId, email: `${userId}@example.com` }));
    await stores.subscriptions.save(
      aSubscription({
        id: subscriptionId,
        strategyId,
        userId,
        price,
        status: price === 0 || status === 'paid' ? 'active' : 'past_due',
        renewsAt: price === 0 ? null : begun + 31 * DAY,
        createdAt: begun,
      }),
    );
    if (price === 0) return;
    await stores.paymentSources.save(aPaymentSource({ id: sourceId, userId }));
    const amount = decimal(String(price));
    const isPaid = status === 'paid';
    const invoice: Invoice = anInvoice({
      ...{ id: idOf('invoice', index), userId, subscriptionId, strategyId, sourceId, amount },
      ...{ anchorAt: begun, createdAt: begun, state: stateOf(status, index) },
    });
    await stores.invoices.save(invoice);
    if (!isPaid) return;
    const commission = amount.times(decimal('0.2'));
    await stores.earnings.save(
      anEarning({
        ...{ id: idOf('earning', index), userId: owner.userId, invoiceId: invoice.id, commission },
        ...{ money: 'simulated', amount: amount.minus(commission) },
        settlesAt: begun + 38 * DAY,
        createdAt: begun,
      }),
    );
  });

async function scene(payers: readonly Payer[]): Promise<Scene> {
  const world = await billingWorld();
  const owner = await world.confirmed('owner');
  const made = { world, owner, strategyId: await world.priced(owner) };
  for (const [index, payer] of payers.entries()) await follow(made, payer, index);
  return made;
}

/** Everything that the end of the strategy is about, of everybody. */
const outcome = ({ world, owner, strategyId }: Scene, count: number) =>
  world.ports.unitOfWork.read(async (stores) => {
    const followers = [];
    for (let index = 0; index < count; index += 1) {
      const row = (await stores.subscriptions.find(idOf('subscription', index))) as Subscription;
      const invoice = await stores.invoices.find(idOf('invoice', index));
      const rows = invoice ? await stores.earnings.ofInvoice(invoice.id) : [];
      const notices = await stores.notifications.list(row.userId, EVERYTHING);
      followers.push({
        ...{ status: row.status, reason: row.statusReason, endsAt: row.endsAt },
        invoice: invoice && [
          statusOf(invoice),
          isRetryable(invoice),
          refundedOf(invoice).toFixed(2),
        ],
        ledger: rows.map(({ kind, amount, settlesAt }) => [kind, amount.toFixed(2), settlesAt]),
        notices: notices.map(({ type, text }) => [type, text.replaceAll(strategyId, 'S')]),
      });
    }
    const { balance } = await stores.earnings.totals(owner.userId, 'simulated', START);
    const strategy = await stores.strategies.find(strategyId);
    const { deletedAt, endedAt, endUnderWay } = strategy ?? {};
    return { followers, balance: balance.toFixed(2), ends: [deletedAt, endedAt, endUnderWay] };
  });

/** A storage that the process dies beside: before or after the commit of its work number `left`. */
const dyingBeside = (unitOfWork: UnitOfWork, left: number, when: 'before' | 'after') => {
  let works = 0;
  const gone = () => new StorageUnavailable('the process has died');
  return {
    works: () => works,
    unitOfWork: {
      subscribe: (listener) =>
        unitOfWork.subscribe((event) => {
          if (works <= left) listener(event);
        }),
      read: (work) => (works <= left ? unitOfWork.read(work) : Promise.reject(gone())),
      run: async (work, options) => {
        works += 1;
        if (works <= left) return unitOfWork.run(work, options);
        if (works === left + 1 && when === 'after') await unitOfWork.run(work, options);
        throw gone();
      },
    } satisfies UnitOfWork,
  };
};

type End = (scene: Scene, app: App) => Promise<unknown>;

const deleted: End = async ({ owner, strategyId }, app) =>
  app.deleteStrategy(owner, { strategyId }).catch(() => undefined);
/** It has been at or below zero for a quarter of an hour, which the next tick finds. */
const over: End = async ({ world, strategyId }, app) => {
  await world.ports.unitOfWork.run(async ({ strategies }) => {
    const strategy = await strategies.find(strategyId);
    if (strategy?.endedAt === null)
      await strategies.save({ ...strategy, belowZeroFor: 15 * 60_000 });
  });
  await app.start();
  await app.tick().catch(() => undefined);
};

const PAYERS: readonly Payer[] = Array.from({ length: 60 }, (_, index) => ({
  price: index % 7 === 3 ? 0 : 10 + index,
  since: index % 32,
  invoice: index % 10 === 9 ? 'failed' : 'paid',
}));

async function shortSold({ world, owner, strategyId }: Scene): Promise<void> {
  await world.quote('aapl', '100');
  const size = { by: 'amount', amount: decimal('0.01') } as const;
  const order = { strategyId, stock: 'aapl', action: 'sell', dependsOn: [], size } as const;
  await world.app.newOrder(owner, { ...order, pricing: { type: 'market' } });
  await world.quote('aapl', '250');
}

describe('the end of a strategy with more followers than one transaction handles', () => {
  it.each<[string, End, (scene: Scene) => Promise<void>]>([
    ['deleted', deleted, async () => undefined],
    ['over', over, shortSold],
  ])('%s: has the same result whenever the process dies', async (_, end, prepare) => {
    const whole = await scene(PAYERS);
    await prepare(whole);
    const undying = dyingBeside(whole.world.ports.unitOfWork, Infinity, 'before');
    const app = createApp({ ...whole.world.ports, unitOfWork: undying.unitOfWork });
    await app.start();
    await end(whole, app);
    const expected = await outcome(whole, PAYERS.length);
    expect(expected.ends.at(-1)).toBeNull();
    expect(expected.followers.filter(({ ledger }) => ledger.length > 1).length).toBeGreaterThan(30);

    // The decision and three times some followers are among the last; one may come after them.
    for (let left = Math.max(0, undying.works() - 5); left < undying.works(); left += 1) {
      for (const when of ['before', 'after'] as const) {
        const of = await scene(PAYERS);
        await prepare(of);
        const { ports } = of.world;
        const storage = dyingBeside(ports.unitOfWork, left, when);
        const app = createApp({ ...ports, unitOfWork: storage.unitOfWork });
        await app.start();
        await end(of, app);
        expect(storage.works()).toBeGreaterThan(left);
        const again = createApp(ports);
        await again.start();
        const { ends } = await outcome(of, PAYERS.length);
        const isDecided = ends.some((one) => typeof one === 'number');
        // What each has back is as of the end, however much later it is done.
        if (isDecided) ports.clock.advance(3 * DAY);
        else await end(of, again);
        await again.runBilling();
        expect(await outcome(of, PAYERS.length)).toEqual(expected);
      }
    }
  });

  it('continues with the rest of the followers in the next process', async () => {
    // No money of theirs that billing would come across.
    const of = await scene(PAYERS.map((payer) => ({ ...payer, price: 0 })));
    const { ports } = of.world;
    const storage = dyingBeside(ports.unitOfWork, 2, 'before');
    await deleted(of, createApp({ ...ports, unitOfWork: storage.unitOfWork }));
    const forgetting: UnitOfWork = {
      ...ports.unitOfWork,
      read: (work) =>
        ports.unitOfWork.read((stores) => {
          const strategies = { ...stores.strategies, endsUnderWay: async () => [] };
          return work({ ...stores, strategies });
        }),
    };
    // The owner's own subscription is the twenty-fifth.
    const settled = async () =>
      (await outcome(of, PAYERS.length)).followers.filter(({ status }) => status === 'cancelled');
    await createApp({ ...ports, unitOfWork: forgetting }).runBilling();
    expect(await settled()).toHaveLength(24);
    await createApp(ports).runBilling();
    expect(await settled()).toHaveLength(60);
  });

  it('refunds the same total as one transaction would', async () => {
    const payer = fc.record<Payer>({
      price: fc.integer({ min: 0, max: 100_000 }),
      since: fc.integer({ min: 0, max: 40 }),
      invoice: fc.constantFrom('paid', 'failed', 'pending'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(payer, { maxLength: 55 }), async (payers) => {
        const of = await scene(payers);
        const invoices = await of.world.ports.unitOfWork.read((stores) =>
          Promise.all(payers.map((_, index) => stores.invoices.find(idOf('invoice', index)))),
        );
        const all = invoices.filter((invoice) => invoice !== undefined);
        const owed = sum(all.map((invoice) => unusedPart(invoice, START)));
        await deleted(of, of.world.app);
        const refunded = await of.world.ports.unitOfWork.read((stores) =>
          Promise.all(all.map(({ id: invoiceId }) => stores.invoices.find(invoiceId))),
        );
        const given = sum(refunded.map((invoice) => (invoice ? refundedOf(invoice) : ZERO)));
        expect(given.toFixed(2)).toBe(owed.toFixed(2));
      }),
      { numRuns: 10 },
    );
  });
});

describe('before the end of a deleted strategy is complete for all followers', () => {
  const acts: Record<string, (scene: Scene, app: App, payer: UserCaller) => unknown> = {
    'a follower deletes the subscription': ({ strategyId }, app, payer) =>
      app.deleteStrategySubscription(payer, { strategyId }),
    'a follower deletes the account': (_, app, payer) =>
      app.deleteUser(payer, { password: PASSWORD }),
    'the owner withdraws': ({ owner }, app) =>
      app.newWithdrawal(owner, { amount: decimal('1'), password: PASSWORD }),
    'the owner deletes the account': ({ owner }, app) =>
      app.deleteUser(owner, { password: PASSWORD }),
    'the owner deletes another strategy': async ({ world, owner }, app) =>
      app.deleteStrategy(owner, { strategyId: await world.priced(owner) }),
    'billing runs': (_, app) => app.runBilling(),
  };

  it.each(Object.keys(acts))('the rest of them ends before %s', async (name) => {
    const play = async (dies: boolean) => {
      const of = await scene(PAYERS);
      const { world, owner, strategyId } = of;
      await world.pay(owner, 'test_bank');
      const payer = await world.user('payer');
      await world.pay(payer, 'test_card_paid');
      await world.subscribe(payer, strategyId);
      world.ports.clock.advance(4 * DAY);
      const storage = dyingBeside(world.ports.unitOfWork, dies ? 1 : 100, 'before');
      const app = createApp({ ...world.ports, unitOfWork: storage.unitOfWork });
      await app.deleteStrategy(owner, { strategyId });
      const { ends } = await outcome(of, PAYERS.length);
      expect(ends.at(-1)).toEqual(dies ? { after: null } : null);
      const again = await world.restart();
      const answer = await Promise.resolve(acts[name]?.(of, again, payer)).then(
        () => 'done',
        (error: unknown) => (error as { code: string }).code,
      );
      const { invoice, row } = await world.ports.unitOfWork.read(async (stores) => {
        const [own] = await stores.invoices.list(payer.userId, {}, EVERYTHING);
        const [row] = await stores.subscriptions.listOfUser(payer.userId, EVERYTHING);
        return { invoice: own, row };
      });
      const own = {
        refunded: invoice && refundedOf(invoice).toFixed(2),
        reason: row?.statusReason,
      };
      return { answer, own, outcome: await outcome(of, PAYERS.length) };
    };
    const [whole, broken] = [await play(false), await play(true)];
    expect(broken).toEqual(whole);
    expect(broken.own).toEqual({ refunded: '12.86', reason: 'the strategy was deleted' });
  });
});
