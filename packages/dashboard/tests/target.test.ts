import { describe, expect, it } from '@jest/globals';
import { targetsOf } from '../src/figures/target.js';

const held = { percent: '0.4958' };
const ofCoin = { ...held, fee: '0.0025', ask: '100.1' };
const ofStock = { ...held, fee: '0', ask: '200' };

describe('the target that leaves a position as it is', () => {
  // The amount of a target is percent x value x (1 - 4 x fee - 2 x 0.002) / ask (contract 3, "Buffer").
  it.each([
    ['a target of half a coin', { ...ofCoin, amount: '0.004925074925074925' }, '1', '50'],
    ['one with more decimals than are shown', { ...ofStock, amount: '0.001234567' }, '1', '24.79'],
    ['one of twice the value', { ...ofStock, amount: '0.00996' }, '1', '200'],
    ['a short one', { ...ofStock, amount: '-0.00249' }, '1', '-50'],
    ['one of a value that has grown', { ...ofStock, amount: '0.00498' }, '1.25', '80'],
  ])('is %s', (_, position, value, percent) => {
    expect(targetsOf([position], value)).toEqual([percent]);
  });

  it.each([
    ['the quote', { ...ofStock, amount: '0.01', ask: null }, '1'],
    ['the value', { ...ofStock, amount: '0.01' }, null],
  ])('is the weight while %s is not known', (_, position, value) => {
    expect(targetsOf([position], value)).toEqual(['49.58']);
    expect(targetsOf([{ ...position, percent: null }], value)).toEqual(['']);
  });

  it.each(['0', '-0.5'])(
    'is not known of a value of %s: with its sign a long one would be short',
    (value) => {
      const positions = ['0.00498', '-0.00249'].map((amount) => ({
        ...ofStock,
        percent: null,
        amount,
      }));
      expect(targetsOf(positions, value)).toEqual(['', '']);
    },
  );

  it.each([
    ['0.000000249', '0.005'],
    ['-0.000000257', '-0.005'],
    ['0.00000000000048', '0.000000009'],
  ])('of a crumb of %s does not close it', (amount, percent) => {
    expect(targetsOf([{ ...ofStock, amount }], '1')).toEqual([percent]);
  });

  it('is shared where all together are more than targets may be', () => {
    const positions = ['0.00498', '-0.00996', '0.00498'].map((amount) => ({
      ...{ ...ofStock, ask: '400' },
      amount,
    }));
    expect(targetsOf(positions, '1.9')).toEqual(['50', '-100', '50']);
    expect(targetsOf(positions, '2')).toEqual(['50', '-100', '50']);
    expect(targetsOf(positions, '5')).toEqual(['40', '-80', '40']);
  });
});
