import type { TokenId, UserId } from '@slipstream/domain';
import type { TokenStore } from '@slipstream/ports';
import { build, prepared, removal, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { tokenColumns } from './columns.js';
import { dueKeys } from '../storage/lists.js';

const tokenById = rowBy('tokens', 'id');
const tokenByDigest = rowBy('tokens', 'digest');
const tokensOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const expiredTokens = dueKeys('tokens', 'expires_at', 'id');
const removeToken = removal<{ id: TokenId }>('tokens', 'id');
const saveToken = upsert('tokens', tokenColumns, 'id');

export const sqlTokens = (session: Session): TokenStore => ({
  find: (id) => session.find(tokenById(id), tokenColumns.load),
  findByDigest: async (digest) => {
    const known = session.records.get('tokens', digest);
    if (known) return known;
    const row = await session.row(tokenByDigest(digest));
    if (!row) return undefined;
    const token = tokenColumns.load(row);
    session.records.read('tokens', digest, token);
    return token;
  },
  listOf: (userId) => session.list(tokensOfUser({ userId }), tokenColumns.load),
  expired: (now, limit) => session.list(expiredTokens({ now, limit }), (row) => row.id as TokenId),
  save: async (token) => {
    session.write(saveToken(token));
    session.records.written('tokens', token.digest, token);
  },
  used: async (id, lastUsedAt, expiresAt) => {
    const row = await session.row(tokenById(id));
    if (!row) return;
    const token = { ...tokenColumns.load(row), lastUsedAt, expiresAt };
    session.write(saveToken(token));
    session.records.written('tokens', token.digest, token);
  },
  remove: async (id) => {
    const row = await session.row(tokenById(id));
    if (!row) return;
    session.write(removeToken({ id }));
    session.records.written('tokens', row.digest, undefined);
  },
});
