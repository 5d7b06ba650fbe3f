import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { decimal, decimalText } from '../numbers/decimal.js';
import { DAY } from '../time.js';
import {
  MirroredTrades,
  OwnerShare,
  type OwnerTrades,
  ownerTradesFrom,
  shownOwnerTrades,
} from './owner-trades.js';
import { firstSegments, openSegment, startSegment } from './segments.js';

const NOW = 1_000 * DAY;

type AnOrder = readonly [
  cycle: number,
  amount: string,
  filled: string,
  ...follows: readonly string[],
];

const aBot = (...orders: readonly AnOrder[]): MirroredTrades => {
  const bot = new MirroredTrades();
  for (const [cycle, amount, filled, ...follows] of orders)
    bot.add({
      cycle,
      amount: decimal(amount),
      filledAmount: decimal(filled),
      tradeIds: follows.map((name) => id<'trade'>(name)),
    });
  return bot;
};

/** Of three fills, one a day: c has 0.6 of the notional, b and a have 0.2 each. */
const figureOf = (...bots: readonly MirroredTrades[]): OwnerTrades | null => {
  const share = new OwnerShare(bots);
  const fills = [
    ['c', '0.6', 1],
    ['b', '-0.2', 2],
    ['a', '0.2', 3],
  ] as const;
  for (const [name, total, age] of fills)
    share.add({
      id: id('' + name),
      total: decimal(total),
      createdAt: NOW - age * DAY,
      market: 'live',
      quoteAt: NOW - age * DAY,
    });
  return share.figure(NOW);
};

const shown = (figure: OwnerTrades | null) =>
  figure && [decimalText(figure.share), (NOW - figure.since) / DAY, figure.bots];

describe('the part of a strategy that its owner trades (contract 8)', () => {
  it.each<[string, readonly MirroredTrades[], unknown]>([
    ['none without a bot', [], null],
    ['none if the orders follow other trades', [aBot([1, '5', '5', 'x'], [2, '5', '5'])], null],
    ['none if no order was filled', [aBot([1, '5', '0', 'a', 'b', 'c'])], null],
    ['all', [aBot([1, '5', '5', 'a'], [2, '7', '7', 'b', 'c'])], ['1', 3, 1]],
    ['by notional, not by number', [aBot([1, '5', '5', 'a'], [2, '5', '5', 'b'])], ['0.4', 3, 1]],
    ['the filled part of an order', [aBot([1, '5', '2', 'c'])], ['0.24', 1, 1]],
    [
      'with the rest in a later cycle',
      [aBot([1, '5', '2', 'c'], [2, '3', '3', 'c'])],
      ['0.6', 1, 1],
    ],
    ['with half of the rest', [aBot([1, '5', '2', 'c'], [2, '3', '1.5', 'c'])], ['0.42', 1, 1]],
    ['with both orders of a cycle', [aBot([1, '2', '2', 'c'], [1, '3', '0', 'c'])], ['0.24', 1, 1]],
    ['never more than a whole fill', [aBot([1, '5', '6', 'c'])], ['0.6', 1, 1]],
    [
      'a fill once, by the bot that mirrored most of it',
      [aBot([1, '5', '5', 'c']), aBot([1, '5', '4', 'c'], [2, '5', '5', 'b']), aBot()],
      ['0.8', 2, 2],
    ],
  ])('is %s', (_, bots, expected) => {
    expect(shown(figureOf(...bots))).toEqual(expected);
  });

  it.each([
    ['is not of a delisting, which nobody can mirror', 'live', '1'],
    ['is of fills from before their source was kept', 'unknown', '0.25'],
  ] as const)('%s', (_, market, part) => {
    const share = new OwnerShare([aBot([1, '5', '5', 'a'])]);
    const fill = { total: decimal('1'), createdAt: NOW - DAY, market };
    share.add({ ...fill, id: id('a'), quoteAt: NOW - DAY });
    share.add({ ...fill, id: id('delisting'), total: decimal('3'), quoteAt: null });
    expect(share.figure(NOW)?.share.toFixed()).toBe(part);
  });

  it('is rounded down', () => {
    const thirds = aBot([1, '3', '1', 'c'], [2, '2', '1', 'c']);
    expect(decimalText(thirds.partOf(id('c')))).toBe('0.666666666666666666');
  });

  const begun = firstSegments('live', NOW - 200 * DAY);
  const opening = { kind: 'live', reason: 'gap', openedAt: NOW - DAY } as const;
  const opened = openSegment(begun, opening, undefined);
  const resumed = startSegment(opened, opening, NOW - DAY, decimal('1'));

  it('is of 90 days, and of the present segment', () => {
    expect(ownerTradesFrom(begun, NOW)).toBe(NOW - 90 * DAY);
    expect(ownerTradesFrom(resumed, NOW)).toBe(NOW - DAY);
    expect(ownerTradesFrom(opened, NOW)).toBeUndefined();
  });

  it.each([
    ['0.9', 0, begun, true],
    ['0.899999999999999999', 0, begun, false],
    ['1', 2 * DAY - 1, begun, true],
    ['1', 2 * DAY, begun, false],
    ['1', 0, opened, false],
    ['1', 0, resumed, false],
  ])(
    'of %s, computed %s ms ago, is shown or not by its size, age and segment',
    (share, age, record, isShown) => {
      const figure = { share: decimal(share), since: NOW - 3 * DAY, bots: 1, at: NOW - age };
      const strategy = { ...record, ownerTrades: figure };
      expect(shownOwnerTrades(strategy, NOW)).toBe(isShown ? figure : null);
      expect(shownOwnerTrades({ ...strategy, ownerTrades: null }, NOW)).toBeNull();
    },
  );
});
