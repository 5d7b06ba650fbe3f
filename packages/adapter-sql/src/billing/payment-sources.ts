import type { UserId } from '@slipstream/domain';
import type { PaymentSourceStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { paymentSourceColumns } from './columns.js';
import { dueRows } from '../storage/lists.js';

const sourceById = rowBy('payment_sources', 'id');
const sourcesOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('payment_sources')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const dueSources = dueRows('payment_sources', 'due_at');
const saveSource = upsert('payment_sources', paymentSourceColumns, 'id');

export const sqlPaymentSources = (session: Session): PaymentSourceStore => ({
  find: (id) => session.find(sourceById(id), paymentSourceColumns.load),
  listOf: (userId) => session.list(sourcesOfUser({ userId }), paymentSourceColumns.load),
  due: (now, limit) => session.list(dueSources({ now, limit }), paymentSourceColumns.load),
  save: async (source) => void session.write(saveSource(source)),
});
