import type { BrokerConnection, ConnectionId, Timestamp, UserId } from '@slipstream/domain';
import type { ConnectionStore } from '@slipstream/ports';
import type { RowOf } from '../storage/codec.js';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { type StoredConnection, connectionColumns } from './columns.js';

const connectionById = prepared<{ id: ConnectionId }>()((param) =>
  build.selectFrom('connections').selectAll().where('id', '=', param('id')),
);
const connectionByState = prepared<{ digest: string }>()((param) =>
  build.selectFrom('connections').selectAll().where('state_digest', '=', param('digest')),
);
const connectionsOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const expiredConnections = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('connections')
    .select('id')
    .where('expires_at', '<=', param('now'))
    .orderBy('expires_at')
    .orderBy('id')
    .limit(param('limit')),
);
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
  find: (id) => session.find(connectionById({ id }), loaded),
  findByState: (digest) => session.find(connectionByState({ digest }), loaded),
  listOf: (userId) => session.list(connectionsOfUser({ userId }), loaded),
  expired: (now, limit) =>
    session.list(expiredConnections({ now, limit }), (row) => row.id as ConnectionId),
  save: async (connection) => void session.write(saveConnection(stored(connection))),
  remove: async (id) => void session.write(removeConnection({ id })),
});
