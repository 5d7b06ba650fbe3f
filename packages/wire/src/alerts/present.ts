import { type AlertRecord, type AlertTemplateView, decimalText } from '@slipstream/domain';
import type { z } from 'zod';
import type { alertResource } from './resources.js';
import { timeText } from '../fields/output.js';

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

/** The user replaces this text by their own token. */
export const TOKEN_PLACEHOLDER = 'PASTE A TOKEN WITH THE SCOPE newOrder HERE';

/**
 * The text to paste into a charting platform's alert. The platform replaces the names in double braces by its own values;
 * `market_position` distinguishes an exit from a reversal, the sizes say how much of the position it closes (contract 3 and
 * 7b.3).
 */
export const presentAlertTemplate = (template: AlertTemplateView): string =>
  JSON.stringify(
    {
      strategy_id: template.strategyId,
      stock_id: template.stockId,
      action: '{{strategy.order.action}}',
      market_position: '{{strategy.market_position}}',
      market_position_size: '{{strategy.market_position_size}}',
      prev_market_position_size: '{{strategy.prev_market_position_size}}',
      leverage: decimalText(template.leverage),
      ...(template.pyramiding !== null && { pyramiding: template.pyramiding }),
      api_token: template.token ?? TOKEN_PLACEHOLDER,
    },
    null,
    2,
  );
