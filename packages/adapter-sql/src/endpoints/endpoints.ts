import {
  type Endpoint,
  type EndpointId,
  type Timestamp,
  type UserId,
  id,
  topicsOf,
} from '@slipstream/domain';
import type { EndpointStore, LastTurn } from '@slipstream/ports';
import { type Query, build, once, prepared, removal, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { endpointColumns } from './columns.js';

const endpointById = rowBy('endpoints', 'id');
const endpointsOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('endpoints')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const oneListening = prepared<{ topic: string }>()((param) =>
  build
    .selectFrom('endpoint_topics')
    .select('endpoint_id')
    .where('topic', '=', param('topic'))
    .limit(1),
);
/** The key of whether any topic is heard: every topic comes after it. */
const ANY = '';
const anyListening = prepared<object>()(() =>
  build.selectFrom('endpoint_topics').select('endpoint_id').where('topic', '>', ANY).limit(1),
);
const dueEndpoints = prepared<{ now: Timestamp; limit: number; lastTurn: LastTurn }>()((param) =>
  build
    .selectFrom((of) =>
      of
        .selectFrom('endpoints')
        .select(({ fn }) => [
          'id',
          'user_id',
          'due_at',
          fn
            .agg<number>('row_number')
            .over((own) => own.partitionBy('user_id').orderBy('due_at').orderBy('id'))
            .as('nth'),
        ])
        .where('last_turn', '=', param('lastTurn'))
        .where('due_at', '<=', param('now'))
        .as('due'),
    )
    .select(['id', 'user_id'])
    .orderBy('nth')
    .orderBy('due_at')
    .orderBy('id')
    .limit(param('limit')),
);
const scheduleEndpoint = prepared<{
  id: EndpointId;
  dueAt: Timestamp | null;
  lastTurn: LastTurn;
}>()((param) =>
  build
    .updateTable('endpoints')
    .set({ due_at: param('dueAt'), last_turn: param('lastTurn') })
    .where('id', '=', param('id')),
);
const wakeEndpoint = prepared<{ id: EndpointId; at: Timestamp; before: Timestamp }>()((param) =>
  build
    .updateTable('endpoints')
    .set({ due_at: param('at') })
    .where('id', '=', param('id'))
    .where(({ eb, or }) => or([eb('due_at', 'is', null), eb('due_at', '>', param('before'))])),
);
const saveEndpoint = upsert('endpoints', endpointColumns, 'id');
const removeEndpoint = removal<{ id: EndpointId }>('endpoints', 'id');
const topicsOfEndpoint = prepared<{ id: EndpointId }>()((param) =>
  build.selectFrom('endpoint_topics').select('topic').where('endpoint_id', '=', param('id')),
);
const removeTopics = prepared<{ id: EndpointId }>()((param) =>
  build.deleteFrom('endpoint_topics').where('endpoint_id', '=', param('id')),
);
const addTopic = prepared<{ id: EndpointId; topic: string }>()((param) =>
  build.insertInto('endpoint_topics').values({ endpoint_id: param('id'), topic: param('topic') }),
);

const listeningOn = (topics: readonly string[], cursor: EndpointId | null, limit: number) =>
  once(
    build
      .selectFrom('endpoints')
      .selectAll()
      .where('id', 'in', (of) =>
        of
          .selectFrom('endpoint_topics')
          .select('endpoint_id')
          .where('topic', 'in', topics)
          .where('endpoint_id', '>', cursor ?? ''),
      )
      .orderBy('id')
      .limit(limit),
  );

/** From memory when it is there. */
async function isHeard(session: Session, topic: string, one: Query<unknown>): Promise<boolean> {
  const known = session.records.get('heardTopics', topic);
  if (known) return known.isHeard;
  const found = (await session.row(one)) !== undefined;
  session.records.read('heardTopics', topic, { isHeard: found });
  return found;
}

/** Replaces the topics of the endpoint; whether the old and the new ones are heard is read again. */
async function saveTopics(
  session: Session,
  endpointId: EndpointId,
  topics: readonly string[],
): Promise<void> {
  const before = await session.list(topicsOfEndpoint({ id: endpointId }), (row) => row.topic);
  if (before.length > 0) session.write(removeTopics({ id: endpointId }));
  for (const topic of topics) session.write(addTopic({ id: endpointId, topic }));
  for (const topic of [ANY, ...before, ...topics])
    session.records.written('heardTopics', topic, undefined);
}

export const sqlEndpoints = (session: Session): EndpointStore => ({
  find: (endpointId) => session.find(endpointById(endpointId), endpointColumns.load),
  listOf: (userId) => session.list(endpointsOfUser({ userId }), endpointColumns.load),
  isHeard: async (topic) => isHeard(session, topic, oneListening({ topic })),
  isAnyHeard: async () => isHeard(session, ANY, anyListening({})),
  listening: (topics, cursor, limit) =>
    session.list(listeningOn(topics, cursor, limit), endpointColumns.load),
  due: (now, limit, lastTurn) =>
    session.list(dueEndpoints({ now, limit, lastTurn }), (row) => ({
      id: id(row.id),
      userId: id(row.user_id),
    })),
  schedule: async (endpointId, dueAt, lastTurn) =>
    void session.write(scheduleEndpoint({ id: endpointId, dueAt, lastTurn })),
  wake: async (endpointId, at) =>
    void session.write(wakeEndpoint({ id: endpointId, at, before: at })),
  save: async (endpoint: Endpoint) => {
    session.write(saveEndpoint(endpoint));
    await saveTopics(session, endpoint.id, topicsOf(endpoint));
  },
  remove: async (endpointId) => {
    await saveTopics(session, endpointId, []);
    session.write(removeEndpoint({ id: endpointId }));
  },
});
