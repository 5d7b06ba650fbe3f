import { describe, expect, it } from '@jest/globals';
import { type Decimal, ONE, decimal } from '../../numbers/decimal.js';
import { DAY, MINUTE } from '../../time.js';
import { type AccountBucket, addAccount, compactAccounts } from './account-history.js';

const flowOf = (text: string | null): Decimal | null => (text === null ? null : decimal(text));

const point = (at: number, equity: string, flow: string | null = '0') => ({
  at,
  equity: decimal(equity),
  cash: ONE,
  flow: flowOf(flow),
  target: ONE,
  unheld: null,
});

const shown = ({ start, length, at, equity, flow }: AccountBucket) => [
  start / MINUTE,
  length / MINUTE,
  at,
  equity.toFixed(),
  flow?.toFixed() ?? null,
];

describe("a bot's history of its account", () => {
  it('begins with its first reading, which has the place of the day before', () => {
    const first = addAccount(undefined, point(DAY + 61_000, '100'));
    expect(shown(first)).toEqual([0, DAY / MINUTE, DAY + 61_000, '100', '0']);
    const next = addAccount(first, point(DAY + 62_000, '90', '-2'));
    expect(shown(next)).toEqual([DAY / MINUTE + 1, 1, DAY + 62_000, '90', '-2']);
    expect(compactAccounts([first, next], 400 * DAY)).toMatchObject({ saved: [{ length: DAY }] });
  });

  it.each<[string, readonly (readonly [number, string, string | null])[], unknown]>([
    ['a reading', [[61_000, '100', '0']], [1, 1, 61_000, '100', '0']],
    [
      'two readings of one minute',
      [
        [61_000, '100', '5'],
        [62_000, '90', '-2'],
      ],
      [1, 1, 62_000, '90', '3'],
    ],
    [
      'one of them unknown',
      [
        [61_000, '100', null],
        [62_000, '90', '-2'],
      ],
      [1, 1, 62_000, '90', null],
    ],
    [
      'another minute',
      [
        [61_000, '100', '5'],
        [120_000, '90', '-2'],
      ],
      [2, 1, 120_000, '90', '-2'],
    ],
    [
      'a clock that was set back',
      [
        [121_000, '100', '5'],
        [61_000, '90', '0'],
      ],
      [2, 1, 121_000, '90', '5'],
    ],
  ])('%s', (_, readings, expected) => {
    let last = addAccount(undefined, point(0, '100'));
    for (const [at, equity, flow] of readings) last = addAccount(last, point(at, equity, flow));
    expect(last && shown(last)).toEqual(expected);
  });

  it('merges old minutes, and keeps every flow', () => {
    const first = addAccount(undefined, point(0, '0'));
    const minutes = Array.from({ length: 30 }, (_, index) =>
      addAccount(first, point(index * MINUTE, String(index), '1')),
    );
    const { removed, saved } = compactAccounts(minutes, 2 * DAY);
    expect(saved.map(shown)).toEqual([
      [0, 15, 14 * MINUTE, '14', '15'],
      [15, 15, 29 * MINUTE, '29', '15'],
    ]);
    expect(removed).toHaveLength(28);
  });
});
