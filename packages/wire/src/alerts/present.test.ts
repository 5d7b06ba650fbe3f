import { decimal, id } from '@slipstream/domain';
import { describe, it, expect } from '@jest/globals';
import { presentAlertTemplate, TOKEN_PLACEHOLDER } from './present.js';
import { alertRequest } from './alert-request.js';

const template = (pyramiding: number | null = null, leverage = '1') =>
  presentAlertTemplate({
    strategyId: id('s-1'),
    stockId: id('st-1'),
    leverage: decimal(leverage),
    pyramiding,
    token: null,
  });

/** The template with the values that the charting platform and the user fill in. */
const filledIn = (text: string, action: string, position: string): Record<string, unknown> =>
  JSON.parse(
    text
      .replace('{{strategy.order.action}}', action)
      .replace('{{strategy.market_position}}', position)
      .replace(TOKEN_PLACEHOLDER, 'a-token'),
  ) as Record<string, unknown>;

describe('an alert template', () => {
  it.each([
    ['buy', 'long'],
    ['sell', 'short'],
    ['sell', 'flat'],
    ['Buy', 'flat'],
  ])(
    'is accepted by newOrderWebhook after the platform has filled in %s and %s',
    (action, side) => {
      const { api_token: token, ...alert } = filledIn(template(4, '0.25'), action, side);
      expect(token).toBe('a-token');
      const read = alertRequest.parse(alert);
      expect(read).toMatchObject({
        strategy_id: 's-1',
        stock_id: 'st-1',
        action: action.toLowerCase(),
        market_position: side,
        pyramiding: 4,
      });
      expect(read.leverage?.toFixed()).toBe('0.25');
    },
  );

  it('omits pyramiding if there is none', () => {
    expect(filledIn(template(), 'buy', 'long')).not.toHaveProperty('pyramiding');
  });

  it('has only names in braces that the platform fills in', () => {
    expect(template().match(/\{\{.*?\}\}/g)).toEqual([
      '{{strategy.order.action}}',
      '{{strategy.market_position}}',
      '{{strategy.market_position_size}}',
      '{{strategy.prev_market_position_size}}',
    ]);
  });
});
