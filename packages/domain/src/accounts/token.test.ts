import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { type Token, type TokenType, grants, isWhole, withDescendants } from './token.js';

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

describe('a token that has all rights of its kind', () => {
  const limits = { maxNotionalPerDay: null, maxOrdersPerDay: 1 };
  it.each<[string, Partial<Token>, boolean]>([
    ['a sign-in, whose rights do not depend on a scope', { type: 'refresh', scope: [] }, true],
    ['a session for everything', {}, true],
    ['not one of some operations', { scope: ['newToken'] }, false],
    ['not one that is bound to strategies', { strategyIds: [id('s1')] }, false],
    ['not one with limits', { limits }, false],
    ['no api token', { type: 'api' }, false],
  ])('is %s', (_, changes, whole) => {
    const session = { type: 'session', scope: ['*'], strategyIds: null, limits: null };
    expect(isWhole({ ...session, ...changes } as Token)).toBe(whole);
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
