import { describe, expect, it } from '@jest/globals';
import { id } from '../../ids.js';
import { ONE, ZERO, decimal, decimalText, sum } from '../../numbers/decimal.js';
import type { AccountReading } from './expected-equity.js';
import { seeAccount } from './loss-watch.js';
import type { LossWatch, WatchedHolding } from './watched-account.js';

const A = id<'stock'>('A');
const B = id<'stock'>('B');

type Short = readonly [amount: string, price: string];

const holdingOf = ([amount, price]: Short): WatchedHolding => ({
  amount: decimal(amount),
  price: decimal(price),
});

/** An account with that much cash, 50 of A at `ownPrice`, and a short in B that its owner keeps: what it is worth is reserved. */
function reading(
  cash: string,
  short: Short | undefined,
  { ownPrice = '100', ...rest }: Partial<AccountReading> & { readonly ownPrice?: string } = {},
): AccountReading {
  const kept = short && holdingOf(short);
  return {
    at: 10,
    day: 0,
    cash: sum([decimal(cash), kept ? kept.amount.times(kept.price) : ZERO]),
    holdings: new Map([[A, holdingOf(['50', ownPrice])]]),
    keptShorts: new Map(kept ? [[B, kept]] : []),
    priceOf: (stockId) => (stockId === B ? decimal('130') : undefined),
    isInTransit: () => false,
    splits: new Map(),
    ownPartOf: () => ONE,
    takenByHand: ZERO,
    cameToKept: new Map(),
    activities: null,
    ...rest,
  };
}

/** 10,000 USD without what is kept: 5,000 in cash and 50 of A at 100. 50 of B are short at 100. */
const before = seeAccount(null, reading('10000', ['-50', '100'], { at: 1 })).watch;
const shown = (now: AccountReading, from: LossWatch = before): string[] => {
  const { equity, dayStart, peak } = seeAccount(from, now);
  return [equity, dayStart, peak].map((usd) => decimalText(usd.round(6)));
};
const splitOfB = (at: number, newShares = '10', oldShares = '1') => {
  const ratio = { newShares: decimal(newShares), oldShares: decimal(oldShares) };
  return { splits: new Map([[B, [{ ratio, at }]]]) };
};

describe('a short of the owner that is kept', () => {
  it.each<[string, AccountReading]>([
    ['rises', reading('10000', ['-50', '130'])],
    ['falls', reading('10000', ['-50', '70'])],
    ['rises, and more of it is sold', reading('12600', ['-70', '130'])],
    ['rises, and a part of it is bought back', reading('7400', ['-30', '130'])],
    ['rises, and is bought back', reading('3500', undefined)],
    ['is split, and rises', reading('10000', ['-500', '13'], splitOfB(5))],
    ['was split in the reading before, and rises', reading('10000', ['-50', '130'], splitOfB(1))],
    [
      'is split at its broker alone',
      reading('10000', ['-500', '10.1'], { isInTransit: (stockId) => stockId === B }),
    ],
    [
      'is not listed here, and split',
      reading('10000', ['-500', '10.1'], { priceOf: () => undefined }),
    ],
    ['rises, and as much less is left as it rose', reading('8700', ['-40', '130'])],
    [
      'has few new shares, rises, and a part of it is bought back',
      reading('8710', ['-60', '86'], splitOfB(5, '3', '2')),
    ],
    [
      'has few new shares, rises, and is bought back',
      reading('3550', undefined, { ...splitOfB(5, '3', '2'), priceOf: () => decimal('86') }),
    ],
    [
      'is bought back after a split',
      reading('3500', undefined, { ...splitOfB(5), priceOf: () => decimal('13') }),
    ],
    ['has no price any more', reading('5000', undefined, { priceOf: () => undefined })],
    ['is split, and a part of it is bought back', reading('8700', ['-400', '13'], splitOfB(5))],
    ['is split, and more of it is sold', reading('11300', ['-600', '13'], splitOfB(5))],
    ['has few new shares, and rises', reading('10000', ['-75', '86'], splitOfB(5, '3', '2'))],
    [
      'is consolidated, and a part of it is bought back',
      reading('7400', ['-3', '1300'], splitOfB(5, '1', '10')),
    ],
    [
      'was consolidated before, and most of it is bought back',
      reading('4150', ['-5', '130'], splitOfB(1, '1', '10')),
    ],
  ])('is neither loss nor gain of the bot: it %s', (_, now) => {
    expect(shown(now)).toEqual(['10000', '10000', '10000']);
  });

  it.each<[string, AccountReading]>([
    ['rises', reading('10000', ['-500', '13'], splitOfB(5))],
    ['is bought back in part', reading('8700', ['-400', '13'], splitOfB(5))],
    [
      'is bought back',
      reading('3500', undefined, { ...splitOfB(5), priceOf: () => decimal('13') }),
    ],
  ])('nor if a fill of the bot was told in new shares since the split: it %s', (_, now) => {
    expect(shown(now, { ...before, readAt: 5 })).toEqual(['10000', '10000', '10000']);
  });

  it('leaves the bot its own losses, and the bases in proportion to what is left', () => {
    const now = reading('10000', ['-50', '130'], { ownPrice: '80' });
    expect(shown(now)).toEqual(['9000', '10000', '10000']);
    const { watch, equity } = seeAccount(before, now);
    expect(decimalText(equity)).toBe('9000');
    // Of 9,000 are 1,500 reserved now.
    expect(decimalText(watch.peak.round(6))).toBe('8333.333333');
    expect(shown(reading('10000', ['-50', '130'], { ownPrice: '80', at: 20 }), watch)).toEqual([
      '7500',
      '8333.333333',
      '8333.333333',
    ]);
  });

  it('is neither loss nor gain once it is the bot’s: what was reserved comes back', () => {
    const taken = reading('10000', undefined);
    const holdings = new Map([...taken.holdings, [B, holdingOf(['-50', '130'])]] as const);
    expect(shown({ ...taken, holdings })).toEqual(['10000', '10000', '10000']);
  });
});
