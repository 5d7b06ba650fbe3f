import { describe, expect, it } from '@jest/globals';
import { anAlert } from '../../tests/builders.js';
import { decimal, decimalText } from '../numbers/decimal.js';
import { type Alert, type MarketPosition, sideOf } from './plan-alert.js';
import { type PlatformMove, moveTold, overtakenBy } from './platform-move.js';

/** The alert with which a platform tells that its position went from one size to another. */
const alertOf = (from: number, to: number): Alert =>
  anAlert({
    action: to > from ? 'buy' : 'sell',
    marketPosition: sideOf(decimal(String(to))),
    positionSize: decimal(String(Math.abs(to))),
    previousPositionSize: decimal(String(Math.abs(from))),
  });

/** Of the half of a long position, by an alert that says it is flat. */
const EXIT: Partial<Alert> = {
  action: 'sell',
  marketPosition: 'flat',
  previousPositionSize: decimal('10'),
};

describe('the move that an alert tells', () => {
  it.each([
    [0, 10, ['0', '0']],
    [10, 0, ['10']],
    [-10, 0, ['-10']],
    [10, -5, ['10']],
    [-10, 5, ['-10']],
    [10, 5, ['10']],
    [5, 10, ['5', '-5']],
    [-5, -10, ['5', '-5']],
  ])('from %p to %p began at %p', (from, to, before) => {
    const told = moveTold(alertOf(from, to));
    expect(told?.before.map(decimalText)).toEqual(before);
    expect(told?.after).toEqual(decimal(String(to)));
  });

  it.each([
    ['long', '10'],
    ['short', '-10'],
  ] as const)('is told by the word %s, too', (action, after) => {
    const { previousPositionSize, positionSize } = alertOf(0, 10);
    const told = moveTold(
      anAlert({ action, marketPosition: action, positionSize, previousPositionSize }),
    );
    expect(told?.after.toFixed()).toBe(after);
  });

  it('begins on the other side where its size stays', () => {
    const told = moveTold({ ...alertOf(0, 10), previousPositionSize: decimal('10') });
    expect(told?.before.map(decimalText)).toEqual(['-10']);
  });

  it.each<[string, Partial<Alert>]>([
    ['without market_position', { marketPosition: null }],
    ['without a size', { positionSize: null }],
    ['without the previous size', { previousPositionSize: null }],
    ['of a plain word', { action: 'close' }],
    ['whose size is none of its position', { positionSize: decimal('0') }],
    ['whose size is of a side while its position is flat', { ...EXIT, positionSize: decimal('5') }],
    ['that stays where it was', { action: 'sell', previousPositionSize: decimal('10') }],
    ['whose action leads elsewhere', { action: 'sell', previousPositionSize: decimal('5') }],
  ])('is none %s', (_, changes) => {
    expect(moveTold({ ...alertOf(0, 10), ...changes })).toBeUndefined();
  });
});

describe('an alert is overtaken', () => {
  type Step = readonly [from: number, to: number, after?: number];
  /** The last of the alerts, in the order of their coming, to a strategy that held `held`; which alert overtook it. */
  const overtaker = (held: MarketPosition, steps: readonly Step[]) => {
    let at = 0;
    const moves = steps.map(([from, to, after = 1], index): PlatformMove => {
      at += after * 1_000;
      const told = moveTold(alertOf(from, to))!;
      return { id: `a${index}`, fingerprint: `${index}`, at, held, ...told };
    });
    return overtakenBy(moves.at(-1)!, moves.slice(0, -1))?.id;
  };
  const entry: Step = [0, 10];

  it.each<[string, MarketPosition, readonly Step[], string]>([
    ['the exit before an entry on the other side', 'flat', [entry, [0, -10], [10, 0]], 'a1'],
    [
      'the same, when nothing was told before',
      'long',
      [
        [0, -10],
        [10, 0],
      ],
      'a0',
    ],
    ['the entry before an exit', 'flat', [entry, [10, 0], [-7, 0], [0, -7]], 'a2'],
    ['the reversal before an exit', 'flat', [entry, [-10, 0], [10, -10]], 'a1'],
    ['the entry before a reversal', 'flat', [entry, [10, 0], [10, -5], [0, 10]], 'a2'],
    ['the partial exit before a further entry', 'flat', [entry, [5, 15], [10, 5]], 'a1'],
    ['the further entry before an exit', 'flat', [entry, [20, 0], [10, 20]], 'a1'],
    ['each of two before an exit', 'flat', [entry, [10, 0], [20, 0], [10, 20], [0, 10]], 'a2'],
    [
      'however long the strategy has traded',
      'flat',
      [
        [0, 10, 100],
        [0, -10],
        [10, 0],
      ],
      'a1',
    ],
    ['for half a minute', 'flat', [entry, [0, -10], [10, 0, 30]], 'a1'],
    ['one that was sent again after an error', 'flat', [entry, [0, -10], [10, 0, 15]], 'a1'],
  ])('%s', (_, held, steps, by) => {
    expect(overtaker(held, steps)).toBe(by);
  });

  it.each<[string, MarketPosition, readonly Step[]]>([
    ['when alerts come in their order', 'flat', [entry, [10, 5], [5, 0], [0, 10], [10, 0]]],
    ['when it is a reversal in its order', 'flat', [entry, [10, -10], [-10, 10], [10, 0]]],
    ['when an alert was lost', 'flat', [entry, [0, -10], [-10, 0]]],
    [
      'when a lost one came before an exit',
      'flat',
      [
        [0, 20],
        [0, 10],
        [10, 0],
      ],
    ],
    ['when both orders are possible and it closes', 'flat', [entry, [0, 10], [10, 0]]],
    ['when nothing was told before, and it opens', 'flat', [[10, 0], entry]],
    ['by a further step on the same side', 'flat', [[10, 20], entry]],
    ['by a partial exit, which did nothing', 'flat', [[10, 5], entry]],
    ['by one that began elsewhere', 'flat', [entry, [0, -10], [10, 3]]],
    ['by one that was overtaken before', 'flat', [entry, [0, -10], [10, 0], [7, 0]]],
    ['by one whose gap is filled', 'flat', [entry, [0, -10], [10, 0], [5, 10]]],
    ['after half a minute', 'flat', [entry, [0, -10], [10, 0, 31]]],
  ])('not %s', (_, held, steps) => {
    expect(overtaker(held, steps)).toBeUndefined();
  });
});
