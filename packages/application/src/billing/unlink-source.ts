import type { PaymentSource } from '@slipstream/domain';
import type { Core } from '../core.js';

/** Has the gateway remove a source. If it fails, nobody can use the source here, because no row names it. */
export async function unlinkSource(
  { paymentGateway, log }: Pick<Core, 'paymentGateway' | 'log'>,
  { id: sourceId, gatewayRef }: Pick<PaymentSource, 'id' | 'gatewayRef'>,
): Promise<void> {
  try {
    await paymentGateway.unlink(gatewayRef);
  } catch (error) {
    const { name } = error instanceof Error ? error : { name: 'Error' };
    log.warn({ sourceId, error: name }, 'the payment gateway did not remove a payment source');
  }
}
