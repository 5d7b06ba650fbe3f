import { ONE, decimal, id } from '@slipstream/domain';
import { z } from 'zod';
import { operation } from '../operations/operation.js';
import { idOf, stockRef } from '../fields/text.js';
import { leverage, pyramiding } from '../fields/figures.js';
import { presentAlertTemplate } from './present.js';
import { ids } from '../example-ids.js';

const shape = {
  group: 'Webhooks',
  request: z.strictObject({
    strategy_id: idOf<'strategy'>(),
    stock_id: stockRef,
    leverage: leverage.optional(),
    pyramiding: pyramiding.optional(),
  }),
  renames: { stock_id: 'stock' },
  response: z.string().meta({ description: 'JSON text to be pasted unchanged.' }),
  present: presentAlertTemplate,
} as const;

const asked = { strategy_id: ids.strategy, stock_id: 'AAPL:NASDAQ' };
const shown = {
  strategyId: id<'strategy'>(ids.strategy),
  stockId: id<'stock'>(ids.stock),
  leverage: ONE,
  pyramiding: null,
};

export const alertTemplate = {
  getAlertTemplate: operation({
    ...shape,
    name: 'getAlertTemplate',
    method: 'GET',
    summary: "The JSON to paste into a charting platform's alert.",
    description:
      'The platform fills in the names in double braces; replace the last line by a token with the scope newOrder, or take newAlertTemplate.',
    example: {
      request: { ...asked, leverage: '2', pyramiding: '4' },
      response: presentAlertTemplate({
        ...shown,
        leverage: decimal('2'),
        pyramiding: 4,
        token: null,
      }),
    },
  }),
  newAlertTemplate: operation({
    ...shape,
    name: 'newAlertTemplate',
    scope: 'newToken',
    method: 'POST',
    summary: 'The same with a new token in it, which can only send alerts to this strategy.',
    description:
      "Needs the scopes newToken and newOrder. The token is an api token, shown here alone; getTokens lists it and deleteToken ends it. It lasts until a year after its last use, or as long as the caller's token if that is an api token.",
    example: {
      request: asked,
      response: presentAlertTemplate({ ...shown, token: 'the token, shown once' }),
    },
  }),
};
