import { type Delivery, Refusal, id, retriedNow } from '@slipstream/domain';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';
import { requireUser } from '../strategies/access.js';
import { ownEndpoint } from './endpoints.js';
import { scheduleNext } from './schedule-next.js';

/** The deliveries of one of the caller's endpoints, newest first. */
export const getDeliveries =
  ({ unitOfWork }: Core) =>
  async (
    caller: Caller,
    command: PageRequest & { readonly endpointId: string },
  ): Promise<Delivery[]> => {
    const page = pageOf(command);
    return unitOfWork.read(async (stores) => {
      const { id: endpointId } = await ownEndpoint(stores, caller, command.endpointId);
      return stores.deliveries.list(endpointId, page);
    });
  };

/** Makes a delivery due now, under its id; also one that was delivered or given up. */
export const retryDelivery =
  ({ unitOfWork, clock }: Core) =>
  async (caller: Caller, command: { readonly deliveryId: string }): Promise<Delivery> => {
    requireUser(caller);
    const now = clock.now();
    return unitOfWork.run(async (stores) => {
      const { deliveryId } = command;
      const delivery = await stores.deliveries.find(id<'delivery'>(deliveryId));
      const unknown = (hides: boolean): Refusal =>
        new Refusal('not_found', `delivery ${deliveryId} does not exist`, hides);
      if (!delivery) throw unknown(false);
      const endpoint = await stores.endpoints.find(delivery.endpointId);
      if (!endpoint) throw unknown(false);
      if (endpoint.userId !== requireUser(caller).userId) throw unknown(true);
      if (endpoint.status !== 'active')
        throw new Refusal(
          'conflict',
          'the endpoint is disabled: make it active first (updateEndpoint)',
        );
      const retried = retriedNow(delivery, now);
      await stores.deliveries.save(retried);
      await scheduleNext(stores, endpoint, now);
      stores.answerWith(retried);
      return retried;
    });
  };
