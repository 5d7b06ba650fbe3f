import type { ConnectionStore } from '@slipstream/ports';
import { byNewest } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryConnections = ({ connections }: Tables): ConnectionStore => ({
  find: async (connectionId) => connections.get(connectionId),
  findByState: async (digest) =>
    connections
      .values()
      .find(({ progress }) => progress.kind === 'asked' && progress.stateDigest === digest),
  listOf: async (userId) =>
    connections
      .values()
      .filter((connection) => connection.userId === userId)
      .toSorted(byNewest),
  expired: async (now, limit) =>
    connections
      .values()
      .filter(({ expiresAt }) => expiresAt <= now)
      .toSorted(
        (first, second) => first.expiresAt - second.expiresAt || (first.id < second.id ? -1 : 1),
      )
      .slice(0, limit)
      .map(({ id }) => id),
  save: async (connection) => connections.set(connection.id, connection),
  remove: async (connectionId) => connections.delete(connectionId),
});
