import { describe, expect, it } from '@jest/globals';
import { requireBotSettings, requireRoom, requireStartable } from './bot-rules.js';
import type { BotAllocation } from './bot.js';
import type { RebalanceRule } from './pacing/rebalance-rule.js';
import { decimal } from '../numbers/decimal.js';
import { type StockId, id } from '../ids.js';

const allocation = (strategyId: string, percent = '1'): BotAllocation => ({
  strategyId: id(strategyId),
  percent: decimal(percent),
});

const settings = (change: {
  leverage?: string;
  slippage?: string;
  priceCollar?: string;
  maxSpread?: string;
  allocations?: BotAllocation[];
  allowStocks?: readonly StockId[];
  denyStocks?: readonly StockId[];
  rebalance?: RebalanceRule;
}) => ({
  leverage: decimal(change.leverage ?? '1'),
  slippage: decimal(change.slippage ?? '0.002'),
  priceCollar: decimal(change.priceCollar ?? '0.01'),
  maxSpread: change.maxSpread === undefined ? null : decimal(change.maxSpread),
  allocations: change.allocations ?? [],
  allowStocks: change.allowStocks ?? null,
  denyStocks: change.denyStocks ?? [],
  rebalance: change.rebalance ?? ('every_trade' as const),
});

describe('the settings of a bot (contract 4)', () => {
  it.each([
    { leverage: '0.01' },
    { leverage: '2' },
    { slippage: '0' },
    { slippage: '0.05' },
    { priceCollar: '0' },
    { priceCollar: '0.5' },
    { maxSpread: '0.5' },
    { allocations: [] },
    { allocations: [allocation('a', '0'), allocation('b', '2')] },
  ])('allow %j', (change) => {
    expect(() => requireBotSettings(settings(change))).not.toThrow();
  });

  it.each([
    [{ leverage: '0' }, 'leverage'],
    [{ leverage: '2.01' }, 'leverage'],
    [{ leverage: '1.005' }, 'leverage'],
    [{ slippage: '-0.001' }, 'slippage'],
    [{ slippage: '0.051' }, 'slippage'],
    [{ slippage: '0.0005' }, 'slippage'],
    [{ priceCollar: '-0.01' }, 'price_collar'],
    [{ priceCollar: '0.51' }, 'price_collar'],
    [{ maxSpread: '0' }, 'max_spread'],
    [{ maxSpread: '0.51' }, 'max_spread'],
    [{ allocations: [allocation('a', '2.1')] }, 'percent'],
    [{ allocations: [allocation('a', '-0.1')] }, 'percent'],
    [{ allocations: [allocation('a'), allocation('a')] }, 'once'],
  ])('refuse %j', (change, word) => {
    expect(() => requireBotSettings(settings(change))).toThrow(
      expect.objectContaining({ code: 'invalid_field', message: expect.stringContaining(word) }),
    );
  });

  it('allow as many allocations as newOrderAllocations takes', () => {
    const ofMany = (length: number) =>
      settings({ allocations: Array.from({ length }, (_, index) => allocation(`s${index}`)) });
    expect(() => requireBotSettings(ofMany(100))).not.toThrow();
    expect(() => requireBotSettings(ofMany(101))).toThrow('at most 100');
  });

  it.each(['allowStocks', 'denyStocks'] as const)('allow 100 stocks in %s', (list) => {
    const ofMany = (length: number) =>
      settings({ [list]: Array.from({ length }, (_, index) => id<'stock'>(`s${index}`)) });
    expect(() => requireBotSettings(ofMany(100))).not.toThrow();
    expect(() => requireBotSettings(ofMany(101))).toThrow('at most 100 stocks');
  });
});

describe('starting a bot (spec 3)', () => {
  const following = [allocation('a')];

  it.each([
    ['stock', '2000'],
    ['cryptocurrency', '100'],
  ] as const)('accepts a %s account with %s USD', (type, balance) => {
    expect(() =>
      requireStartable({ type, allocations: following }, decimal(balance)),
    ).not.toThrow();
  });

  it.each([
    ['stock', '1999.99'],
    ['cryptocurrency', '99.999999'],
  ] as const)('refuses a %s account with %s USD', (type, balance) => {
    expect(() => requireStartable({ type, allocations: following }, decimal(balance))).toThrow(
      expect.objectContaining({ code: 'insufficient_balance' }),
    );
  });

  it('refuses a bot that mirrors nothing', () => {
    expect(() => requireStartable({ type: 'stock', allocations: [] }, decimal('5000'))).toThrow(
      expect.objectContaining({ code: 'no_allocations' }),
    );
  });

  it.each([
    [0, 9, undefined],
    [1, 0, 'account_limit'],
    [0, 10, 'account_limit'],
  ])(
    'with %i other bots on the account and %i of the user answers %s',
    (onAccount, ofUser, code) => {
      const attempt = () => requireRoom(onAccount, ofUser);
      if (code) expect(attempt).toThrow(expect.objectContaining({ code }));
      else expect(attempt).not.toThrow();
    },
  );
});
