import { describe, expect, it } from '@jest/globals';
import {
  type Decimal,
  type Earning,
  type Invoice,
  type StrategyId,
  type UserId,
  type Withdrawal,
  ZERO,
  decimal,
  refundedOf,
  splitCommission,
  statusOf,
  sum,
} from '@slipstream/domain';
import type { UserCaller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import { type BillingWorld, billingWorld } from './billing-world.js';

const EVERYTHING = { limit: 1_000_000 };
const CARDS = [
  'test_card_paid',
  'test_card_declined',
  'test_card_retried',
  'test_card_chargeback',
  'test_card_chargeback_late',
  'test_card_dispute_won',
  'test_card_confirm',
];

/** The same numbers for the same seed: 0 to `below`, without it. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Records {
  readonly invoices: readonly Invoice[];
  readonly earnings: readonly Earning[];
  readonly withdrawals: readonly Withdrawal[];
}

const recordsOf = (
  { ports }: BillingWorld,
  payers: readonly UserCaller[],
  owners: readonly UserCaller[],
): Promise<Records> =>
  ports.unitOfWork.read(async ({ invoices, earnings, withdrawals }) => {
    const all = <Item>(
      users: readonly UserCaller[],
      list: (userId: UserId) => Promise<Item[]>,
    ): Promise<Item[]> =>
      Promise.all(users.map(({ userId }) => list(userId))).then((lists) => lists.flat());
    return {
      invoices: await all(payers, (userId) => invoices.list(userId, {}, EVERYTHING)),
      earnings: await all(owners, (userId) => earnings.list(userId, EVERYTHING)),
      withdrawals: await all(owners, (userId) => withdrawals.list(userId, EVERYTHING)),
    };
  });

const amounts = (items: readonly { readonly amount: Decimal }[]): Decimal =>
  sum(items.map(({ amount }) => amount));

const text = (figures: Readonly<Record<string, Decimal>>) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value.toFixed(2)]));

/** What the invoices, the commission percentage and the withdrawals say that an owner is left with. */
function expectedBalance(
  { invoices, withdrawals }: Records,
  strategies: readonly StrategyId[],
  owner: UserId,
  percent: number,
): Decimal {
  const kept = invoices.filter(
    (invoice) =>
      statusOf(invoice) === 'paid' &&
      refundedOf(invoice).lt(invoice.amount) &&
      strategies.includes(invoice.strategyId),
  );
  const out = withdrawals.filter(
    ({ status, userId }) => userId === owner && status !== 'failed' && status !== 'cancelled',
  );
  const earned = kept.map(
    (invoice) => splitCommission(invoice.amount.minus(refundedOf(invoice)), percent).earned,
  );
  return sum(earned).minus(amounts(out));
}

describe('billing over a simulated year', () => {
  it.each([[1], [2]])(
    'reconciles to the cent every day, with declines, chargebacks and lost answers (seed %i)',
    async (seed) => {
      const world = await billingWorld();
      const roll = dice(seed);
      const { app, faults, ports, gateway } = world;
      const commissions = [20, 33, 0];
      const owners: UserCaller[] = [];
      const payers: UserCaller[] = [];
      const strategiesOf = new Map<UserId, StrategyId[]>();
      for (const [n, commission] of commissions.entries()) {
        const owner = await world.user(`owner${n}`);
        await ports.unitOfWork.run(async ({ users }) => {
          const user = await users.find(owner.userId);
          if (user) await users.save({ ...user, commission });
        });
        await world.pay(owner, 'test_bank');
        strategiesOf.set(owner.userId, [
          await world.priced(owner, 7 + n),
          await world.priced(owner, 49),
        ]);
        owners.push(owner);
      }
      for (let n = 0; n < 9; n += 1) payers.push(await world.user(`payer${n}`));
      const strategies = [...strategiesOf.values()].flat();
      /** What a caller may be told no to; anything else fails the test. */
      const attempt = async (work: Promise<unknown>): Promise<void> => {
        await work.catch((error: unknown) => {
          if ((error as Error).name !== 'Refusal') throw error;
        });
      };

      const act = async (): Promise<void> => {
        const payer = payers[roll(payers.length)] as UserCaller;
        const owner = owners[roll(owners.length)] as UserCaller;
        const strategyId = strategies[roll(strategies.length)] as StrategyId;
        switch (roll(9)) {
          case 0:
            return attempt(world.pay(payer, CARDS[roll(CARDS.length)] ?? ''));
          case 1:
          case 2:
            return attempt(world.subscribe(payer, strategyId));
          case 3:
            return roll(3) > 0
              ? undefined
              : attempt(app.deleteStrategySubscription(payer, { strategyId }));
          case 4: {
            const [failed] = await app.getInvoices(payer, { status: 'failed' });
            if (failed) await attempt(app.retryInvoice(payer, { invoiceId: failed.invoice.id }));
            return undefined;
          }
          case 5: {
            const { settledBalance } = await app.getWithdrawals(owner, {});
            const part = settledBalance.times(decimal(`0.${1 + roll(9)}`)).round(2, 0);
            if (part.lte(ZERO)) return undefined;
            await app.newWithdrawal(owner, { amount: part, password: PASSWORD });
            const after = await app.getWithdrawals(owner, {});
            expect(after.settledBalance.gte(ZERO)).toBe(true);
            const beyond = after.settledBalance.plus(decimal('0.01'));
            const more = app.newWithdrawal(owner, { amount: beyond, password: PASSWORD });
            await expect(more).rejects.toThrow('settled');
            return undefined;
          }
          case 6: {
            const { withdrawals } = await app.getWithdrawals(owner, {});
            const pending = withdrawals.find(({ status }) => status === 'pending');
            if (!pending) return undefined;
            return attempt(app.deleteWithdrawal(owner, { withdrawalId: pending.id }));
          }
          default: {
            const method = (['charge', 'charge', 'refund', 'payOut'] as const)[roll(4)];
            if (method) faults.on(method, roll(2) === 0 ? 'lost_answer' : 'lost_request');
            return undefined;
          }
        }
      };

      const reconcile = async (): Promise<Records> => {
        const records = await recordsOf(world, payers, owners);
        const { invoices, earnings, withdrawals } = records;
        const sales = earnings.filter(({ invoiceId }) => invoiceId !== null);
        const kept = invoices.filter((invoice) => statusOf(invoice) === 'paid');
        const left = amounts(kept).minus(sum(kept.map(refundedOf)));
        const commission = sum(sales.map((sale) => sale.commission));
        expect(text({ left })).toEqual(text({ left: amounts(sales).plus(commission) }));
        for (const [n, { userId }] of owners.entries()) {
          const own = strategiesOf.get(userId) ?? [];
          const balance = amounts(earnings.filter((row) => row.userId === userId));
          const expected = expectedBalance(records, own, userId, commissions[n] ?? 0);
          expect(text({ balance })).toEqual(text({ balance: expected }));
        }
        const out = withdrawals.filter(({ status }) => !['failed', 'cancelled'].includes(status));
        const rows = earnings.filter(({ withdrawalId }) => withdrawalId !== null);
        expect(text({ out: amounts(out) })).toEqual(text({ out: ZERO.minus(amounts(rows)) }));
        return records;
      };

      for (let day = 0; day < 365; day += 1) {
        for (let acts = roll(6); acts > 0; acts -= 1) await act();
        await world.days(1);
        if (day === 180) {
          const [owner] = owners as [UserCaller];
          const [strategyId] = strategiesOf.get(owner.userId) as [StrategyId];
          for (let tries = 0; tries < 30; tries += 1) {
            // Refused while a withdrawal is under way, or a chargeback is owed.
            const deleted = await app.deleteStrategy(owner, { strategyId }).then(
              () => true,
              () => false,
            );
            if (deleted) break;
            await world.days(1);
          }
        }
        await reconcile();
      }
      await world.days(30);
      const { invoices, withdrawals } = await reconcile();

      const of = (...statuses: readonly string[]) =>
        amounts(invoices.filter((invoice) => statuses.includes(statusOf(invoice))));
      const refundsOf = (wanted: string) =>
        sum(invoices.filter((invoice) => statusOf(invoice) === wanted).map(refundedOf));
      expect(text({ ...gateway.moved() })).toEqual(
        text({
          charged: of('paid', 'chargeback'),
          chargedBack: of('chargeback').minus(refundsOf('chargeback')),
          refunded: refundsOf('paid').plus(refundsOf('chargeback')),
          paidOut: amounts(withdrawals.filter(({ status }) => status === 'paid')),
        }),
      );
      for (const status of ['paid', 'failed', 'chargeback']) expect(of(status).gt(ZERO)).toBe(true);
      expect(gateway.moved().paidOut.gt(ZERO)).toBe(true);
      expect(gateway.moved().refunded.gt(ZERO)).toBe(true);
    },
  );
});
