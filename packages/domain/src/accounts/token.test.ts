import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { type TokenType, grants, withDescendants } from './token.js';

describe('the scope of a token', () => {
  // oxfmt-ignore
  it.each([
    ['api', ['newOrder'], 'newOrder', true],
    ['api', ['newOrder'], 'getOrders', false],
    ['api', ['*'], 'getOrders', true],
    ['api', ['*'], 'newWithdrawal', false],
    ['api', ['*'], 'newPaymentSource', false],
    ['api', ['*', 'newWithdrawal'], 'newWithdrawal', true],
    ['session', ['*'], 'newWithdrawal', true],
    ['session', ['getOrders'], 'newWithdrawal', false],
  ] as const)('%s %j gives %s: %s', (type: TokenType, scope, operation, given) => {
    expect(grants({ type, scope }, operation)).toBe(given);
  });
});

describe('the tokens that end with a token', () => {
  const token = (name: string, parent: string | null) => ({
    id: id<'token'>(name),
    parentId: parent === null ? null : id<'token'>(parent),
  });

  it('are all that were made from it, directly or not, listed in any order', () => {
    const tokens = [token('c', 'b'), token('other', null), token('b', 'a'), token('a', null)];
    expect([...withDescendants(tokens, [id('a')])].toSorted()).toEqual(['a', 'b', 'c']);
    expect([...withDescendants(tokens, [id('c')])]).toEqual(['c']);
    expect([...withDescendants(tokens, [])]).toEqual([]);
  });
});
