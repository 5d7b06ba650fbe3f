import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Decimal, type StrategyId, ZERO, decimal, sum } from '@slipstream/domain';
import fc from 'fast-check';
import type { UserCaller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import { type BillingWorld, billingWorld } from './billing-world.js';

const EVERYTHING = { limit: 1_000_000 };

/** USD that the service has of what it was paid; below zero it has paid out what was not its own. */
const heldBy = ({ gateway }: BillingWorld): Decimal => {
  const { charged, chargedBack, refunded, paidOut } = gateway.moved();
  return charged.minus(chargedBack).minus(refunded).minus(paidOut);
};

/** Withdraws all that can be, and lets it be paid. */
async function cashOut(world: BillingWorld, owner: UserCaller): Promise<void> {
  const [, settled] = await world.balance(owner);
  if (decimal(settled).gt(ZERO)) await world.withdraw(owner, settled);
}

describe('an owner and a payer who work together', () => {
  let world: BillingWorld;
  let owner: UserCaller;
  let payer: UserCaller;
  let strategyId: StrategyId;

  beforeEach(async () => {
    world = await billingWorld();
    [owner, payer] = [await world.user('owner'), await world.user('payer')];
    await world.pay(owner, 'test_bank');
    await world.pay(payer, 'test_card_paid');
    strategyId = await world.priced(owner, 1_000);
  });

  it.each([1, 6, 7, 8, 14, 27, 28, 34, 35, 36, 60])(
    'lose when they withdraw on day %i and delete the strategy as soon as they can',
    async (day) => {
      await world.subscribe(payer, strategyId);
      await world.days(day);
      await cashOut(world, owner);
      let isDeleted = false;
      for (let tries = 0; tries < 5 && !isDeleted; tries += 1) {
        isDeleted = await world.app.deleteStrategy(owner, { strategyId }).then(
          () => true,
          () => false,
        );
        if (!isDeleted) await world.days(1);
      }
      expect(isDeleted).toBe(true);
      await world.days(40);
      await cashOut(world, owner);
      await world.days(2);
      const { charged, refunded, paidOut } = world.gateway.moved();
      // Of all that was paid the service keeps its commission of 20 % of what was not given back.
      expect(heldBy(world).gte(charged.minus(refunded).times(decimal('0.2')).round(2, 0))).toBe(
        true,
      );
      expect(paidOut.plus(refunded).lt(charged)).toBe(true);
      expect((await world.balance(owner))[0]).toBe('0');
    },
  );

  it('cannot reverse earnings that were booked by the earlier rule and are withdrawn', async () => {
    await world.subscribe(payer, strategyId);
    const { ports, app } = world;
    // As an earlier release booked it: settled seven days after the sale.
    await ports.unitOfWork.run(async ({ earnings }) => {
      const [sale] = await earnings.list(owner.userId, EVERYTHING);
      if (!sale) throw new Error('there is no sale');
      const [back, old] = [`${sale.id}-back`, `${sale.id}-old`] as (typeof sale.id)[];
      if (!back || !old) throw new Error('no ids');
      const amount = ZERO.minus(sale.amount);
      await earnings.save({ ...sale, id: back, kind: 'refund', amount });
      await earnings.save({ ...sale, id: old, settlesAt: sale.createdAt + 7 * 86_400_000 });
    });
    await world.days(7);
    await cashOut(world, owner);
    await expect(app.deleteStrategy(owner, { strategyId })).rejects.toMatchObject({
      code: 'conflict',
    });
    await world.days(1);
    expect(world.gateway.moved().paidOut.toFixed()).toBe('800');
    await expect(app.deleteStrategy(owner, { strategyId })).rejects.toMatchObject({
      code: 'insufficient_earnings',
      message: expect.stringMatching(/leave your earnings at -/),
    });
    const gone = app.deleteUser(owner, { password: PASSWORD });
    await expect(gone).rejects.toMatchObject({ code: 'insufficient_earnings' });
    expect(world.gateway.moved().refunded.toFixed()).toBe('0');
  });
});

const CARDS = ['test_card_paid', 'test_card_chargeback_late', 'test_card_dispute_won'] as const;
const act = fc.record({
  what: fc.constantFrom(
    'subscribe',
    'subscribe',
    'end',
    'delete',
    'withdraw',
    'withdraw',
    'take back',
    'card',
    'days',
    'days',
    'days',
  ),
  payer: fc.nat(2),
  strategy: fc.nat(3),
  part: fc.integer({ min: 1, max: 100 }),
  days: fc.constantFrom(1, 3, 8, 20, 36),
});

describe('over any story of sales, refunds, deletions, chargebacks and withdrawals', () => {
  it('the service never pays out more than it has, and no action of an owner leaves a debt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async (acts) => {
        const world = await billingWorld();
        const { app } = world;
        const owners = [await world.user('owner0'), await world.user('owner1')] as const;
        const payers: UserCaller[] = [];
        for (const n of [0, 1, 2]) {
          const payer = await world.user(`payer${n}`);
          await world.pay(payer, CARDS[n] ?? '');
          payers.push(payer);
        }
        const strategies: { owner: UserCaller; id: StrategyId }[] = [];
        for (const owner of owners) {
          await world.pay(owner, 'test_bank');
          for (const price of [7, 101])
            strategies.push({ owner, id: await world.priced(owner, price) });
        }
        /** What chargebacks took that an owner had been paid already: the only debt there may be. */
        const debts = async (): Promise<Decimal[]> =>
          world.ports.unitOfWork.read(async ({ earnings }) =>
            Promise.all(
              owners.map(async ({ userId }) => {
                const rows = await earnings.list(userId, EVERYTHING);
                const taken = rows.filter(
                  ({ kind }) => kind === 'chargeback' || kind === 'reinstated',
                );
                const now = world.ports.clock.now();
                const { balance } = await earnings.totals(userId, 'simulated', now);
                return balance.minus(sum(taken.map(({ amount }) => amount)));
              }),
            ),
          );
        const refusals = (error: unknown) => {
          if ((error as Error).name !== 'Refusal') throw error;
        };
        for (const { what, payer: p, strategy: s, part, days } of acts) {
          const payer = payers[p] as UserCaller;
          const { owner, id: strategyId } = strategies[s] as (typeof strategies)[number];
          const [before] = await world.balance(owner);
          switch (what) {
            case 'subscribe':
              await world.subscribe(payer, strategyId).catch(refusals);
              break;
            case 'end':
              await app.deleteStrategySubscription(payer, { strategyId }).catch(refusals);
              break;
            case 'delete':
              await app.deleteStrategy(owner, { strategyId }).catch(refusals);
              break;
            case 'withdraw': {
              const [, settled] = await world.balance(owner);
              const share = decimal(settled)
                .times(decimal(String(part)))
                .times(decimal('0.01'));
              if (share.gte(decimal('0.01')))
                await world.withdraw(owner, share.round(2, 0).toFixed());
              break;
            }
            case 'take back': {
              const { withdrawals } = await app.getWithdrawals(owner, {});
              const [newest] = withdrawals;
              if (newest)
                await app.deleteWithdrawal(owner, { withdrawalId: newest.id }).catch(refusals);
              break;
            }
            case 'card':
              await world.pay(payer, CARDS[part % CARDS.length] ?? '');
              break;
            default:
              await world.days(days);
          }
          const [after] = await world.balance(owner);
          if (what !== 'days' && decimal(before).gte(ZERO))
            expect(decimal(after).gte(ZERO)).toBe(true);
          const { charged, refunded, paidOut } = world.gateway.moved();
          expect(paidOut.plus(refunded).lte(charged)).toBe(true);
          for (const debt of await debts()) expect(debt.gte(ZERO)).toBe(true);
        }
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});
