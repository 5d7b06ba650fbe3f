import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { StockNumbers } from './stock-numbers.js';

describe('the numbers of stocks', () => {
  it('count from zero, in the order in which stocks are asked for, and stay', () => {
    const stocks = new StockNumbers();
    const [first, second] = [id<'stock'>('AAA'), id<'stock'>('BBB')];
    expect(stocks.find(first)).toBeUndefined();
    expect([stocks.of(first), stocks.of(second), stocks.of(first)]).toEqual([0, 1, 0]);
    expect([stocks.find(second), stocks.stock(0), stocks.stock(1)]).toEqual([1, first, second]);
    expect(stocks.size).toBe(2);
  });
});
