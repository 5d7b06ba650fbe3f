import type { Endpoint } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';

/** Deliveries or events removed by one statement. */
const PIECE = 500;

/** Removes an endpoint with its deliveries. */
export async function removeEndpoint(stores: Stores, { id: endpointId }: Endpoint): Promise<void> {
  for (let left = PIECE; left === PIECE;) {
    const some = await stores.deliveries.ofEndpoint(endpointId, PIECE);
    await stores.deliveries.remove(some);
    left = some.length;
  }
  await stores.endpoints.remove(endpointId);
}

/** Removes the endpoints of a user, and the events that only this user was told. */
export async function removeEndpoints(stores: Stores, userId: Endpoint['userId']): Promise<void> {
  for (const endpoint of await stores.endpoints.listOf(userId))
    await removeEndpoint(stores, endpoint);
  for (let left = PIECE; left === PIECE;) {
    const some = await stores.endpointEvents.ofUser(userId, PIECE);
    await stores.endpointEvents.remove(some);
    left = some.length;
  }
}
