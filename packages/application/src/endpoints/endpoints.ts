import {
  type Decimal,
  EVENT_READS,
  type Endpoint,
  type EndpointKind,
  type EndpointStatus,
  type EventName,
  Refusal,
  type StrategyId,
  type Timestamp,
  type Token,
  grants,
  id,
  isWithin,
  isWhole,
  rotated,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { callingToken } from '../accounts/calling-token.js';
import type { Caller, UserCaller } from '../caller.js';
import { requireBelowCap } from '../caps.js';
import type { Core } from '../core.js';
import { followedStrategy, requireUser, visibleStrategy } from '../strategies/access.js';
import { type TargetFields, invalid, secretOf, senderOf, targetOf } from './given-target.js';
import { removeEndpoint } from './remove-endpoints.js';
import { scheduleNext } from './schedule-next.js';
import { type EndpointView, openTarget, sealTarget, viewEndpoint } from './targets.js';

export interface NewEndpoint extends TargetFields {
  readonly kind: EndpointKind;
  readonly events: readonly EventName[];
  readonly strategyIds?: readonly string[] | undefined;
  readonly valueLevels?: readonly Decimal[] | undefined;
}

export interface UpdateEndpoint extends TargetFields {
  readonly endpointId: string;
  readonly events?: readonly EventName[] | undefined;
  readonly strategyIds?: readonly string[] | null | undefined;
  readonly valueLevels?: readonly Decimal[] | undefined;
  readonly status?: EndpointStatus | undefined;
  readonly rotateSecret?: boolean | undefined;
}

/** An endpoint with the secret of a webhook, if it is new: it is shown once. */
export interface MadeEndpointView extends EndpointView {
  readonly secret: string | null;
}

type Asked = Pick<Endpoint, 'events' | 'strategyIds' | 'valueLevels'>;

/** Whether the caller may hear all that: the scope of each event's read, and the strategies. */
async function requireHearable(
  stores: ReadStores,
  caller: UserCaller,
  { events, strategyIds, valueLevels }: Asked,
): Promise<void> {
  const token = { type: caller.tokenType, scope: caller.scope };
  const beyond = events.find((name) => !grants(token, EVENT_READS[name]));
  if (beyond !== undefined)
    throw invalid(`the event ${beyond} needs a token with the scope ${EVENT_READS[beyond]}`);
  if (caller.strategyIds && !strategyIds?.every((one) => caller.strategyIds?.includes(one)))
    throw invalid('strategy_ids must be among those of the calling token');
  const ofAccount = events.find((name) => strategyIds?.some((one) => !isWithin(caller, name, one)));
  if (ofAccount !== undefined)
    throw invalid(`the event ${ofAccount} needs a token that is bound to no strategies`);
  if (events.includes('value.crossed') !== valueLevels.length > 0)
    throw invalid('value_levels must be given with the event value.crossed, and only with it');
  const onlyValues = events.every((name) => name === 'value.crossed');
  for (const strategyId of strategyIds ?? [])
    await (onlyValues ? visibleStrategy : followedStrategy)(stores, caller, strategyId);
}

const idsOf = (names: readonly string[]): readonly StrategyId[] => [
  ...new Set(names.map((name) => id<'strategy'>(name))),
];

/** The token that an endpoint ends with: as with the tokens that a token makes, none for a caller with all rights. */
async function tokenToEndWith(
  { clock }: Pick<Core, 'clock'>,
  stores: Pick<ReadStores, 'tokens'>,
  caller: UserCaller,
): Promise<Token['id'] | null> {
  const token = await callingToken(stores, caller, clock.now());
  return isWhole(token) ? null : token.id;
}

/** What happened before a change of who listens is given to those who listened then. */
type Address = (until: Timestamp) => Promise<void>;

/** Adds an endpoint. The secret of a webhook is shown in this answer alone. */
export const newEndpoint =
  (core: Core, address: Address) =>
  async (caller: Caller, command: NewEndpoint): Promise<MadeEndpointView> => {
    const user = requireUser(caller);
    const { clock, ids, settings, unitOfWork } = core;
    const target = targetOf(senderOf(core), command.kind, command, undefined);
    const endpointId = ids.next<'endpoint'>();
    await address(clock.now());
    const now = clock.now();
    return unitOfWork.run(async (stores) => {
      const asked: Asked = {
        events: [...new Set(command.events)],
        strategyIds: command.strategyIds ? idsOf(command.strategyIds) : null,
        valueLevels: command.valueLevels ?? [],
      };
      await requireHearable(stores, user, asked);
      const all = await stores.endpoints.listOf(user.userId);
      requireBelowCap(settings.caps, 'endpoints', all.length);
      const endpoint: Endpoint = {
        id: endpointId,
        userId: user.userId,
        tokenId: await tokenToEndWith(core, stores, user),
        kind: command.kind,
        ...asked,
        status: 'active',
        statusReason: null,
        sealedTarget: sealTarget(core, endpointId, target),
        createdAt: now,
      };
      await stores.endpoints.save(endpoint);
      const view = { ...viewEndpoint(core, endpoint), secret: secretOf(target) };
      stores.answerWith(view);
      return view;
    });
  };

/** The caller's endpoint. Another user's is refused as one that does not exist. */
export async function ownEndpoint(
  { endpoints }: Pick<ReadStores, 'endpoints'>,
  caller: Caller,
  endpointId: string,
): Promise<Endpoint> {
  const { userId } = requireUser(caller);
  const endpoint = await endpoints.find(id<'endpoint'>(endpointId));
  if (endpoint?.userId === userId) return endpoint;
  throw new Refusal('not_found', `endpoint ${endpointId} does not exist`, endpoint !== undefined);
}

/** A bound token changes no endpoint that hears of other strategies: it could redirect it to its own, and silence it about them. */
function requireChangeable({ strategyIds: bound }: UserCaller, { strategyIds }: Endpoint): void {
  if (bound && !strategyIds?.every((one) => bound.includes(one)))
    throw new Refusal('unauthenticated', 'the token is bound to other strategies');
}

/** The caller's endpoints, newest first. */
export const getEndpoints =
  (core: Core) =>
  async (caller: Caller): Promise<EndpointView[]> => {
    const { userId } = requireUser(caller);
    const all = await core.unitOfWork.read(({ endpoints }) => endpoints.listOf(userId));
    return all.map((endpoint) => viewEndpoint(core, endpoint));
  };

/**
 * Changes an endpoint; absent fields stay. It then ends with the calling token, whose rights it needs. A new secret is shown in this
 * answer alone, and the one before signs beside it for a day. What waited is sent when it is active again.
 */
export const updateEndpoint =
  (core: Core, address: Address) =>
  async (caller: Caller, command: UpdateEndpoint): Promise<MadeEndpointView> => {
    const user = requireUser(caller);
    const sender = senderOf(core);
    await address(core.clock.now());
    const now = core.clock.now();
    return core.unitOfWork.run(async (stores) => {
      const before = await ownEndpoint(stores, user, command.endpointId);
      requireChangeable(user, before);
      const asked: Asked = {
        events: command.events ? [...new Set(command.events)] : before.events,
        strategyIds:
          command.strategyIds === undefined
            ? before.strategyIds
            : command.strategyIds && idsOf(command.strategyIds),
        valueLevels: command.valueLevels ?? before.valueLevels,
      };
      await requireHearable(stores, user, asked);
      const targetBefore = openTarget(core, before);
      const kept = targetOf(sender, before.kind, command, targetBefore);
      const secret = command.rotateSecret === true ? sender.newSecret() : null;
      if (secret !== null && kept.kind !== 'webhook')
        throw invalid('rotate_secret is not a field of messengers');
      const target =
        secret !== null && kept.kind === 'webhook'
          ? { ...kept, secrets: rotated(kept.secrets, secret, now) }
          : kept;
      const status = command.status ?? before.status;
      const after: Endpoint = {
        ...before,
        ...asked,
        tokenId: await tokenToEndWith(core, stores, user),
        status,
        statusReason: status === before.status ? before.statusReason : null,
        sealedTarget: sealTarget(core, before.id, target),
      };
      await stores.endpoints.save(after);
      await scheduleNext(stores, after, now);
      const view = {
        ...viewEndpoint(core, after),
        // Without the target before, which a lost master key took, its secret is new too.
        secret: secret ?? (targetBefore ? null : secretOf(target)),
      };
      stores.answerWith(view);
      return view;
    });
  };

/** Removes an endpoint with its deliveries. */
export const deleteEndpoint =
  ({ unitOfWork }: Core) =>
  async (caller: Caller, { endpointId }: { readonly endpointId: string }): Promise<void> =>
    unitOfWork.run(async (stores) => {
      await removeEndpoint(stores, await ownEndpoint(stores, caller, endpointId));
      stores.answerWith(undefined);
    });
