import type { z } from 'zod';
import type { alertResource } from './resources.js';
import { ids, AT } from '../example-ids.js';

export const anAlert: z.infer<typeof alertResource> = {
  inbox_id: '01988f4e-0a18-7d64-95c7-5d7c9b1a3e09',
  alert_id: '01988f4e-0a18-7d64-95c7-5d7c9b1a3e09',
  strategy_id: ids.strategy,
  stock_id: ids.stock,
  token_id: ids.token,
  verdict: 'accepted',
  reason: null,
  order_id: ids.order,
  body: '{"strategy_id":"…","stock_id":"AAPL:NASDAQ","action":"buy"}',
  received_at: AT,
};
