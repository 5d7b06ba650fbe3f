import type { Endpoint, Timestamp } from '@slipstream/domain';
import type { LastTurn, Stores } from '@slipstream/ports';

/** Sets when a delivery of the endpoint is due next; a disabled one waits. */
export async function scheduleNext(
  { endpoints, deliveries }: Pick<Stores, 'endpoints' | 'deliveries'>,
  { id: endpointId, status }: Endpoint,
  now: Timestamp,
  lastTurn: LastTurn = 'well',
): Promise<void> {
  const next = status === 'active' ? await deliveries.nextAt(endpointId) : null;
  // What is due already takes its turn after those that wait.
  await endpoints.schedule(endpointId, next && Math.max(next, now), lastTurn);
}
