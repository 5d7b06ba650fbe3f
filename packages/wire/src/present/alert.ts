import type { AlertRecord } from '@slipstream/domain';
import type { z } from 'zod';
import type { alertResource } from '../resources/index.js';
import { timeText } from './output.js';

/** Contract 3, "Inbox". */
export const presentAlert = (alert: AlertRecord): z.infer<typeof alertResource> => ({
  inbox_id: alert.id,
  alert_id: alert.alertId ?? alert.id,
  strategy_id: alert.strategyId,
  stock_id: alert.stockId,
  token_id: alert.tokenId,
  verdict: alert.verdict,
  reason: alert.reason,
  order_id: alert.orderId,
  body: alert.body,
  received_at: timeText(alert.createdAt),
});
