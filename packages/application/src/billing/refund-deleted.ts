import {
  type Earning,
  type Invoice,
  Refusal,
  SETTLES_AFTER,
  type Strategy,
  type Subscription,
  type Timestamp,
  ZERO,
  refundUnused,
  stopTrying,
  sum,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { rowsOfChange } from './ledger.js';
import { requireSettledUp } from './settled-up.js';
import { saveChanged } from './subscription-terms.js';

interface Change {
  readonly before: Invoice;
  readonly after: Invoice;
  readonly rows: readonly Earning[];
}

/** Nothing more is charged for the subscriptions, and their unused days are given back. */
export async function refundsOf(
  core: Pick<Core, 'ids'>,
  stores: ReadStores,
  subscriptions: readonly Subscription[],
  now: Timestamp,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { id } of subscriptions) {
    for (const before of await stores.invoices.listOfSubscription(id)) {
      const after = refundUnused(stopTrying(before, now), now);
      const isRefund = after.refundOwed && !before.refundOwed;
      const change = { kind: 'refund', settlesBy: now + SETTLES_AFTER } as const;
      const rows = isRefund ? await rowsOfChange(core, stores, after, change, now) : [];
      changes.push({ before, after, rows });
    }
  }
  return changes;
}

/**
 * What the deletion of a strategy does to its invoices: nothing more is charged, the unused days are given back, and what
 * the owner keeps settles seven days later (contract 16). Refused when the owner's earnings would fall below zero.
 */
export async function planRefunds(
  core: Pick<Core, 'ids'>,
  stores: ReadStores,
  { userId }: Strategy,
  subscriptions: readonly Subscription[],
  now: Timestamp,
): Promise<Change[]> {
  await requireSettledUp(stores, userId, now);
  const changes = await refundsOf(core, stores, subscriptions, now);
  const { balance } = await stores.earnings.totals(userId, now);
  const left = balance.plus(sum(changes.flatMap(({ rows }) => rows.map(({ amount }) => amount))));
  if (left.gte(ZERO)) return changes;
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
