import { describe, expect, it } from '@jest/globals';
import { unreadPosition } from './unread-position.js';

describe('a field that is not read and says that an alert is an exit', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['of TradersPost', { action: 'sell', sentiment: 'flat' }, 'sentiment says flat'],
    ['of a long that is reduced', { action: 'sell', sentiment: 'bullish' }, 'says bullish'],
    ['of a short', { action: 'buy', sentiment: 'flat' }, 'would go long'],
    [
      'of 3Commas, inside another one',
      { action: 'sell', strategy_info: { market_position: 'flat' } },
      'market_position says flat',
    ],
    ['in a list', { action: 'sell', legs: [{ position: 'Flat' }] }, 'position says flat'],
    ['in other letters', { action: 'SELL ', marketPosition: 'FLAT' }, 'marketPosition says flat'],
    ['of a hedged account', { action: 'sell', positionSide: 'LONG' }, 'positionSide says long'],
    ['a size of nothing', { action: 'sell', position_size: '0' }, 'position_size says 0'],
    ['the same, as others write it', { action: 'sell', position_size: '-.0' }, 'says 0'],
    ['the same as a number', { action: 'sell', position_size: 0 }, 'says 0'],
    ['an order that only reduces', { action: 'buy', reduceOnly: true }, 'only reduces'],
    ['the same in text', { action: 'short', reduce_only: 'true' }, 'would go short'],
  ])('is found: %s', (_, fields, told) => {
    expect(unreadPosition(fields)).toContain(told);
    expect(unreadPosition(fields)).toContain('market_position, beside action');
  });

  it.each<[string, Record<string, unknown>]>([
    ['it says the same as the action', { action: 'sell', sentiment: 'short' }],
    ['it is a size of something', { action: 'sell', position_size: -10 }],
    ['market_position says it too', { action: 'sell', market_position: 'flat', sentiment: 'flat' }],
    ['the action closes', { action: 'close', sentiment: 'long' }],
    ['the leverage closes', { action: 'sell', leverage: '0', sentiment: 'flat' }],
    [
      'its placeholder was not filled',
      { action: 'buy', sentiment: '{{strategy.market_position}}' },
    ],
    ['it is a remark', { action: 'sell', message: 'exit', reduce_only: false, position: null }],
    ['there is no action', { sentiment: 'flat' }],
  ])('is none when %s', (_, fields) => {
    expect(unreadPosition(fields)).toBeUndefined();
  });
});
