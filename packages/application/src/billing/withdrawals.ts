import {
  type Decimal,
  PENDING_FOR,
  type PaymentSource,
  Refusal,
  type Timestamp,
  type UserId,
  type Withdrawal,
  decimal,
  id,
  isMultipleOf,
  isoMinute,
  min,
  requireAboveZero,
  withdrawable,
  withdrawalRow,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { requireUser } from '../strategies/access.js';
import { earned } from './ledger.js';
import { giveBack } from './pay-out.js';
import type { WithdrawalsView } from './payment-views.js';
import { payableFrom, primarySource } from './primary-source.js';
import { requireEndsSettled, requireSureClock } from './settled-up.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';
import { afterEnds } from '../strategies/ends-under-way.js';
import { type Proof, requireProof } from '../accounts/proof-of-owner.js';

const CENT = decimal('0.01');

/** The caller's withdrawals, newest first, and the balances. */
export const getWithdrawals =
  (core: Core) =>
  async (caller: Caller, command: PageRequest): Promise<WithdrawalsView> => {
    const { userId } = requireUser(caller);
    return core.unitOfWork.read(async (stores) => {
      const { balance, settled } = await earned(core, stores, userId, core.clock.now());
      const list = await stores.withdrawals.list(userId, pageOf(command));
      return { balance, settledBalance: min(balance, settled), withdrawals: list };
    });
  };

/** Reserves settled earnings and pays them out an hour later (contract 5, "Billing"). */
export const newWithdrawal =
  (core: Core) =>
  async (
    caller: Caller,
    { amount, ...proof }: { readonly amount: Decimal } & Proof,
  ): Promise<Withdrawal> => {
    const { unitOfWork, clock, ids } = core;
    const { userId } = requireUser(caller);
    requireAboveZero('amount', amount);
    if (!isMultipleOf(amount, CENT)) {
      throw new Refusal('invalid_field', 'amount must be a multiple of 0.01');
    }
    requireSureClock(clock);
    const proven = await requireProof(core, userId, proof);
    return afterEnds(core, () =>
      unitOfWork.run(async (stores) => {
        const now = clock.now();
        await proven(stores);
        await requireEndsSettled(stores, userId);
        const source = await requirePayable(stores, userId, now);
        const most = withdrawable(await earned(core, stores, userId, now));
        if (amount.gt(most)) {
          const message = `${most.toFixed(2)} USD of your earnings have settled: they do so seven days after the month that was paid for`;
          throw new Refusal('insufficient_earnings', message);
        }
        const withdrawal: Withdrawal = {
          id: ids.next(),
          userId,
          money: core.paymentGateway.money,
          amount,
          status: 'pending',
          sourceId: source.id,
          reason: null,
          dueAt: now + PENDING_FOR,
          createdAt: now,
          updatedAt: now,
        };
        await stores.withdrawals.save(withdrawal);
        await stores.earnings.save(withdrawalRow(withdrawal, 'withdrawal', ids.next(), now));
        stores.answerWith(withdrawal);
        return withdrawal;
      }),
    );
  };

/** The source of the payout, fixed at the start: a source added later does not receive it. */
async function requirePayable(
  stores: ReadStores,
  userId: UserId,
  now: Timestamp,
): Promise<PaymentSource> {
  const source = await primarySource(stores, userId, 'out');
  if (!source) {
    const message = 'add a payout account first (newPaymentSource with direction out)';
    throw new Refusal('payouts_disabled', message);
  }
  const from = payableFrom(source);
  if (from <= now) return source;
  throw new Refusal(
    'payouts_disabled',
    `the primary payout source is new and can be paid to three days after it was added, from ${isoMinute(from)}`,
  );
}

/** Cancels a pending withdrawal. */
export const deleteWithdrawal =
  (core: Core) =>
  async (caller: Caller, command: { readonly withdrawalId: string }): Promise<void> => {
    const { userId } = requireUser(caller);
    const withdrawalId = id<'withdrawal'>(command.withdrawalId);
    await core.unitOfWork.run(async (stores) => {
      const withdrawal = await stores.withdrawals.find(withdrawalId);
      if (withdrawal?.userId !== userId) {
        const message = `withdrawal ${withdrawalId} does not exist`;
        throw new Refusal('not_found', message, withdrawal !== undefined);
      }
      if (withdrawal.status !== 'pending') {
        throw new Refusal('not_pending', `the withdrawal is ${withdrawal.status}, not pending`);
      }
      await giveBack(core, stores, withdrawal, { status: 'cancelled', reason: null });
      stores.answerWith(undefined);
    });
  };
