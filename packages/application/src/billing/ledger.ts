import {
  type Decimal,
  type Earning,
  type EarningTotals,
  type Invoice,
  type Money,
  type Timestamp,
  type UserId,
  ZERO,
  adjustTo,
  remainderOf,
  saleOf,
  sum,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';

type Needs = Pick<Core, 'ids'>;
type Paying = Pick<Core, 'paymentGateway'>;
type Kept = Pick<Stores, 'earnings' | 'strategies' | 'users'>;

/** The reason why the earnings of an invoice change; `settlesBy` is the latest time at which the rest settles. */
export interface Change {
  readonly kind: keyof typeof CHANGES;
  readonly settlesBy?: Timestamp;
}

const CHANGES = {
  refund: { taken: 'refund', given: 'kept' },
  refund_failed: { taken: 'refund', given: 'kept' },
  chargeback: { taken: 'chargeback', given: 'kept' },
  dispute_won: { taken: 'refund', given: 'reinstated' },
} as const;

const settling = ({ settlesBy }: Change) => (settlesBy === undefined ? {} : { settlesBy });

/** The sums of what the user earned, in what the gateway moves. */
export const earned = (
  { paymentGateway: { money } }: Paying,
  { earnings }: Pick<ReadStores, 'earnings'>,
  userId: UserId,
  now: Timestamp,
): Promise<EarningTotals> => earnings.totals(userId, money, now);

/** What must not be lost: what the gateway moves, and USD, which another one moved before, if this one is of a test. */
export const moneyKept = ({ paymentGateway: { money } }: Paying): readonly Money[] => [
  money,
  'live',
];

/** What was earned of it and would be lost with the user's account. */
export async function lostWith(
  core: Paying,
  { earnings }: Pick<ReadStores, 'earnings'>,
  userId: UserId,
  now: Timestamp,
): Promise<Decimal> {
  for (const kept of moneyKept(core)) {
    const { balance } = await earnings.totals(userId, kept, now);
    if (!balance.eq(ZERO)) return balance;
  }
  return ZERO;
}

/** The owner's earnings of an invoice paid now, at the present commission. */
export async function bookSale(
  { ids, paymentGateway: { money } }: Needs & Paying,
  stores: Kept,
  invoice: Invoice,
  now: Timestamp,
): Promise<void> {
  const strategy = await stores.strategies.find(invoice.strategyId);
  const owner = strategy && (await stores.users.find(strategy.userId));
  if (!owner) throw new Error(`strategy ${invoice.strategyId} has no owner`);
  await stores.earnings.save(saleOf(invoice, owner, { id: ids.next(), money, now }));
}

/** The rows for a change of the invoice: the owner keeps their share of the paid and not refunded amount. */
export async function rowsOfChange(
  { ids }: Needs,
  { earnings }: Pick<ReadStores, 'earnings'>,
  invoice: Invoice,
  change: Change,
  now: Timestamp,
): Promise<Earning[]> {
  const rows = await earnings.ofInvoice(invoice.id);
  const remainder = { ...CHANGES[change.kind], price: remainderOf(invoice), ...settling(change) };
  return adjustTo(rows, remainder, () => ids.next(), now);
}

/** Returns by how much the owner's earnings changed. */
export async function bookChange(
  needs: Needs,
  stores: Pick<Stores, 'earnings'>,
  invoice: Invoice,
  change: Change,
  now: Timestamp,
): Promise<Decimal> {
  const rows = await rowsOfChange(needs, stores, invoice, change, now);
  for (const row of rows) await stores.earnings.save(row);
  return sum(rows.map(({ amount }) => amount));
}
