import { Refusal } from '@slipstream/domain';
import { describe, it, expect } from '@jest/globals';
import { type OperationName, operations } from './index.js';
import { readRequest } from '../requests/explain.js';

function sentence(name: OperationName, given: unknown): string {
  try {
    readRequest(operations[name].request, given);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

const order = { strategy_id: 's', stock_id: 'AAPL:NASDAQ', action: 'buy' };

describe('the answer to a wrong request', () => {
  // oxfmt-ignore
  it.each<[OperationName, unknown, string]>([
    ['newOrderAllocations', { strategy_id: 's', allocations: [], slipage: 0.002 }, 'unknown field "slipage"'],
    ['newOrderAllocations', { allocations: [] }, 'strategy_id is required'],
    ['newOrderAllocations', { strategy_id: 's', allocations: [], slippage: 0.0015 }, 'slippage must be a multiple of 0.001'],
    ['newOrderAllocations', { strategy_id: 's', allocations: Array.from({ length: 4 }, (_, index) => ({ stock_id: 'a', percent: index })) }, 'allocations[3].percent must be between -2 and 2'],
    ['newOrderAllocations', { strategy_id: 's', allocations: [{ stock_id: 'a', percent: 1, x: 1 }] }, 'unknown field "x" in allocations[0]'],
    ['newOrderAllocations', { strategy_id: 's', allocations: Array(101).fill({ stock_id: 'a', percent: 0 }) }, 'allocations must have at most 100 items'],
    ['newOrderAllocations', { strategy_id: 's', allocations: {} }, 'allocations must be an array'],
    ['newOrderAllocations', { strategy_id: 's', allocations: [7] }, 'allocations[0] must be a JSON object'],
    ['newOrderAllocations', { strategy_id: 's', allocations: [], order_dependencies: [] }, 'unknown field "order_dependencies"'],
    ['newOrder', { ...order, amount: '1', action: 'hold' }, 'action must be buy or sell'],
    ['newOrder', [], 'the body must be a JSON object'],
    ['newOrder', null, 'the body must be a JSON object'],
    ['newToken', { name: 'x', scope: ['getOrdrs'] }, 'scope[0] must be the name of an operation with a scope, or *'],
    ['newBot', { type: 'stock', broker: 'simulated', allocations: [], notifications: ['all'] }, 'notifications[0] must be start, stop, info, warning or error'],
    ['updateStocks', { stocks: [{ name: 'x' }] }, 'stocks[0] needs stock_id, or symbol and exchange'],
    ['updateStocks', { stocks: [{ stock_id: 'x', links: { a: 'javascript:1' } }] }, 'links.a must be an http(s) URL'.replace('links', 'stocks[0].links')],
    ['newQuotes', { quotes: [{ stock_id: 'x', bid: '1', ask: '1' }] }, 'quotes[0].last is required'],
    ['updateStrategy', { strategy_id: 's', type: 'stock' }, 'unknown field "type"'],
    ['getStrategies', { strategy_id: ['a'], timeframe: 'decade' }, 'timeframe must be day, week, month, year or five_year'],
    ['getStrategies', {}, 'strategy_id is required'],
  ])('%s %j: %s', (name, given, reason) => {
    expect(sentence(name, given)).toBe(reason);
  });

  it('shortens quoted input', () => {
    expect(sentence('newOrder', { ...order, ['x'.repeat(10_000)]: 1 }).length).toBeLessThan(100);
  });
});

describe('order type x price fields x size (spec 2.6)', () => {
  const both = { price: '10', stop_price: '11' };
  // oxfmt-ignore
  it.each<[object, string]>([
    [{ amount: '1' }, 'accepted'],
    [{ total: '1' }, 'accepted'],
    [{}, 'send exactly one of amount and total'],
    [{ amount: '1', total: '1' }, 'send exactly one of amount and total'],
    [{ amount: '0' }, 'amount must be greater than 0'],
    [{ amount: '1', price: '1' }, 'a market order takes no price'],
    [{ amount: '1', stop_price: '1' }, 'a market order takes no stop_price'],
    [{ amount: '1', type: 'limit' }, 'a limit order requires price'],
    [{ amount: '1', type: 'limit', price: '1' }, 'accepted'],
    [{ amount: '1', type: 'limit', ...both }, 'a limit order takes no stop_price'],
    [{ amount: '1', type: 'stop_market' }, 'a stop_market order requires stop_price'],
    [{ amount: '1', type: 'stop_market', stop_price: '1' }, 'accepted'],
    [{ amount: '1', type: 'stop_market', ...both }, 'a stop_market order takes no price'],
    [{ amount: '1', type: 'stop_limit', price: '1' }, 'a stop_limit order requires stop_price'],
    [{ amount: '1', type: 'stop_limit', stop_price: '1' }, 'a stop_limit order requires price'],
    [{ amount: '1', type: 'stop_limit', ...both }, 'accepted'],
    [{ amount: '1', type: 'oco', price: '1' }, 'an oco order requires stop_price'],
    [{ amount: '1', type: 'oco', ...both }, 'accepted'],
    [{ amount: '1', type: 'oco', price: '10', stop_price: '10' }, 'an oco order to buy requires price below stop_price'],
    [{ amount: '1', type: 'oco', action: 'sell', ...both }, 'an oco order to sell requires price above stop_price'],
    [{ amount: '1', type: 'oco', action: 'sell', price: '11', stop_price: '10' }, 'accepted'],
  ])('%j: %s', (fields, reason) => {
    expect(sentence('newOrder', { ...order, ...fields })).toBe(reason);
  });

  it('reads pricing and size as the domain has them', () => {
    const given = { ...order, type: 'oco', total: 0.5, ...both, reduce_only: true };
    const read = readRequest(operations.newOrder.request, given);
    expect(JSON.parse(JSON.stringify(read))).toEqual({
      strategy_id: 's',
      stock_id: 'AAPL:NASDAQ',
      action: 'buy',
      reduce_only: true,
      pricing: { type: 'oco', price: '10', stopPrice: '11' },
      size: { by: 'total', total: '0.5' },
    });
  });
});

describe('alerts', () => {
  const alert = { strategy_id: 's', stock_id: 'AAPL:NASDAQ', action: 'BUY' };

  it('ignores extra fields, accepts numbers as text and words in any case', () => {
    const given = { ...alert, leverage: '1.5', pyramiding: '3', market_position: 'Long', bar: {} };
    const read = readRequest(operations.newOrderWebhook.request, given);
    expect(read).toMatchObject({ action: 'buy', pyramiding: 3, market_position: 'long' });
    expect(read).not.toHaveProperty('bar');
    expect(read.leverage?.toFixed()).toBe('1.5');
  });

  it.each([
    [
      { action: '{{strategy.order.action}}' },
      'action must be one of buy, long, sell, short, close, flat',
    ],
    [{ action: 1 }, 'action must be one of buy, long, sell, short, close, flat'],
    [{ leverage: 3 }, 'leverage must be between 0 and 2'],
    [{ pyramiding: 0 }, 'pyramiding must be an integer from 1 to 100'],
    [{ market_position: 'up' }, 'market_position must be one of long, short, flat'],
  ])('%j: %s', (fields, reason) => {
    expect(sentence('newOrderWebhook', { ...alert, ...fields })).toBe(reason);
  });
});
