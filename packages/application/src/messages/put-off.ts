import {
  DAY,
  type DeliveryId,
  type EndpointId,
  HOUR,
  type Timestamp,
  isHeldTooLong,
  isPutOffTooFar,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { Throttle } from '../housekeeping/throttle.js';

/** Everything that waits is due within so long, whatever the clock showed when it was put off. */
const FAR = 100 * 365 * DAY;
/** The most of each kind in one look. */
const AT_ONCE = 500;
/** The deliveries of an endpoint that are read in one transaction. */
const PAGE = 100;

/**
 * Makes due what failed while the clock was ahead: it would wait until the clock is there again. It looks at the start, when the
 * clock was set back, and once an hour.
 */
function lookNowAndThen(
  { clock }: Pick<Core, 'clock'>,
  look: (now: number) => Promise<void>,
): () => Promise<void> {
  const throttle = new Throttle();
  return async () => {
    const now = clock.now();
    if (!throttle.isDue(now)) return;
    throttle.done(now, HOUR);
    await look(now);
  };
}

/** The same for mails. They are read again to be changed: one may have been deleted with its account. */
export const mailsPutOff = ({ unitOfWork, clock }: Core): (() => Promise<void>) =>
  lookNowAndThen({ clock }, async (now) => {
    const late = async ({ mails }: Pick<ReadStores, 'mails'>) =>
      (await mails.due(now + FAR, AT_ONCE)).filter((mail) => isPutOffTooFar(mail, now));
    if ((await unitOfWork.read(late)).length === 0) return;
    await unitOfWork.run(async (stores) => {
      for (const mail of await late(stores)) await stores.mails.save({ ...mail, dueAt: now });
    });
  });

const LINES = ['well', 'failed'] as const;

/** The same for deliveries to endpoints. */
export const deliveriesPutOff = ({ unitOfWork, clock }: Core): (() => Promise<void>) => {
  /** Makes those of an endpoint due that wait too long, however many newer ones it has. */
  const bringBack = async (endpointId: EndpointId, now: Timestamp): Promise<void> => {
    for (let cursor: DeliveryId | undefined, isLast = false; !isLast;) {
      const page = await unitOfWork.run(async ({ endpoints, deliveries }) => {
        const some = await deliveries.list(endpointId, { limit: PAGE, cursor });
        for (const one of some)
          if (isHeldTooLong(one, now)) await deliveries.save({ ...one, nextAt: now });
        await endpoints.wake(endpointId, now);
        return some;
      });
      cursor = page.at(-1)?.id;
      isLast = page.length < PAGE;
    }
  };

  return lookNowAndThen({ clock }, async (now) => {
    const late = await unitOfWork.read(async ({ endpoints, deliveries }) => {
      const found: EndpointId[] = [];
      for (const line of LINES)
        for (const { id: endpointId } of await endpoints.due(now + FAR, AT_ONCE, line)) {
          const first = await deliveries.retried(endpointId, now + FAR);
          if (first && isHeldTooLong(first, now)) found.push(endpointId);
        }
      return found;
    });
    for (const endpointId of late) await bringBack(endpointId, now);
  });
};
