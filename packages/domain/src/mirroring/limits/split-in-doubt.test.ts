import { describe, expect, it } from '@jest/globals';
import { id } from '../../ids.js';
import { ONE, ZERO, decimal } from '../../numbers/decimal.js';
import { HOUR } from '../../time.js';
import type { AccountActivity } from './account-activity.js';
import type { AccountReading } from './expected-equity.js';
import { seeAccount } from './loss-watch.js';
import { splitInDoubt } from './split-in-doubt.js';

const A = id<'stock'>('A');
const B = id<'stock'>('B');

const anActivity = (change: Partial<AccountActivity> = {}): AccountActivity => ({
  ...{ id: 'one', at: HOUR, kind: 'split', name: 'SPLIT' },
  ...{ cash: ZERO, stockId: A, amount: ZERO },
  ...change,
});

/** So many of A at the price. */
const reading = (
  amount: string,
  price: string,
  rest: Partial<AccountReading> = {},
): AccountReading => ({
  at: 2 * HOUR,
  day: 0,
  cash: decimal('1000'),
  holdings: new Map([[A, { amount: decimal(amount), price: decimal(price) }]]),
  priceOf: () => undefined,
  isInTransit: () => false,
  splits: new Map(),
  ownPartOf: () => ONE,
  takenByHand: ZERO,
  cameToKept: new Map(),
  activities: [anActivity()],
  ...rest,
});

const before = seeAccount(null, reading('100', '5', { at: 1, activities: null })).watch;
const ratio = { newShares: ONE, oldShares: decimal('10') };

describe('the shares of a split that its broker has at the price of before (contract 10)', () => {
  it.each<[string, AccountReading, boolean]>([
    ['fewer shares', reading('10', '5'), true],
    ['with cash for the rest', reading('9', '5', { cash: decimal('1030') }), true],
    ['as many as before', reading('100', '5'), false],
    ['at the price of new shares', reading('10', '50'), false],
    ['that differ from our quote', reading('10', '5', { isInTransit: () => true }), false],
    ['that were sold', reading('10', '5', { cash: decimal('1450') }), false],
    [
      'of a split of another stock',
      reading('10', '5', { activities: [anActivity({ stockId: B })] }),
      false,
    ],
    [
      'that were moved out',
      reading('10', '5', {
        activities: [anActivity(), anActivity({ id: 'two', kind: 'transfer' })],
      }),
      false,
    ],
    [
      'of a split before the last reading',
      reading('10', '5', { activities: [anActivity({ at: 1 })] }),
      false,
    ],
    ['hours after the split', reading('10', '5', { at: 10 * HOUR }), false],
    [
      'that is booked here',
      reading('10', '5', { splits: new Map([[A, [{ ratio, at: HOUR }]]]) }),
      false,
    ],
    ['without a report', reading('10', '5', { activities: null }), false],
  ])('are in doubt, or not: %s', (_, read, isInDoubt) => {
    expect(splitInDoubt(before, read)).toBe(isInDoubt ? A : undefined);
  });
});
