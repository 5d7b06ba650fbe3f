import {
  type PaymentSource,
  type PaymentSourceId,
  type Timestamp,
  sourceAskedAgainAt,
} from '@slipstream/domain';
import type { Core } from '../core.js';

/** Has the gateway remove a deleted source. Until it has, the source is due again and again: the gateway may not answer, and a crash may come first. */
export async function unlinkSource(
  { unitOfWork, paymentGateway, clock }: Pick<Core, 'unitOfWork' | 'paymentGateway' | 'clock'>,
  sourceId: PaymentSourceId,
): Promise<void> {
  /** The source, if it is still to be removed, and is asked for again then. */
  const next = (dueAt: (source: PaymentSource) => Timestamp | null) =>
    unitOfWork.run(async ({ paymentSources }) => {
      const source = await paymentSources.find(sourceId);
      if (source?.status !== 'deleted' || source.dueAt === null) return undefined;
      await paymentSources.save({ ...source, dueAt: dueAt(source) });
      return source;
    });
  const deleted = await next(({ updatedAt }) => sourceAskedAgainAt(updatedAt, clock.now()));
  if (!deleted) return;
  await paymentGateway.unlink(deleted.gatewayRef);
  await next(() => null);
}

async function ifPossible(
  { log }: Pick<Core, 'log'>,
  sourceId: PaymentSourceId,
  unlinks: () => Promise<void>,
): Promise<void> {
  try {
    await unlinks();
  } catch (error) {
    const fields = { sourceId, error: String(error) };
    log.warn(fields, 'the payment gateway did not remove a payment source');
  }
}

/** The same for a request: with what fails now the billing goes on. */
export const unlinkIfPossible = (core: Core, sourceId: PaymentSourceId): Promise<void> =>
  ifPossible(core, sourceId, () => unlinkSource(core, sourceId));

/** The same of a source that was linked and could not be stored: no row is due, so it is asked for once. */
export const unlinkUnstored = (
  core: Core,
  { id, gatewayRef }: Pick<PaymentSource, 'id' | 'gatewayRef'>,
): Promise<void> => ifPossible(core, id, () => core.paymentGateway.unlink(gatewayRef));
