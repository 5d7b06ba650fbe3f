import {
  HOUR,
  type PaymentSourceId,
  type Timestamp,
  deletedSource,
  sourceAskedAgainAt,
} from '@slipstream/domain';
import type { ConfirmationAnswer, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { saveActive } from './primary-source.js';
import { unlinkSource } from './unlink-source.js';

/** A card that is not confirmed by then is removed; its owner may add it again. */
const WAITS_FOR = 24 * HOUR;

/**
 * Checks the confirmation of a source and stores the result. A repeat changes nothing more. A source waits no longer if it has waited
 * its time when the gateway is asked: while the answer is on its way, its owner may confirm it.
 */
export async function confirmSource(core: Core, sourceId: PaymentSourceId): Promise<void> {
  const { unitOfWork, paymentGateway, clock } = core;
  const waiting = await unitOfWork.run(async ({ paymentSources }) => {
    const source = await paymentSources.find(sourceId);
    if (source?.status !== 'pending') return undefined;
    const now = clock.now();
    const dueAt = sourceAskedAgainAt(source.createdAt, now);
    await paymentSources.save({ ...source, dueAt });
    return { gatewayRef: source.gatewayRef, isLast: source.createdAt + WAITS_FOR <= now };
  });
  if (!waiting) return;
  const answer = await paymentGateway.confirmation(waiting.gatewayRef);
  if (answer.kind === 'waiting' && !waiting.isLast) return;
  const isGone = await unitOfWork.run((stores) => follow(stores, sourceId, answer, clock.now()));
  if (isGone) await unlinkSource(core, sourceId);
}

/** Answers whether the source was removed. */
async function follow(
  stores: Stores,
  sourceId: PaymentSourceId,
  answer: ConfirmationAnswer,
  now: Timestamp,
): Promise<boolean> {
  const source = await stores.paymentSources.find(sourceId);
  if (source?.status !== 'pending') return false;
  if (answer.kind !== 'linked') {
    await stores.paymentSources.save(deletedSource(source, now));
    return true;
  }
  const { ref: gatewayRef, description } = answer;
  const active = { ...source, status: 'active', gatewayRef, description } as const;
  await saveActive(stores, { ...active, dueAt: null, updatedAt: now }, now);
  return false;
}
