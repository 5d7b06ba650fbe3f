import { z } from 'zod';
import { describe, it, expect } from '@jest/globals';
import { operations } from './index.js';

/** The bound of each list whose request has no page. */
const BOUNDED_BY: Readonly<Record<string, string>> = {
  getUsers: '100 ids in the request',
  getStrategies: '100 ids in the request',
  getStrategyValues: '100 ids in the request',
  getStocks: '100 ids in the request',
  getRecommendedStrategies: 'limit',
  findStocks: 'limit',
  getStrategyHistory: '500 points',
  getBotHistory: '500 rows',
  newOrderAllocations: '100 allocations in the request, and the positions they close',
  updateStocks: '1,000 stocks in the request',
  getBots: 'the cap of bots',
  getPaymentSources: 'the number that a user can have',
  getTokens: 'the cap of tokens',
  getEndpoints: 'the cap of endpoints',
};

/** Names of the operations that answer a list. */
const lists = Object.values(operations)
  .filter(({ response }) => response instanceof z.ZodArray)
  .map(({ name }) => name);

const fieldsOf = (name: string): string[] => {
  const row = Object.values(operations).find((one) => one.name === name);
  return row?.request instanceof z.ZodObject ? Object.keys(row.request.shape) : [];
};

describe('an answer that is a list', () => {
  it.each(lists)('%s has a page or a bound', (name) => {
    const fields = fieldsOf(name);
    const isPaged = fields.includes('limit') && fields.includes('cursor');
    expect(isPaged || name in BOUNDED_BY).toBe(true);
    if (BOUNDED_BY[name] === 'limit') expect(fields).toContain('limit');
  });

  it('does not name missing operations', () => {
    expect(Object.keys(BOUNDED_BY).filter((name) => !lists.includes(name as never))).toEqual([]);
  });
});
