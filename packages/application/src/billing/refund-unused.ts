import {
  type Decimal,
  type Earning,
  type Invoice,
  Refusal,
  SETTLES_AFTER,
  type Subscription,
  type Timestamp,
  type UserId,
  ZERO,
  refundUnused,
  refundedOf,
  stopTrying,
  sum,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { earned, rowsOfChange } from './ledger.js';
import { requireSettledUp } from './settled-up.js';
import { saveChanged } from './subscription-terms.js';

interface Change {
  readonly before: Invoice;
  readonly after: Invoice;
  readonly rows: readonly Earning[];
}

/**
 * The effect on the invoices if the owner or the service ends a subscription at `now`: nothing more is charged, unused
 * days are refunded, and the owner's remainder settles seven days later (contract 16). A free subscription has no invoices.
 */
export async function refundsOf(
  core: Pick<Core, 'ids'>,
  stores: Pick<ReadStores, 'invoices' | 'earnings'>,
  { id, price }: Subscription,
  now: Timestamp,
): Promise<Change[]> {
  if (price === 0) return [];
  const changes: Change[] = [];
  for (const before of await stores.invoices.listOfSubscription(id)) {
    const after = refundUnused(stopTrying(before, now), now);
    const isRefund = refundedOf(after).gt(refundedOf(before));
    const change = { kind: 'refund', settlesBy: now + SETTLES_AFTER } as const;
    const rows = isRefund ? await rowsOfChange(core, stores, after, change, now) : [];
    changes.push({ before, after, rows });
  }
  return changes;
}

/** The change of the owner's earnings, in what the gateway moves; never positive. */
export const effectOf = (
  { paymentGateway: { money } }: Pick<Core, 'paymentGateway'>,
  changes: readonly Change[],
): Decimal =>
  sum(
    changes.flatMap(({ rows }) =>
      rows.filter((row) => row.money === money).map(({ amount }) => amount),
    ),
  );

/** What the payers get back by the changes. */
export const refundOf = (changes: readonly Change[]): Decimal =>
  sum(changes.map(({ before, after }) => refundedOf(after).minus(refundedOf(before))));

/** Refuses an owner's action if its refunds would make the earnings negative. */
export async function requireRefundable(
  core: Pick<Core, 'clock' | 'paymentGateway'>,
  stores: Pick<ReadStores, 'earnings' | 'strategies' | 'withdrawals'>,
  userId: UserId,
  effect: Decimal,
): Promise<void> {
  const now = core.clock.now();
  await requireSettledUp(core, stores, userId, now);
  const { balance } = await earned(core, stores, userId, now);
  const left = balance.plus(effect);
  if (left.gte(ZERO)) return;
  throw new Refusal(
    'insufficient_earnings',
    `the refunds of the running months would leave your earnings at ${left.toFixed(2)} USD: delete it when those months are over`,
  );
}

export async function bookRefunds(
  { invoices, earnings }: Pick<Stores, 'invoices' | 'earnings'>,
  changes: readonly Change[],
): Promise<void> {
  for (const { before, after, rows } of changes) {
    await saveChanged(invoices, before, after);
    for (const row of rows) await earnings.save(row);
  }
}
