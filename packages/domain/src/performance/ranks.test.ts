import { describe, expect, it } from '@jest/globals';
import {
  PLACES,
  RANK_KINDS,
  type Ranks,
  type Standing,
  type StrategyId,
  decimal,
  gainOf,
  id,
  isRanked,
  agesAt,
  byAge,
  byScore,
  isContender,
  scoresOf,
  unitsOf,
} from '../index.js';
import { HOUR } from '../time.js';

const NOW = 1_750_000_000_000;
const YEAR_AGO = NOW - 365 * 24 * HOUR;

type Listed = Standing & { readonly strategyId: StrategyId; readonly createdAt: number };

const aStanding = (name: string, changes: Partial<Listed> = {}): Listed => ({
  strategyId: id(name),
  createdAt: YEAR_AGO,
  since: changes.createdAt ?? YEAR_AGO,
  gain: 0n,
  drawdown: 0n,
  subscribers: 0,
  gained: 0,
  traded: true,
  ...changes,
});
const of = (past: string, value: string, drawdown = '0'): Partial<Standing> => ({
  gain: gainOf(unitsOf(decimal(past), PLACES), unitsOf(decimal(value), PLACES)),
  drawdown: unitsOf(decimal(drawdown), PLACES),
});
const places = (kind: keyof Ranks, standings: readonly Listed[]) =>
  new Map(
    standings
      .map((standing) => ({ ...standing, scores: scoresOf(standing, NOW) }))
      .filter((standing) => isContender(kind, standing.scores))
      .sort((one, other) => byScore(kind)(one.scores, other.scores) || byAge(one, other))
      .map(({ strategyId }, index) => [strategyId, index + 1]),
  );
const order = (kind: keyof Ranks, ...standings: readonly Listed[]): string[] => [
  ...places(kind, standings).keys(),
];

describe('ranks', () => {
  it.each([
    ['one that is an hour old', HOUR, true],
    ['not one that is a moment younger', HOUR - 1, false],
  ])('are given to %s', (_, age, ranked) => {
    expect(isRanked(NOW - age, NOW)).toBe(ranked);
  });

  it('change by age alone after an hour, and after a week', () => {
    const week = 7 * 24 * HOUR;
    expect([0, HOUR, week].map((age) => agesAt(NOW - age, NOW))).toEqual([
      NOW + HOUR,
      NOW - HOUR + week,
      Infinity,
    ]);
  });

  it('are places from 1 on, without gaps', () => {
    const standings = ['a', 'b', 'c'].map((name, at) => aStanding(name, { subscribers: at }));
    expect([...places('popular', standings)]).toEqual([
      ['c', 1],
      ['b', 2],
      ['a', 3],
    ]);
  });

  it('put the older one first among equals, then the smaller id', () => {
    const [young, old] = [aStanding('a', { createdAt: YEAR_AGO + 1 }), aStanding('z')];
    for (const kind of RANK_KINDS) {
      expect(order(kind, young, old, aStanding('y'))).toEqual(['y', 'z', 'a']);
    }
  });

  it('performance is the return in the timeframe, however deep the falls were', () => {
    expect(
      order(
        'performance',
        aStanding('loss', of('2', '1.9')),
        aStanding('tenth', of('1', '1.1', '0.9')),
        aStanding('fifth', of('5', '6')),
      ),
    ).toEqual(['fifth', 'tenth', 'loss']);
  });

  it.each([
    ['the value now', { gain: gainOf(1n, null) }],
    ['a value then that is positive', of('0', '1')],
  ] as const)('have no place for performance and top without %s', (_, changes) => {
    const standing = aStanding('a', changes);
    expect(order('performance', standing)).toEqual([]);
    expect(order('top', standing)).toEqual([]);
    expect(order('popular', standing)).toEqual(['a']);
  });

  it('trending is subscribers gained, and losing some is worse than none', () => {
    const gained = (name: string, count: number) => aStanding(name, { gained: count });
    expect(order('trending', gained('lost', -1), gained('none', 0), gained('two', 2))).toEqual([
      'two',
      'none',
      'lost',
    ]);
  });

  // Scores: 0.2 / 0.01 = 20; 0.3 / 0.11 = 2.7…; -0.1 x 1.1 = -0.11; -0.1 x 1.5 = -0.15; -0.14 x 1 = -0.14.
  it('top is the return over the drawdown plus 0.01; a loss is multiplied by 1 plus the drawdown', () => {
    expect(
      order(
        'top',
        aStanding('deep loss', of('1', '0.9', '0.5')),
        aStanding('larger loss', of('1', '0.86')),
        aStanding('loss', of('1', '0.9', '0.1')),
        aStanding('rough gain', of('1', '1.3', '0.1')),
        aStanding('smooth gain', of('1', '1.2')),
      ),
    ).toEqual(['smooth gain', 'rough gain', 'loss', 'larger loss', 'deep loss']);
  });

  it.each([
    ['a week old and traded', 7 * 24 * HOUR, true, ['a']],
    ['younger', 7 * 24 * HOUR - 1, true, []],
    ['not traded in the timeframe', 7 * 24 * HOUR, false, []],
  ])('top for one that is %s', (_, age, traded, expected) => {
    expect(order('top', aStanding('a', { createdAt: NOW - age, traded }))).toEqual(expected);
  });
});
