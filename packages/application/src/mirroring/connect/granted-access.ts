import {
  type BrokerConnection,
  type ConnectionId,
  Refusal,
  type UserId,
  id,
} from '@slipstream/domain';
import type { Broker, BrokerLink, ReadStores, Stores } from '@slipstream/ports';
import type { BotDeps } from '../bot-deps.js';
import { openSealed } from '../broker-access.js';
import { requireCredentials } from '../broker-credentials.js';

/** The context that the secrets of a connection are sealed with. */
export const connectionContext = (connectionId: ConnectionId): string =>
  `broker_connection|${connectionId}`;

/** Credentials for `link`, as the caller gave them or as a connection holds them. */
export interface GivenAccess {
  readonly credentials: BrokerLink['credentials'];
  /** The connection that they come from, and the account that its owner confirmed; null for the caller's own. */
  readonly connection: { readonly id: ConnectionId; readonly accountId: string } | null;
}

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** The user's connection with access to an account of that broker. */
async function requireGranted(
  { connections }: Pick<ReadStores, 'connections'>,
  userId: UserId,
  broker: string,
  connectionId: unknown,
  now: number,
) {
  const found =
    typeof connectionId === 'string'
      ? await connections.find(id<'connection'>(connectionId))
      : undefined;
  const isOwn = found?.userId === userId && found.expiresAt > now;
  if (!isOwn || found.progress.kind !== 'granted')
    throw new Refusal(
      'invalid_field',
      'credentials.connection_id is wrong, used or too old; connect again (newConnection)',
    );
  if (found.broker !== broker)
    throw new Refusal(
      'invalid_field',
      `credentials.connection_id is of the broker ${found.broker}, not of ${broker}`,
    );
  return { ...found, progress: found.progress };
}

/**
 * The credentials of a request: the fields that the broker requires, or `connection_id` of an access that the user gave on the
 * broker's page.
 */
export async function givenAccess(
  deps: Pick<BotDeps, 'unitOfWork' | 'secretBox' | 'clock'>,
  userId: UserId,
  broker: Broker,
  given: unknown,
): Promise<GivenAccess> {
  if (!isObject(given) || !Object.hasOwn(given, 'connection_id'))
    return { credentials: requireCredentials(broker, given), connection: null };
  if (Object.keys(given).length > 1)
    throw new Refusal('invalid_field', 'credentials.connection_id stands alone');
  const { id: connectionId, progress } = await deps.unitOfWork.read((stores) =>
    requireGranted(stores, userId, broker.name, given['connection_id'], deps.clock.now()),
  );
  const opened = openSealed(deps.secretBox, progress.sealed, connectionContext(connectionId));
  return {
    credentials: JSON.parse(opened) as BrokerLink['credentials'],
    connection: { id: connectionId, accountId: progress.accountId },
  };
}

/** Refuses access to an account that is not the confirmed one. */
export function requireConfirmedAccount({ connection }: GivenAccess, accountId: string): void {
  if (connection && connection.accountId !== accountId)
    throw new Refusal(
      'replaced_account',
      `the connection opens account ${accountId} now, not ${connection.accountId}; connect again (newConnection)`,
    );
}

/** A bot takes the access: the connection ends, in the transaction of the bot's change. */
export async function takeAccess(
  stores: Pick<Stores, 'connections'>,
  userId: UserId,
  broker: string,
  { connection }: GivenAccess,
  now: number,
): Promise<void> {
  if (!connection) return;
  await requireGranted(stores, userId, broker, connection.id, now);
  await stores.connections.remove(connection.id);
}

/** Ends the connections of a user who is deleted; states that are not used yet, too. */
export async function removeConnections(
  { connections }: Pick<Stores, 'connections'>,
  userId: UserId,
): Promise<void> {
  const all: readonly BrokerConnection[] = await connections.listOf(userId);
  for (const { id: connectionId } of all) await connections.remove(connectionId);
}
