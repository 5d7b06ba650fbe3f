import { Refusal, type Timestamp, type UserId, ZERO } from '@slipstream/domain';
import { type Clock, type ReadStores, isSure } from '@slipstream/ports';
import type { Core } from '../core.js';
import { earned, moneyKept } from './ledger.js';
import { requireNoEndUnderWay } from '../strategies/ends-under-way.js';

/** Refunds still owed for strategies that the owner ended; they are subtracted from the earnings. */
export async function requireEndsSettled(
  { strategies }: Pick<ReadStores, 'strategies'>,
  userId: UserId,
): Promise<void> {
  for (const strategy of await strategies.endsUnderWay())
    if (strategy.userId === userId) requireNoEndUnderWay(strategy);
}

/**
 * Refuses a change or end of an owner's earnings while a withdrawal is open or the earnings are negative (contract
 * 16): the withdrawal may come back, and what is owed stays owed.
 */
export async function requireSettledUp(
  core: Pick<Core, 'paymentGateway'>,
  stores: Pick<ReadStores, 'earnings' | 'strategies' | 'withdrawals'>,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  const { withdrawals } = stores;
  await requireEndsSettled(stores, userId);
  const kept = moneyKept(core);
  // What of other money is under way is not asked for here: whoever waited for it would wait for ever.
  const open = (await withdrawals.listOpen(userId)).find(
    ({ status, money }) => status === 'pending' || kept.includes(money),
  );
  if (open?.status === 'pending') {
    const message = `withdrawal ${open.id} is pending: wait until it is paid, or cancel it (deleteWithdrawal)`;
    throw new Refusal('conflict', message);
  }
  if (open) {
    throw new Refusal('conflict', `withdrawal ${open.id} is ${open.status}: wait until it is paid`);
  }
  const { balance } = await earned(core, stores, userId, now);
  if (balance.lt(ZERO)) {
    const message = `your earnings are at ${balance.toFixed(2)} USD after a chargeback or a refund: nothing can be deleted until they are not below zero`;
    throw new Refusal('insufficient_earnings', message);
  }
}

/** Refuses what begins or ends a paid month, or pays out what has settled, by a clock that is in doubt: it would be of another time. */
export function requireSureClock(clock: Clock): void {
  if (isSure(clock)) return;
  throw new Refusal(
    'payment_gateway',
    'the clock of the server is in doubt, so no money is moved now: try again later',
  );
}
