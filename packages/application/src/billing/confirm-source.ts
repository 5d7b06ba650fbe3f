import {
  type PaymentSource,
  type PaymentSourceId,
  type Timestamp,
  MINUTE,
  HOUR,
} from '@slipstream/domain';
import type { ConfirmationAnswer, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { saveActive } from './primary-source.js';
import { unlinkSource } from './unlink-source.js';

/** A card that is not confirmed by then is removed; its owner may add it again. */
const WAITS_FOR = 24 * HOUR;

/** When to check a source that waits for confirmation: every minute at first, later every hour. */
export const confirmationDue = (
  { createdAt }: Pick<PaymentSource, 'createdAt'>,
  now: Timestamp,
): Timestamp => now + (now - createdAt < HOUR ? MINUTE : HOUR);

/** Checks the confirmation of a source and stores the result. A repeat changes nothing more. */
export async function confirmSource(core: Core, sourceId: PaymentSourceId): Promise<void> {
  const { unitOfWork, paymentGateway, clock } = core;
  const waiting = await unitOfWork.run(async ({ paymentSources }) => {
    const source = await paymentSources.find(sourceId);
    const dueAt = source?.status === 'pending' ? confirmationDue(source, clock.now()) : null;
    // Nothing is asked of one that its account's end removed: it would be due for ever.
    if (source && dueAt !== source.dueAt) await paymentSources.save({ ...source, dueAt });
    if (source?.status !== 'pending') return undefined;
    return source;
  });
  if (!waiting) return;
  const answer = await paymentGateway.confirmation(waiting.gatewayRef);
  const isGone = await unitOfWork.run((stores) => follow(stores, sourceId, answer, clock.now()));
  if (isGone) await unlinkSource(core, waiting);
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
  if (answer.kind === 'waiting' && source.createdAt + WAITS_FOR > now) return false;
  const decided = { ...source, dueAt: null, updatedAt: now };
  if (answer.kind !== 'linked') {
    const gone = { status: 'deleted', sealedDetails: null, primary: false } as const;
    await stores.paymentSources.save({ ...decided, ...gone });
    return true;
  }
  await saveActive(
    stores,
    { ...decided, status: 'active', gatewayRef: answer.ref, description: answer.description },
    now,
  );
  return false;
}
