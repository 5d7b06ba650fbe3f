import { z } from 'zod';
import { operation } from '../operations/operation.js';
import { idOf, stockRef } from '../fields/text.js';
import { leverage, pyramiding } from '../fields/figures.js';
import { presentAlertTemplate, TOKEN_PLACEHOLDER } from './present.js';
import { ids } from '../example-ids.js';

export const alertTemplate = {
  getAlertTemplate: operation({
    name: 'getAlertTemplate',
    group: 'Webhooks',
    method: 'GET',
    summary: "The JSON to paste into a charting platform's alert.",
    description:
      'The platform fills in the names in double braces; replace the last line by a token with the scope newOrder.',
    request: z.strictObject({
      strategy_id: idOf<'strategy'>(),
      stock_id: stockRef,
      leverage: leverage.optional(),
      pyramiding: pyramiding.optional(),
    }),
    renames: { stock_id: 'stock' },
    response: z.string().meta({ description: 'JSON text to be pasted unchanged.' }),
    present: presentAlertTemplate,
    example: {
      request: {
        strategy_id: ids.strategy,
        stock_id: 'AAPL:NASDAQ',
        leverage: '2',
        pyramiding: '4',
      },
      response: `{
  "strategy_id": "${ids.strategy}",
  "stock_id": "${ids.stock}",
  "action": "{{strategy.order.action}}",
  "market_position": "{{strategy.market_position}}",
  "leverage": "2",
  "pyramiding": 4,
  "api_token": "${TOKEN_PLACEHOLDER}"
}`,
    },
  }),
};
