import type { OperationName } from '@slipstream/wire';
import type { ComposedServer } from '../helpers/composed-server.js';

const PAGE = 100;
const CURSORS: Readonly<Partial<Record<OperationName, string>>> = {
  getTrades: 'trade_id',
  getOrders: 'order_id',
  getBotOrders: 'bot_order_id',
  getInvoices: 'invoice_id',
  getAlerts: 'inbox_id',
  getNotifications: 'notification_id',
};

/** All pages of a list, newest first. */
export async function allOf<Row>(
  server: ComposedServer,
  name: OperationName,
  fields: object,
  token: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let isMore = true; isMore;) {
    const last = rows.at(-1) as Readonly<Record<string, unknown>> | undefined;
    const cursor = last && { cursor: last[CURSORS[name] ?? ''] };
    const page = (await server.ask(name, { ...fields, limit: PAGE, ...cursor }, token)) as Row[];
    rows.push(...page);
    isMore = page.length === PAGE;
  }
  return rows;
}
