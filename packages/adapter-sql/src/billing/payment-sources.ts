import type { PaymentSourceId, Timestamp, UserId } from '@slipstream/domain';
import type { PaymentSourceStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { paymentSourceColumns } from './columns.js';

const sourceById = prepared<{ id: PaymentSourceId }>()((param) =>
  build.selectFrom('payment_sources').selectAll().where('id', '=', param('id')),
);
const sourcesOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('payment_sources')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const dueSources = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('payment_sources')
    .selectAll()
    .where('due_at', '<=', param('now'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(param('limit')),
);
const saveSource = upsert('payment_sources', paymentSourceColumns, 'id');

export const sqlPaymentSources = (session: Session): PaymentSourceStore => ({
  find: (id) => session.find(sourceById({ id }), paymentSourceColumns.load),
  listOf: (userId) => session.list(sourcesOfUser({ userId }), paymentSourceColumns.load),
  due: (now, limit) => session.list(dueSources({ now, limit }), paymentSourceColumns.load),
  save: async (source) => void session.write(saveSource(source)),
});
