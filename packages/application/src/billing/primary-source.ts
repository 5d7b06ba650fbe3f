import {
  type PaymentDirection,
  type PaymentSource,
  Refusal,
  type UserId,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';

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

export const noSource = (): Refusal =>
  new Refusal('payment_required', 'add a payment source by newPaymentSource first');
