import type { UserId } from '@slipstream/domain';
import type { UserStore } from '@slipstream/ports';
import { build, once, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { NEWEST, type Place, inChunks, inOrderOf, dueRows } from '../storage/lists.js';
import { userColumns } from './columns.js';

const userById = rowBy('users', 'id');
const userByEmail = rowBy('users', 'email');
const userByName = rowBy('users', 'name_key');
const usersToConfirm = dueRows('users', 'confirm_by');
const usersAfter = prepared<Place & { limit: number }>()((param) =>
  build
    .selectFrom('users')
    .selectAll()
    .where('deleted_at', 'is', null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(param('created_at'), param('id'))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
);
/** The users whose text in that column is in a range. */
const usersBetween = (column: 'email' | 'name_key') =>
  prepared<{ start: string; end: string; limit: number }>()((param) =>
    build
      .selectFrom('users')
      .selectAll()
      .where(column, '>=', param('start'))
      .where(column, '<', param('end'))
      .where('deleted_at', 'is', null)
      .orderBy(column)
      .limit(param('limit')),
  );
const usersByAddress = usersBetween('email');
const usersByName = usersBetween('name_key');
/** Every text that starts with `start` is below it. */
const endOf = (start: string): string => `${start}\u{10ffff}`;
const storedOfUser = prepared<{ userId: UserId }>()((param) =>
  build.selectFrom('user_storage').select('octets').where('user_id', '=', param('userId')),
);
const saveUser = upsert('users', userColumns, 'id');

export const sqlUsers = (session: Session): UserStore => ({
  find: (id) => session.find(userById(id), userColumns.load),
  findByEmail: (email) => session.find(userByEmail(email), userColumns.load),
  findByName: (nameKey) => session.find(userByName(nameKey), userColumns.load),
  names: async (userIds) => {
    const rows = await inChunks(userIds, (ids) =>
      session.rows(once(build.selectFrom('users').select(['id', 'name']).where('id', 'in', ids))),
    );
    return new Map(
      rows.flatMap(({ id, name }) => (name === null ? [] : [[id as UserId, name] as const])),
    );
  },
  list: async (userIds) => {
    const rows = await inChunks(userIds, (ids) =>
      session.rows(once(build.selectFrom('users').selectAll().where('id', 'in', ids))),
    );
    return inOrderOf(userIds, rows.map(userColumns.load));
  },
  page: async ({ limit, cursor }) => {
    const after = cursor === undefined ? NEWEST : await session.row(userById(cursor));
    if (!after) return [];
    const { created_at, id } = after;
    return session.list(usersAfter({ created_at, id, limit }), userColumns.load);
  },
  startingWith: async ({ email, nameKey }, limit) => {
    const found = async (of: typeof usersByAddress, start: string) =>
      start === '' ? [] : session.rows(of({ start, end: endOf(start), limit }));
    const [byAddress, byName] = await Promise.all([
      found(usersByAddress, email),
      found(usersByName, nameKey),
    ]);
    const each = new Map([...byAddress, ...byName].map((row) => [row.id, userColumns.load(row)]));
    return [...each.values()].slice(0, limit);
  },
  figures: async (userIds) => {
    const rows = await inChunks(userIds, (ids) =>
      session.rows(once(build.selectFrom('user_figures').selectAll().where('user_id', 'in', ids))),
    );
    return new Map(
      rows.map(({ user_id: userId, public_strategies: publicStrategies, ...figures }) => [
        userId as UserId,
        { ...figures, publicStrategies },
      ]),
    );
  },
  stored: async (userId) => (await session.row(storedOfUser({ userId })))?.octets ?? 0,
  toConfirmBy: (now, limit) => session.list(usersToConfirm({ now, limit }), userColumns.load),
  save: async (user) => void session.write(saveUser(user)),
});
