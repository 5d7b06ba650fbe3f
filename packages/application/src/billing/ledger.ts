import { type Invoice, type Timestamp, reversalOf, saleOf } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';

type Needs = Pick<Core, 'ids'>;
type Kept = Pick<Stores, 'earnings' | 'strategies' | 'users'>;

/** What the strategy's owner earns by an invoice that was paid just now, with the commission of now. */
export async function bookSale(
  { ids }: Needs,
  stores: Kept,
  invoice: Invoice,
  now: Timestamp,
): Promise<void> {
  const strategy = await stores.strategies.find(invoice.strategyId);
  const owner = strategy && (await stores.users.find(strategy.userId));
  if (!owner) throw new Error(`strategy ${invoice.strategyId} has no owner`);
  await stores.earnings.save(saleOf(invoice, owner, ids.next(), now));
}

/** Takes back what the invoice earned and is not taken back yet. */
export async function bookReversal(
  { ids }: Needs,
  { earnings }: Pick<Stores, 'earnings'>,
  invoice: Invoice,
  kind: 'refund' | 'chargeback',
  now: Timestamp,
): Promise<void> {
  const rows = await earnings.ofInvoice(invoice.id);
  const reversal = reversalOf(rows, kind, ids.next(), now);
  if (reversal) await earnings.save(reversal);
}
