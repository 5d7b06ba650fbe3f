import { describe, expect, it } from '@jest/globals';
import {
  aBook,
  aMarket,
  aRequest,
  aStock,
  amount,
  anOpenOrder,
  ids,
  limit,
  total,
} from '../../tests/builders.js';
import { decimalText } from '../numbers/decimal.js';
import { id } from '../ids.js';
import { boundRequests } from './increases.js';
import type { IdentifiedRequest } from './order.js';

const stocks = [aStock('AAA'), aStock('BBB')];
const market = aMarket({ stocks, quotes: { AAA: ['99', '100'], BBB: '10' } });
const flat = aBook();
const long = aBook({ cash: '0.01', positions: { AAA: '0.01' } });

const counted = (book: typeof flat, ...requests: readonly IdentifiedRequest[]) => {
  const { increases } = boundRequests(book, requests, 'stock', market);
  return [increases.orders, decimalText(increases.notional)];
};

describe('what orders increase', () => {
  it('is their notional at the ask, as a multiple of strategy_value', () => {
    expect(counted(flat, aRequest({ size: amount('0.001') }))).toEqual([1, '0.1']);
    expect(counted(flat, aRequest({ size: total('0.25') }))).toEqual([1, '0.25']);
    // cash 0.01 and 0.01 at the bid of 99
    expect(counted(long, aRequest({ size: amount('0.005') }))).toEqual([1, '0.5']);
  });

  it('is at their own price where that is more, and never at less than the ask', () => {
    const sell = { action: 'sell', size: amount('0.001') } as const;
    expect(counted(flat, aRequest({ ...sell, pricing: limit('500') }))).toEqual([1, '0.5']);
    expect(counted(flat, aRequest({ ...sell, pricing: limit('1') }))).toEqual([1, '0.1']);
  });

  it('is nothing of an order that only reduces, which is bound to that', () => {
    const sell = aRequest({ action: 'sell', size: amount('0.01') });
    expect(counted(long, sell)).toEqual([0, '0']);
    expect(boundRequests(long, [sell], 'stock', market).requests).toEqual([
      { ...sell, reduceOnly: true },
    ]);
  });

  it('is the whole of an order that crosses zero', () => {
    const sell = aRequest({ action: 'sell', size: amount('0.015') });
    expect(counted(long, sell)).toEqual([1, '1.5']);
    expect(boundRequests(long, [sell], 'stock', market).requests).toEqual([sell]);
  });

  it('takes the prerequisites of a dependent order as filled, and binds it too', () => {
    const entry = anOpenOrder({ id: id('entry'), size: amount('0.01'), pricing: limit('90') });
    const book = aBook({ openOrders: [entry] });
    const stop = aRequest({ action: 'sell', size: amount('0.01'), dependsOn: ids('entry') });
    expect(counted(book, stop)).toEqual([0, '0']);
    expect(boundRequests(book, [stop], 'stock', market).requests[0]?.reduceOnly).toBe(true);
  });

  it('is summed over a batch, whose own dependencies are of other stocks', () => {
    const sell = aRequest({ id: id('o1'), action: 'sell', size: amount('0.004') });
    const buy = aRequest({
      id: id('o2'),
      stockId: id('BBB'),
      size: amount('0.02'),
      dependsOn: ids('o1'),
    });
    expect(counted(long, sell, buy)).toEqual([1, '0.2']);
  });

  it('is rounded up, so that no sum of parts is less than the whole', () => {
    const third = aBook({ cash: '3' });
    expect(counted(third, aRequest({ size: total('1') }))).toEqual([1, '0.333333333333333334']);
  });

  it('is refused without a quote, unless it only reduces', () => {
    const unquoted = aMarket({ stocks, quotes: {} });
    const buy = aRequest({ pricing: limit('100') });
    expect(() => boundRequests(flat, [buy], 'stock', unquoted)).toThrow('has no quote yet');
    const sell = aRequest({ action: 'sell', size: amount('0.01') });
    expect(boundRequests(long, [sell], 'stock', unquoted).increases.orders).toBe(0);
  });
});
