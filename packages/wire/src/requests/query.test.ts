import { describe, it, expect } from '@jest/globals';
import { operations } from '../operations/index.js';
import { parseQuery } from './query.js';

const { getStrategies, getOrders } = operations;
const several = (count: number): string =>
  Array.from({ length: count }, (_, index) => `strategy_id[]=${index}`).join('&');

describe('queries', () => {
  it.each([0, 1, 20, 21, 100])('takes an array of %d', (count) => {
    const read = parseQuery(getStrategies, several(count));
    expect(read['strategy_id']?.length ?? 0).toBe(count);
  });

  it('takes escaped brackets, plus signs and empty values', () => {
    expect(parseQuery(getStrategies, 'strategy_id%5B%5D=a%26b+c&timeframe=')).toEqual({
      strategy_id: ['a&b c'],
      timeframe: '',
    });
  });

  it.each([
    [getStrategies, several(101), 'strategy_id[] must have at most 100 items'],
    [getStrategies, 'strategy_id=a', 'the parameter is named strategy_id[], not strategy_id'],
    [getStrategies, 'strategy_id[0]=a', 'unknown parameter "strategy_id[0]"'],
    [getOrders, 'strategy_id[]=a', 'the parameter is named strategy_id, not strategy_id[]'],
    [getOrders, 'strategy_id=a&strategy_id=b', 'strategy_id was sent twice'],
    [getOrders, 'strategyid=a', 'unknown parameter "strategyid"'],
    [getOrders, '__proto__=a', 'unknown parameter "__proto__"'],
    [getOrders, 'strategy_id=%ff', 'the query must be percent-encoded UTF-8'],
    [getOrders, 'strategy_id=%ed%a0%80', 'the query must be percent-encoded UTF-8'],
  ])('%#', (operation, query, reason) => {
    expect(() => parseQuery(operation, query)).toThrow(reason);
  });
});
