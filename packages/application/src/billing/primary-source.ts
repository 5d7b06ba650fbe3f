import {
  type PaymentDirection,
  type PaymentSource,
  Refusal,
  type Timestamp,
  type UserId,
  DAY,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';

/** What the user pays with, or is paid to; undefined when there is none. */
export async function primarySource(
  { paymentSources }: Pick<ReadStores, 'paymentSources'>,
  userId: UserId,
  direction: PaymentDirection,
): Promise<PaymentSource | undefined> {
  const sources = await paymentSources.listOf(userId);
  return sources.find(
    (source) => source.status === 'active' && source.direction === direction && source.primary,
  );
}

/** Saves a source that can be used now: as the primary one when it wants to be or there is none, in place of the former. */
export async function saveActive(
  stores: Pick<Stores, 'paymentSources'>,
  source: PaymentSource,
  now: Timestamp,
): Promise<PaymentSource> {
  const former = await primarySource(stores, source.userId, source.direction);
  const made = { ...source, primary: source.primary || former === undefined };
  if (former && made.primary) {
    await stores.paymentSources.save({ ...former, primary: false, updatedAt: now });
  }
  await stores.paymentSources.save(made);
  return made;
}

/** A payout source waits, so that its owner can say that it was not them who added it (contract 16). */
export const payableFrom = ({ createdAt }: PaymentSource): Timestamp => createdAt + 3 * DAY;

export const noSource = (): Refusal =>
  new Refusal('payment_required', 'add a payment source by newPaymentSource first');
