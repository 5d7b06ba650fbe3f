import type { SubscriptionId, UserId } from '@slipstream/domain';
import type { InvoiceFilter, InvoiceStore, Page } from '@slipstream/ports';
import { build, once, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { NEWEST, type Place, placeBefore, dueRows } from '../storage/lists.js';
import { invoiceRows } from './invoice-row.js';

const invoiceById = rowBy('invoices', 'id');
const placeOfCursor = prepared<{ userId: UserId; cursor: string }>()((param) =>
  build
    .selectFrom('invoices')
    .select(['created_at', 'id'])
    .where('id', '=', param('cursor'))
    .where('user_id', '=', param('userId')),
);
const invoicesOfSubscription = prepared<{ subscriptionId: SubscriptionId }>()((param) =>
  build
    .selectFrom('invoices')
    .selectAll()
    .where('subscription_id', '=', param('subscriptionId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const invoiceByCharge = rowBy('invoices', 'charge_ref');
const dueInvoices = dueRows('invoices', 'due_at');
const saveInvoice = upsert('invoices', invoiceRows, 'id');

function matching(
  userId: UserId,
  { invoiceIds, sourceId, status }: InvoiceFilter,
  { limit, from = 0 }: Page,
  { created_at, id }: Place,
) {
  let query = build
    .selectFrom('invoices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('created_at', '>=', from)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(created_at, id)),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (invoiceIds) query = query.where('id', 'in', [...invoiceIds]);
  if (sourceId !== undefined) query = query.where('source_id', '=', sourceId);
  if (status !== undefined) query = query.where('status', '=', status);
  return query;
}

export const sqlInvoices = (session: Session): InvoiceStore => ({
  find: (id) => session.find(invoiceById(id), invoiceRows.load),
  list: async (userId: UserId, filter: InvoiceFilter, page: Page) => {
    const { cursor, to } = page;
    const after =
      cursor === undefined ? NEWEST : await session.row(placeOfCursor({ userId, cursor }));
    if (!after || filter.invoiceIds?.length === 0) return [];
    const query = matching(userId, filter, page, placeBefore(after, to));
    return session.list(once(query), invoiceRows.load);
  },
  listOfSubscription: (subscriptionId) =>
    session.list(invoicesOfSubscription({ subscriptionId }), invoiceRows.load),
  findByCharge: (chargeRef) => session.find(invoiceByCharge(chargeRef), invoiceRows.load),
  due: (now, limit) => session.list(dueInvoices({ now, limit }), invoiceRows.load),
  save: async (invoice) => void session.write(saveInvoice(invoice)),
});
