import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimal } from '../numbers/decimal.js';
import { splitLike } from './split-like.js';

const at = (bid: string, ask = bid) => ({ bid: decimal(bid), ask: decimal(ask) });
const text = (ratio: ReturnType<typeof splitLike>) =>
  ratio && `${ratio.newShares.toFixed()}:${ratio.oldShares.toFixed()}`;

describe('a price that looks like a split', () => {
  it.each([
    ['100', '100', undefined],
    ['100', '75', undefined],
    ['100', '125', undefined],
    ['100', '74.99', '4:3'],
    ['100', '125.01', '4:5'],
    ['100', '50', '2:1'],
    ['100', '51.5', '2:1'],
    ['100', '10.05', '10:1'],
    ['100', '66.7', '3:2'],
    ['100', '300', '1:3'],
    ['100', '1000', '1:10'],
    ['100', '2', '50:1'],
    ['100', '1', '100:1'],
    ['0.05', '12.5', '1:250'],
  ])('from %s to %s: %s', (before, after, ratio) => {
    expect(text(splitLike(at(before), at(after)))).toBe(ratio);
  });

  it('counts the middle of bid and ask', () => {
    expect(splitLike(at('99', '101'), at('70', '81'))).toBeUndefined();
    expect(text(splitLike(at('99', '101'), at('49', '51')))).toBe('2:1');
  });

  it('holds every true split of more than a quarter, whatever the price did overnight within 4 %', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: -4, max: 4 }),
        (m, n, percent) => {
          const price = decimal('1000');
          const moved = price
            .times(`${n}`)
            .div(`${m}`)
            .times(`${100 + percent}`)
            .div('100');
          const off = moved.minus(price).abs().div(price);
          const found = splitLike(at(price.toFixed()), at(moved.toFixed()));
          expect(found !== undefined).toBe(off.gt('0.25'));
        },
      ),
    );
  });
});
