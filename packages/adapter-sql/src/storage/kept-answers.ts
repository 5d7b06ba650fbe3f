import type { Timestamp, UserId } from '@slipstream/domain';
import type { IdempotencyRecordStore } from '@slipstream/ports';
import { build, once, prepared, upsert, upsertUpTo, rowBy } from './queries.js';
import type { Session } from './session.js';
import { chunks } from './lists.js';
import { keptAnswerColumns } from './columns.js';

const answerByName = rowBy('kept_answers', 'name');
const expiredAnswers = prepared<{ before: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('kept_answers')
    .select('name')
    .where('created_at', '<', param('before'))
    .orderBy('created_at')
    .limit(param('limit')),
);
const answersOfUser = prepared<{ userId: UserId; limit: number }>()((param) =>
  build
    .selectFrom('kept_answers')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where('sealed_answer', 'is not', null)
    .orderBy('created_at')
    .limit(param('limit')),
);
const saveAnswer = upsert('kept_answers', keptAnswerColumns, 'name');
const addAnswer = upsertUpTo('kept_answers', keptAnswerColumns, 'created_at', 'name');

export const sqlKeptAnswers = (session: Session): IdempotencyRecordStore => ({
  find: (name) => session.find(answerByName(name), keptAnswerColumns.load),
  expired: (before, limit) => session.list(expiredAnswers({ before, limit }), ({ name }) => name),
  answered: (userId, limit) =>
    session.list(answersOfUser({ userId, limit }), keptAnswerColumns.load),
  add: async (record, expiredAt) => (await session.change(addAnswer(record, expiredAt))) > 0,
  save: async (answer) => void session.write(saveAnswer(answer)),
  remove: async (names) => {
    for (const some of chunks(names))
      session.write(once(build.deleteFrom('kept_answers').where('name', 'in', some)));
  },
});
