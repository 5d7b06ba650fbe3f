import {
  ASK_AGAIN_AFTER,
  type PaymentSource,
  type Withdrawal,
  type WithdrawalId,
  ZERO,
  isoMinute,
  triedAgainAt,
  withdrawalRow,
} from '@slipstream/domain';
import type { PayOutAnswer, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { afterEnds } from '../strategies/ends-under-way.js';
import { payableFrom, primarySource } from './primary-source.js';
import { notifyWithdrawal } from './notify-money.js';
import { requireEndsSettled } from './settled-up.js';

const GONE = 'refunds or chargebacks took the earnings';

interface PayOut {
  readonly withdrawal: Withdrawal;
  readonly isAgain: boolean;
  /** Whether its earnings are gone: only what came of the earlier requests is asked. */
  readonly isLookup: boolean;
  readonly source: PaymentSource;
}

/**
 * Pays out a due withdrawal. It is stored as `processing` before the gateway is called, and repeated with its own id as key. One for
 * which the gateway has no money yet is pending again: until it is made, a chargeback takes its earnings and its owner may take it back.
 * If a chargeback comes while its outcome is not known, the gateway is asked for that alone. One of other money than the gateway moves waits.
 */
export async function payOutWithdrawal(core: Core, withdrawalId: WithdrawalId): Promise<void> {
  const begun = await afterEnds(core, () =>
    core.unitOfWork.run((stores) => begin(core, stores, withdrawalId)),
  );
  if (!begun) return;
  const { withdrawal, isAgain, isLookup, source } = begun;
  const answer = await core.paymentGateway.payOut({
    key: withdrawal.id,
    amount: withdrawal.amount,
    isAgain,
    isLookup,
    sourceRef: source.gatewayRef,
  });
  await core.unitOfWork.run((stores) => record(core, stores, begun, answer));
}

/** That it was made counts whenever it is heard; that it was not only if nobody else has asked since: theirs may be under way. */
async function record(
  core: Core,
  stores: Stores,
  { withdrawal: begun, isLookup }: PayOut,
  answer: PayOutAnswer,
): Promise<void> {
  const current = await stores.withdrawals.find(begun.id);
  if (current?.status !== 'processing' && current?.status !== 'pending') return;
  if (answer.kind === 'done') {
    const now = core.clock.now();
    const paid: Withdrawal = { ...current, status: 'paid', dueAt: null, updatedAt: now };
    await stores.withdrawals.save(paid);
    await notifyWithdrawal(core, stores, paid);
    return;
  }
  if (current.status !== 'processing' || current.dueAt !== begun.dueAt) return;
  if (answer.kind === 'refused') await fail(core, stores, current, answer.reason);
  else if (isLookup) await fail(core, stores, current, GONE);
  else await wait(core, stores, current);
}

async function begin(
  core: Core,
  stores: Stores,
  withdrawalId: WithdrawalId,
): Promise<PayOut | undefined> {
  const before = await stores.withdrawals.find(withdrawalId);
  if (before?.status !== 'pending' && before?.status !== 'processing') return undefined;
  await requireEndsSettled(stores, before.userId);
  const now = core.clock.now();
  if (before.money !== core.paymentGateway.money) {
    await stores.withdrawals.save({ ...before, dueAt: triedAgainAt(before, now) });
    return undefined;
  }
  const isAgain = before.status === 'processing';
  const source = before.sourceId
    ? await stores.paymentSources.find(before.sourceId)
    : await primarySource(stores, before.userId, 'out');
  const { balance, settled } = await stores.earnings.totals(before.userId, before.money, now);
  const failed = async (reason: string): Promise<undefined> => {
    await fail(core, stores, before, reason);
  };
  if (!source) return failed('there is nothing to pay it out to');
  if (!isAgain && payableFrom(source) > now) return failed('the payout source is too new');
  const isGone = balance.lt(ZERO) || settled.lt(ZERO);
  if (!isAgain && isGone) return failed(GONE);
  const dueAt = now + ASK_AGAIN_AFTER;
  const withdrawal: Withdrawal = { ...before, status: 'processing', sourceId: source.id, dueAt };
  await stores.withdrawals.save(withdrawal);
  return { withdrawal, isAgain, isLookup: isGone, source };
}

/** The gateway may have no money for it for long, or never any in its currency. */
async function wait(
  { log, clock }: Core,
  { withdrawals }: Stores,
  withdrawal: Withdrawal,
): Promise<void> {
  const dueAt = triedAgainAt(withdrawal, clock.now());
  log.warn(
    { withdrawalId: withdrawal.id, dueAt: isoMinute(dueAt) },
    'the payment gateway has no money for a payout yet; will retry',
  );
  await withdrawals.save({ ...withdrawal, status: 'pending', dueAt });
}

async function fail(
  core: Core,
  stores: Stores,
  withdrawal: Withdrawal,
  reason: string,
): Promise<void> {
  await giveBack(core, stores, withdrawal, { status: 'failed', reason });
  await notifyWithdrawal(core, stores, { ...withdrawal, status: 'failed', reason });
}

/** Returns the amount of a failed withdrawal to its owner. */
export async function giveBack(
  { ids, clock }: Pick<Core, 'ids' | 'clock'>,
  stores: Pick<Stores, 'withdrawals' | 'earnings'>,
  withdrawal: Withdrawal,
  ended: Pick<Withdrawal, 'reason'> & { readonly status: 'failed' | 'cancelled' },
): Promise<void> {
  const now = clock.now();
  await stores.withdrawals.save({ ...withdrawal, ...ended, dueAt: null, updatedAt: now });
  await stores.earnings.save(withdrawalRow(withdrawal, 'withdrawal_returned', ids.next(), now));
}
