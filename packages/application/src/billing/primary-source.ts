import {
  type PaymentDirection,
  type PaymentSource,
  Refusal,
  type Timestamp,
  type UserId,
  DAY,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';

/** The source with which the user pays, or to which payouts go; undefined if there is none. */
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

/** Saves a usable source. It becomes primary on request or if there is no primary source. */
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

/** A new payout source waits, so that its owner can object if somebody else added it (contract 16). */
export const payableFrom = ({ createdAt }: PaymentSource): Timestamp => createdAt + 3 * DAY;

export const noSource = (): Refusal =>
  new Refusal(
    'payment_required',
    'add a card or another source of payments first (newPaymentSource)',
  );
