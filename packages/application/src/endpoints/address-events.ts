import { type Endpoint, type Timestamp, asksFor } from '@slipstream/domain';
import { type Stores, type UnaddressedEvent, surelyBy } from '@slipstream/ports';
import type { Core } from '../core.js';
import { endEndpoint } from './end-endpoint.js';
import { unheard } from './hearing.js';

/** Endpoints of one step, and events of one transaction: few, so that commands run in between. */
const STEP = 50;

const isFor = ({ userId }: Endpoint, event: UnaddressedEvent): boolean =>
  event.userId === null || event.userId === userId;

/** Gives the next endpoints that listen their deliveries of the event. Answers how many endpoints it looked at. */
async function addressNext(
  core: Pick<Core, 'ids' | 'clock'>,
  stores: Stores,
  event: UnaddressedEvent,
  now: Timestamp,
): Promise<number> {
  const { endpoints, endpointEvents, deliveries } = stores;
  const listening = await endpoints.listening(event.topics, event.addressedTo, STEP);
  for (const endpoint of listening) {
    if (!asksFor(endpoint, event) || !isFor(endpoint, event)) continue;
    // Its deliveries would tell how often and when something happens that its user may not see.
    const barred = await unheard(stores, endpoint, event, surelyBy(core.clock));
    if (barred?.isOver) await endEndpoint(core, stores, endpoint, barred.reason);
    if (barred) continue;
    await deliveries.save({
      id: core.ids.next(),
      endpointId: endpoint.id,
      eventId: event.id,
      event: event.name,
      place: event.place,
      status: 'pending',
      attempt: 0,
      responseStatus: null,
      reason: null,
      nextAt: now,
      createdAt: now,
    });
    await endpoints.wake(endpoint.id, now);
  }
  const last = listening.length < STEP ? null : (listening.at(-1)?.id ?? null);
  await endpointEvents.addressed(event.id, last);
  return listening.length;
}

/**
 * Gives the endpoints that listen, and may hear them, their deliveries of the events that were kept, in the order of the events. It is
 * not part of the transaction of the event, so that no number of followers makes an order wait. `until`: those that happened later may
 * stay. `within`: so may those that are left after so many milliseconds.
 */
export const addressEvents =
  (core: Pick<Core, 'unitOfWork' | 'clock' | 'ids'>) =>
  async (until: Timestamp = Infinity, within = Infinity): Promise<void> => {
    const { unitOfWork, clock } = core;
    const begun = clock.now();
    const isAnyLeft = () =>
      unitOfWork.read(async ({ endpointEvents }) => {
        const [next] = await endpointEvents.unaddressed(1);
        return next !== undefined && next.createdAt <= until;
      });
    while (clock.now() - begun <= within && (await isAnyLeft())) {
      await unitOfWork.run(async (stores) => {
        const now = clock.now();
        let looked = 0;
        for (const event of await stores.endpointEvents.unaddressed(STEP)) {
          looked += await addressNext(core, stores, event, now);
          if (looked >= STEP) return;
        }
      });
    }
  };
