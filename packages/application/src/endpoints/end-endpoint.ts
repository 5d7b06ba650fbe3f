import { ACCOUNT_NOTIFICATION, type Endpoint } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { keepNotification } from '../messages/notify.js';
import { disabled } from './targets.js';

/** Disables an endpoint that may tell nothing any more, and notifies its owner of the reason. */
export async function endEndpoint(
  core: Pick<Core, 'ids' | 'clock'>,
  stores: Stores,
  endpoint: Endpoint,
  reason: string,
): Promise<void> {
  await stores.endpoints.save(disabled(endpoint, reason));
  const { id, kind, userId } = endpoint;
  const text = `Your ${kind} endpoint (${id}) was disabled: ${reason}.`;
  await keepNotification(core, stores, ACCOUNT_NOTIFICATION, { userId, text });
}
