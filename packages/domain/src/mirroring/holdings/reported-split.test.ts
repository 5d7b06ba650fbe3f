import { describe, expect, it } from '@jest/globals';
import { id } from '../../ids.js';
import { ONE, ZERO, decimal, decimalText } from '../../numbers/decimal.js';
import { DAY, HOUR } from '../../time.js';
import type { BrokerAccount } from '../bot-account.js';
import type { AccountActivity } from '../limits/account-activity.js';
import type { HeldParts } from './held-part.js';
import { type ReportedSplits, atPriceOfNewShares, hasFewer } from './reported-split.js';

const A = id<'stock'>('A');
const B = id<'stock'>('B');
const NOW = 10 * DAY;

const anActivity = (change: Partial<AccountActivity> = {}): AccountActivity => ({
  ...{ id: 'one', at: NOW - HOUR, kind: 'split', name: 'SPLIT' },
  ...{ cash: ZERO, stockId: A, amount: ZERO },
  ...change,
});

/** So many of A at the price, and 100 of B at 1. */
const account = (amount: string, price: string): BrokerAccount => {
  const positions = [
    [A, amount, price],
    [B, '100', '1'],
  ] as const;
  const held = positions.map(([stockId, count, each]) => ({
    ...{ stockId, amount: decimal(count), price: decimal(each) },
    value: decimal(count).times(each),
  }));
  const equity = held.reduce((sum, { value }) => sum.plus(value), decimal('1000'));
  return {
    ...{ equity, cash: decimal('1000'), buyingPower: decimal('1000'), maxGross: ONE },
    ...{ positions: held, allows: 'all', because: null },
  };
};

/** The owner's part and the bot's of A. */
const parts = (kept: string, own: string): HeldParts =>
  new Map([[A, { kept: decimal(kept), own: decimal(own), seenAt: NOW - 2 * HOUR }]]);

const reported = (change: Partial<ReportedSplits> = {}): ReportedSplits => ({
  now: NOW,
  splits: new Map(),
  quoteOf: () => ({ bid: decimal('5'), ask: decimal('5.01') }),
  activities: [anActivity()],
  ...change,
});

const ratio = { newShares: ONE, oldShares: decimal('10') };

describe('the shares of a reverse split that only the broker has, at the price of before (contract 10)', () => {
  it.each<[string, HeldParts, string, string, string]>([
    ['whole', parts('0', '100'), '10', '5', '50'],
    ['without a fraction, which was paid', parts('0', '105'), '10', '5', '52.5'],
    ['sold short', parts('0', '-100'), '-10', '5', '50'],
    ['partly the owner’s', parts('60', '40'), '10', '5', '50'],
  ])('count at the price of new ones: %s', (_, known, amount, price, expected) => {
    const before = account(amount, price);
    const { positions, equity } = atPriceOfNewShares(before, known, reported());
    const [first, second] = positions;
    expect(first && decimalText(first.price)).toBe(expected);
    expect(second).toEqual(before.positions[1]);
    const worth = positions.reduce((sum, { value }) => sum.plus(value), decimal('1000'));
    expect(decimalText(equity)).toBe(decimalText(worth));
  });

  const held = parts('0', '100');
  it.each<[string, BrokerAccount, Partial<ReportedSplits>]>([
    ['as many as before', account('100', '5'), {}],
    ['more than before', account('200', '5'), {}],
    ['the other side', account('-10', '5'), {}],
    ['nearly as many, of which prices tell nothing', account('95', '5'), {}],
    ['at the price of new shares', account('10', '50'), {}],
    ['of another stock', account('10', '5'), { activities: [anActivity({ stockId: B })] }],
    [
      'beside shares that were moved out',
      account('10', '5'),
      { activities: [anActivity(), anActivity({ id: 'two', kind: 'transfer' })] },
    ],
    [
      'of a split before the holding was last seen',
      account('10', '5'),
      { activities: [anActivity({ at: NOW - 3 * HOUR })] },
    ],
    [
      'of one that is booked here',
      account('10', '5'),
      { splits: new Map([[A, [{ ratio, at: NOW - HOUR }]]]) },
    ],
    ['that nothing is reported of', account('10', '5'), { activities: [] }],
    ['that nobody quotes here', account('10', '5'), { quoteOf: () => undefined }],
  ])('count as they are told otherwise: %s', (_, read, change) => {
    expect(atPriceOfNewShares(read, held, reported(change))).toBe(read);
  });

  it('are waited for three days', () => {
    const old = new Map([[A, { kept: ZERO, own: decimal('100'), seenAt: 0 }]]);
    const activities = [anActivity({ at: NOW - 3 * DAY })];
    const read = account('10', '5');
    expect(atPriceOfNewShares(read, old, reported({ activities }))).toBe(read);
    expect(atPriceOfNewShares(read, old, reported({ activities, now: NOW - 1 }))).not.toBe(read);
  });
});

describe('a smaller part of the bot’s, by which its broker is asked for a report', () => {
  it.each([
    ['fewer shares', parts('0', '100'), parts('0', '10'), true],
    ['fewer sold short', parts('0', '-100'), parts('0', '-10'), true],
    ['as many', parts('0', '100'), parts('5', '100'), false],
    ['more', parts('0', '100'), parts('0', '110'), false],
    ['none: it was sold', parts('0', '100'), new Map(), false],
    ['fewer of the owner’s', parts('50', '100'), parts('5', '100'), false],
  ])('is one of %s', (_, before, after, isFewer) => {
    expect(hasFewer(before, after)).toBe(isFewer);
  });
});
