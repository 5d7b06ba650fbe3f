import type { BrokerConnection, ConnectionId, UserId } from '@slipstream/domain';
import type { ConnectionStore } from '@slipstream/ports';
import type { RowOf } from '../storage/codec.js';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { type StoredConnection, connectionColumns } from './columns.js';
import { dueKeys } from '../storage/lists.js';

const connectionById = rowBy('connections', 'id');
const connectionByState = rowBy('connections', 'state_digest');
const connectionsOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const expiredConnections = dueKeys('connections', 'expires_at', 'id');
const saveConnection = upsert('connections', connectionColumns, 'id');
const removeConnection = prepared<{ id: ConnectionId }>()((param) =>
  build.deleteFrom('connections').where('id', '=', param('id')),
);

const stored = ({ progress, ...connection }: BrokerConnection): StoredConnection => ({
  ...connection,
  stateDigest: null,
  accountId: null,
  label: null,
  ...progress,
});

function loaded(row: RowOf<typeof connectionColumns>): BrokerConnection {
  const { kind, stateDigest, accountId, label, sealed, ...connection } =
    connectionColumns.load(row);
  return {
    ...connection,
    progress:
      kind === 'asked'
        ? { kind, sealed, stateDigest: stateDigest ?? '' }
        : { kind, sealed, accountId: accountId ?? '', label: label ?? '' },
  };
}

export const sqlConnections = (session: Session): ConnectionStore => ({
  find: (id) => session.find(connectionById(id), loaded),
  findByState: (digest) => session.find(connectionByState(digest), loaded),
  listOf: (userId) => session.list(connectionsOfUser({ userId }), loaded),
  expired: (now, limit) =>
    session.list(expiredConnections({ now, limit }), (row) => row.id as ConnectionId),
  save: async (connection) => void session.write(saveConnection(stored(connection))),
  remove: async (id) => void session.write(removeConnection({ id })),
});
