import {
  ACCOUNT_NOTIFICATION,
  type Endpoint,
  type EndpointId,
  type StrategyId,
  type Timestamp,
  topicOfStrategy,
  topicOfValues,
} from '@slipstream/domain';
import { type Ports, type Stores, surelyBy } from '@slipstream/ports';
import { keepNotification } from '../messages/notify.js';
import { unheard } from './hearing.js';
import { disabled } from './targets.js';

/** Disables an endpoint that may tell nothing any more, and notifies its owner of the reason. */
export async function endEndpoint(
  core: Pick<Ports, 'ids' | 'clock'>,
  stores: Stores,
  endpoint: Endpoint,
  reason: string,
): Promise<void> {
  await stores.endpoints.save(disabled(endpoint, reason));
  const { id, kind, userId } = endpoint;
  const text = `Your ${kind} endpoint (${id}) was disabled: ${reason}.`;
  await keepNotification(core, stores, ACCOUNT_NOTIFICATION, { userId, text });
}

/** Endpoints of one transaction: few, so that commands run in between. */
const STEP = 200;

/** Why the endpoint may tell nothing of any strategy that it names; undefined if it may. */
async function reasonToEnd(
  stores: Stores,
  endpoint: Endpoint,
  strategyId: StrategyId,
  now: Timestamp,
): Promise<string | undefined> {
  if (endpoint.strategyIds === null) return undefined;
  for (const name of endpoint.events) {
    const barred = await unheard(stores, endpoint, { name, strategyId, userId: null }, now);
    if (barred?.isOver) return barred.reason;
  }
  return undefined;
}

/**
 * Ends the endpoints that hear of a strategy when their access ends: that one ends later, at the next event, would tell when something
 * happened. Those that are missed, because the process ended, end then.
 */
export const endWithAccess =
  (
    core: Pick<Ports, 'ids' | 'clock'> & {
      readonly unitOfWork: Pick<Ports['unitOfWork'], 'run'>;
    },
  ) =>
  async (strategyId: StrategyId): Promise<void> => {
    const topic = topicOfStrategy(strategyId);
    const endAfter = (cursor: EndpointId | null) =>
      core.unitOfWork.run(async (stores) => {
        const topics = [topic, topicOfValues(topic)];
        const listening = await stores.endpoints.listening(topics, cursor, STEP);
        for (const endpoint of listening) {
          const reason = await reasonToEnd(stores, endpoint, strategyId, surelyBy(core.clock));
          if (reason !== undefined) await endEndpoint(core, stores, endpoint, reason);
        }
        return listening.length < STEP ? undefined : listening.at(-1)?.id;
      });
    let last = await endAfter(null);
    while (last !== undefined) last = await endAfter(last);
  };
