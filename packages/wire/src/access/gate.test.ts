import { describe, it, expect } from '@jest/globals';
import { type Credential, admits, covers, namedStrategies } from './gate.js';
import { operations } from '../operations/index.js';

const user = (tokenType: 'refresh' | 'session' | 'api', ...scope: string[]): Credential => ({
  kind: 'user',
  tokenType,
  scope,
  strategyIds: null,
});
const anonymous: Credential = { kind: 'anonymous' };
const operator: Credential = { kind: 'operator' };

describe('who may', () => {
  // oxfmt-ignore
  it.each([
    ['getOrders', 'anonymous', anonymous, false],
    ['getOrders', 'an api token with the scope', user('api', 'getOrders'), true],
    ['getOrders', 'an api token with *', user('api', '*'), true],
    ['newWithdrawal', 'an api token with *', user('api', '*'), false],
    ['newPaymentSource', 'an api token with *', user('api', '*'), false],
    ['newWithdrawal', 'an api token that names it', user('api', '*', 'newWithdrawal'), true],
    ['newWithdrawal', 'a session with *', user('session', '*'), true],
    ['getOrders', 'a session without the scope', user('session', 'newOrder'), false],
    ['getOrders', 'an api token with another scope', user('api', 'newOrder'), false],
    ['getOrders', 'an api token without scope', user('api'), false],
    ['getOrders', 'a refresh token', user('refresh', '*'), false],
    ['getOrders', 'the operator', operator, false],
    ['verifyToken', 'an api token without scope', user('api'), true],
    ['verifyToken', 'a refresh token', user('refresh'), true],
    ['verifyToken', 'anonymous', anonymous, false],
    ['newToken', 'a refresh token', user('refresh'), true],
    ['getTokens', 'a refresh token', user('refresh'), true],
    ['deleteToken', 'a refresh token', user('refresh'), true],
    ['updatePassword', 'a refresh token', user('refresh'), true],
    ['newToken', 'an api token with the scope', user('api', 'newToken'), true],
    ['newOrderWebhook', 'a token with newOrder', user('api', 'newOrder'), true],
    ['newOrderWebhook', 'a token with newOrderWebhook only', user('api', 'newOrderWebhook'), false],
    ['previewOrderWebhook', 'a token with newOrder', user('api', 'newOrder'), true],
    ['newOrderWebhook', 'anonymous', anonymous, false],
    ['newOrderWebhook', 'the operator', operator, false],
    ['getStocks', 'anonymous', anonymous, true],
    ['getStocks', 'a refresh token', user('refresh'), true],
    ['newSession', 'anonymous', anonymous, true],
    ['getStrategies', 'anonymous', anonymous, true],
    ['getStrategies', 'a token with the scope', user('api', 'getStrategies'), true],
    ['getStrategies', 'a token without it', user('api', 'getOrders'), false],
    ['newUser', 'anonymous', anonymous, true],
    ['newUser', 'the operator', operator, true],
    ['newQuotes', 'the operator', operator, true],
    ['newQuotes', 'a token with *', user('api', '*'), false],
    ['newQuotes', 'anonymous', anonymous, false],
    ['updateStocks', 'the operator', operator, true],
    ['getOverview', 'the operator', operator, true],
    ['getOverview', 'a session with *', user('session', '*'), false],
    ['getOverview', 'anonymous', anonymous, false],
    ['getUserList', 'the operator', operator, true],
    ['getUserList', 'a session with *', user('session', '*'), false],
  ] as const)('%s by %s', (name, _, caller, may) => {
    expect(admits(operations[name], caller)).toBe(may);
  });

  it('lets nobody use a protected operation without a token', () => {
    const open = Object.values(operations).filter((operation) => admits(operation, anonymous));
    expect(open.map(({ name }) => name).sort()).toEqual(
      [
        'confirmEmail',
        'findStocks',
        'findStrategies',
        'getRecommendedStrategies',
        'getReport',
        'getServiceInfo',
        'getStocks',
        'getStrategies',
        'getStrategyHistory',
        'getStrategyStatistics',
        'getTrackRecord',
        'getUsers',
        'newPasswordReset',
        'newSession',
        'newUser',
        'updatePassword',
      ].sort(),
    );
  });
});

describe('tokens bound to strategies', () => {
  const bound: Credential = {
    kind: 'user',
    tokenType: 'api',
    scope: ['*'],
    strategyIds: ['a', 'b'],
  };

  // oxfmt-ignore
  it.each([
    ['getOrders', { strategy_id: 'a' }, true],
    ['getOrders', { strategy_id: 'c' }, false],
    ['getStrategyValues', { strategy_id: ['a', 'b'] }, true],
    ['getStrategyValues', { strategy_id: ['a', 'c'] }, false],
    ['newBot', { allocations: [{ strategy_id: 'a' }, { strategy_id: 'b' }] }, true],
    ['newBot', { allocations: [{ strategy_id: 'a' }, { strategy_id: 'c' }] }, false],
    ['newBot', { allocations: [] }, false],
    ['newBot', { account_id: 'x', allocations: [{ strategy_id: 'a' }] }, false],
    ['previewBot', { account_id: 'x', allocations: [{ strategy_id: 'a' }] }, false],
    ['updateBot', { bot_id: 'x', allocations: [{ strategy_id: 'a' }] }, false],
    ['getBots', {}, false],
    ['getTokens', {}, false],
    ['newToken', { strategy_ids: ['a'] }, true],
    ['newToken', {}, false],
    ['verifyToken', {}, true],
    ['getStocks', {}, true],
  ] as const)('%s %j: %s', (name, request, may) => {
    expect(covers(operations[name], bound, namedStrategies(request))).toBe(may);
  });

  it('do not affect other operations', () => {
    expect(covers(operations.getTokens, user('api', '*'), [])).toBe(true);
    expect(covers(operations.getStrategies, anonymous, ['x'])).toBe(true);
  });
});
