import {
  ACCOUNT_NOTIFICATION,
  type Endpoint,
  type EndpointId,
  type StrategyId,
  topicOfStrategy,
  topicOfValues,
} from '@slipstream/domain';
import { type Event, type Ports, type ReadStores, type Stores, surelyBy } from '@slipstream/ports';
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

/** Disables those endpoints of the user, because their access has ended. */
export async function endEndpoints(
  { endpoints }: Pick<Stores, 'endpoints'>,
  userId: Endpoint['userId'],
  isOver: (endpoint: Endpoint) => boolean,
  reason: string,
): Promise<void> {
  for (const endpoint of await endpoints.listOf(userId))
    if (endpoint.status === 'active' && isOver(endpoint))
      await endpoints.save(disabled(endpoint, reason));
}

type AccessChanged = Pick<Event & { readonly kind: 'access_changed' }, 'strategyId' | 'userId'>;

/** Endpoints of one transaction: few, so that commands run in between. */
const STEP = 200;

/** Ends those of the endpoints that may tell nothing of any strategy that they name. */
async function endUnheard(
  core: Pick<Ports, 'ids' | 'clock'>,
  stores: Stores,
  endpoints: readonly Endpoint[],
  strategyId: StrategyId,
): Promise<void> {
  for (const endpoint of endpoints)
    for (const name of endpoint.events) {
      const now = surelyBy(core.clock);
      const barred = await unheard(stores, endpoint, { name, strategyId, userId: null }, now);
      if (!barred?.isOver) continue;
      await endEndpoint(core, stores, endpoint, barred.reason);
      break;
    }
}

const names = ({ status, strategyIds }: Endpoint, strategyId: StrategyId): boolean =>
  status === 'active' && strategyIds?.includes(strategyId) === true;

/**
 * Ends the endpoints that name a strategy when the access to it ends: one that ends later, at the next event, would tell when something
 * happened. Those that are missed, because the process ended, end then.
 */
export const endWithAccess =
  (
    core: Pick<Ports, 'ids' | 'clock'> & {
      readonly unitOfWork: Pick<Ports['unitOfWork'], 'run' | 'read'>;
    },
  ) =>
  async ({ strategyId, userId }: AccessChanged): Promise<void> => {
    if (strategyId === null) return;
    const end = (read: (stores: ReadStores) => Promise<readonly Endpoint[]>) =>
      core.unitOfWork.run(async (stores) => {
        const found = await read(stores);
        const named = found.filter((one) => names(one, strategyId));
        await endUnheard(core, stores, named, strategyId);
        return found.length < STEP ? undefined : found.at(-1)?.id;
      });
    if (userId !== null) {
      const own = ({ endpoints }: ReadStores) => endpoints.listOf(userId);
      const hasAny = (await core.unitOfWork.read(own)).some((one) => names(one, strategyId));
      if (hasAny) await end(own);
      return;
    }
    const topic = topicOfStrategy(strategyId);
    const topics = [topic, topicOfValues(topic)];
    const next = (cursor: EndpointId | null) =>
      end(({ endpoints }) => endpoints.listening(topics, cursor, STEP));
    let last = await next(null);
    while (last !== undefined) last = await next(last);
  };
