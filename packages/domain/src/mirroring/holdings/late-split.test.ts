import { describe, expect, it } from '@jest/globals';
import { ONE, decimal, decimalText } from '../../numbers/decimal.js';
import { id } from '../../ids.js';
import { DAY } from '../../time.js';
import type { Splits } from '../../market/split.js';
import type { BrokerAccount } from '../bot-account.js';
import { withFill, attributeHoldings } from './kept.js';
import type { HeldParts } from './held-part.js';
import { inSharesOfToday } from './late-split.js';

const KO = id<'stock'>('NYSE:KO');
const SPLIT_AT = 10 * DAY;

const holding = (amount: string, price: string): BrokerAccount => {
  const value = decimal(amount).times(decimal(price));
  return {
    equity: value.plus(decimal('1000')),
    cash: decimal('1000'),
    buyingPower: decimal('1000'),
    maxGross: ONE,
    positions: [{ stockId: KO, amount: decimal(amount), price: decimal(price), value }],
    allows: 'all',
    because: null,
  };
};

const split = (newShares: string, oldShares = '1'): Splits => {
  const ratio = { newShares: decimal(newShares), oldShares: decimal(oldShares) };
  return new Map([[KO, [{ ratio, at: SPLIT_AT }]]]);
};

const parts = (kept: string, own: string, seenAt = SPLIT_AT - DAY): HeldParts =>
  new Map([[KO, { kept: decimal(kept), own: decimal(own), seenAt }]]);

const read = (
  known: HeldParts,
  account: BrokerAccount,
  splits: Splits,
  { ours, now = SPLIT_AT + 600_000 }: { readonly ours: string; readonly now?: number },
) => {
  const quoteOf = () => ({ bid: decimal(ours), ask: decimal(ours) });
  const { account: found, late } = inSharesOfToday(account, known, { now, splits, quoteOf });
  const divided = attributeHoldings(known, { account: found, now, splits, quoteOf, late });
  return { found, late, divided };
};

const textOf = (of: HeldParts): readonly string[] => {
  const part = of.get(KO);
  return [part?.kept ?? ONE, part?.own ?? ONE].map((amount) => decimalText(amount));
};

describe('a split that is booked here before its broker has it (contract 10)', () => {
  it.each([
    // the split; kept, own; held at the price; our quote; the holding in shares of now
    ['at the price of old shares', ['10'], ['0', '100'], ['100', '50'], '5', ['1000', '5', '6000']],
    [
      'at the price of new shares already',
      ['10'],
      ['0', '100'],
      ['100', '5'],
      '5',
      ['1000', '5', '6000'],
    ],
    ['beside what is kept', ['2'], ['30', '70'], ['100', '10'], '10', ['200', '10', '3000']],
    ['a reverse split', ['1', '10'], ['0', '100'], ['100', '10'], '10', ['10', '10', '1100']],
    [
      'of a few new shares',
      ['105', '100'],
      ['0', '100'],
      ['100', '20'],
      '20',
      ['105', '20', '3100'],
    ],
    ['of a short', ['2'], ['0', '-100'], ['-100', '10'], '10', ['-200', '10', '-1000']],
  ])('counts as if it were there: %s', (_, ratio, part, [held, at], ours, expected) => {
    const [kept = '', own = ''] = part;
    const known = parts(kept, own);
    const { found, late, divided } = read(
      known,
      holding(held ?? '', at ?? ''),
      split(...(ratio as [string])),
      {
        ours,
      },
    );
    const [position] = found.positions;
    expect([position?.amount, position?.price, found.equity].map((one) => one?.toFixed())).toEqual(
      expected,
    );
    expect([...late]).toEqual([KO]);
    // The stored parts wait for the broker, so that its shares are the same ones when they come.
    expect([divided.parts.get(KO), divided.changes]).toEqual([known.get(KO), []]);
    const [keptNow = '', ownNow = ''] = textOf(divided.present);
    expect(decimal(keptNow).plus(decimal(ownNow)).toFixed()).toBe(expected[0]);
  });

  it('is waited for however long it takes within three days, and is the same shares when it comes', () => {
    const known = parts('0', '100');
    const now = SPLIT_AT + 2 * DAY;
    const waiting = read(known, holding('100', '5'), split('10'), { ours: '5', now });
    const come = read(waiting.divided.parts, holding('1000', '5'), split('10'), {
      ours: '5',
      now: now + 60_000,
    });
    expect([textOf(come.divided.parts), [...come.late], come.divided.changes]).toEqual([
      ['0', '1000'],
      [],
      [],
    ]);
  });

  it('is waited for when the one before it has come', () => {
    const two = { newShares: decimal('2'), oldShares: ONE };
    const splits = new Map([
      [KO, [SPLIT_AT - 3_600_000, SPLIT_AT].map((at) => ({ ratio: two, at }))],
    ]);
    const { found, late, divided } = read(parts('20', '80'), holding('200', '10'), splits, {
      ours: '5',
    });
    expect([found.positions[0]?.amount.toFixed(), [...late]]).toEqual(['400', [KO]]);
    expect(textOf(divided.present)).toEqual(['80', '320']);
  });

  it.each([
    // what the owner did meanwhile, in new shares; held; kept and own meanwhile and once the shares came
    ['bought', '103', '1003', ['3', '1000']],
    ['sold', '96', '996', ['0', '996']],
  ])('is waited for when the owner %s a little meanwhile', (_, held, later, expected) => {
    const known = parts('0', '100');
    const waiting = read(known, holding(held, '5'), split('10'), { ours: '5' });
    expect([...waiting.late]).toEqual([KO]);
    expect([textOf(waiting.divided.present), waiting.divided.parts.get(KO)]).toEqual([
      expected,
      known.get(KO),
    ]);
    expect(waiting.divided.inDoubt.map(({ amount }) => amount.toFixed())).toEqual([
      held === '103' ? '3' : '4',
    ]);
    const come = read(waiting.divided.parts, holding(later, '5'), split('10'), {
      ours: '5',
      now: SPLIT_AT + 700_000,
    });
    expect(textOf(come.divided.parts)).toEqual(expected);
  });

  it.each([
    ['after three days', parts('0', '100'), '100', SPLIT_AT + 3 * DAY],
    ['when the owner sold most of it', parts('0', '100'), '20', SPLIT_AT + 600_000],
    ['when the parts were seen since', parts('0', '100', SPLIT_AT), '100', SPLIT_AT + 600_000],
    ['of what nobody saw before', new Map(), '100', SPLIT_AT + 600_000],
  ])('counts as the broker tells it %s', (_, known: HeldParts, held, now) => {
    const { found, late } = read(known, holding(held, '5'), split('10'), { ours: '5', now });
    expect(found.positions[0]?.amount.toFixed()).toBe(held);
    expect([...late]).toEqual([]);
  });
});

describe('a split that is booked here while its broker has the shares and not their price (contract 10)', () => {
  it.each([
    // the split; kept, own; held at the price; our quote; kept and own, and the price
    ['a reverse split', ['1', '10'], ['0', '100'], ['10', '5'], '50', ['0', '10', '50']],
    ['a split', ['10', '1'], ['0', '100'], ['1000', '50'], '5', ['0', '1000', '5']],
    ['beside what is kept', ['1', '10'], ['30', '70'], ['10', '5'], '50', ['3', '7', '50']],
    [
      'counted to nine places',
      ['1', '7'],
      ['0', '22'],
      ['3.142857143', '5'],
      '35',
      ['0', '3.142857143', '35'],
    ],
    ['with cash for the rest', ['1', '7'], ['0', '22'], ['3', '5'], '35', ['0', '3', '35']],
  ])(
    'counts at the price of new shares, as long as it takes: %s',
    (_, ratio, part, held, ours, after) => {
      const [newShares = '', oldShares] = ratio;
      let known = parts(part[0] ?? '', part[1] ?? '');
      for (const now of [SPLIT_AT + 60_000, SPLIT_AT + DAY]) {
        const account = holding(held[0] ?? '', held[1] ?? '');
        const { found, late, divided } = read(known, account, split(newShares, oldShares), {
          ours,
          now,
        });
        known = divided.parts;
        const [position] = found.positions;
        const price = position?.price.toFixed();
        expect([...textOf(divided.parts), price, late.size]).toEqual([...after, 0]);
        const worth = decimal(after[2] ?? '').times(held[0] ?? '');
        expect(position?.value.toFixed()).toBe(worth.toFixed());
        expect(found.equity.toFixed()).toBe(worth.plus('1000').toFixed());
      }
    },
  );

  it.each([
    ['whose owner sold a part of the old shares', ['50', '50'], '5'],
    ['whose broker has another price', ['1000', '30'], '5'],
    ['whose broker has the price of now', ['1000', '5'], '5'],
  ])('is as it is told: one %s', (_, held, ours) => {
    const account = holding(held[0] ?? '', held[1] ?? '');
    const { found } = read(parts('0', '100'), account, split('10'), { ours });
    expect(found.positions).toEqual(account.positions);
  });
});

describe('a split of few new shares that its broker has before it is booked here (contract 10)', () => {
  const before = parts('20', '80', SPLIT_AT - DAY);
  const early = (held: string) =>
    read(before, holding(held, '9.6'), new Map(), { ours: '10', now: SPLIT_AT - 3_600_000 });
  const fiveOfHundred = split('105', '100');

  it('gives each side its part once it is booked, though the new shares looked like a purchase', () => {
    const { divided } = early('105');
    expect(textOf(divided.parts)).toEqual(['25', '80']);
    const booked = read(divided.parts, holding('105', '9.6'), fiveOfHundred, { ours: '9.6' });
    expect([textOf(booked.divided.parts), booked.divided.changes]).toEqual([['21', '84'], []]);
    const later = read(booked.divided.parts, holding('105', '9.6'), fiveOfHundred, {
      ours: '9.6',
      now: SPLIT_AT + DAY,
    });
    expect(textOf(later.divided.parts)).toEqual(['21', '84']);
  });

  it('also when the bot traded meanwhile', () => {
    const bought = { filled: decimal('5'), at: SPLIT_AT - 60_000 };
    const known = withFill(early('105').divided.parts, KO, bought);
    const booked = read(known, holding('110', '9.6'), fiveOfHundred, { ours: '9.6' });
    expect(textOf(booked.divided.parts)).toEqual(['21', '89']);
  });

  it.each([
    ['of whole shares only', '104', ['209', '200'], '104', ['20.9', '83.1']],
    ['not if they were another amount', '107', ['105', '100'], '112.35', ['28.35', '84']],
  ])('%s', (_, seen, [newShares = '', oldShares = ''], held, expected) => {
    const known = early(seen).divided.parts;
    const ratio = split(newShares, oldShares);
    const booked = read(known, holding(held, '9.6'), ratio, { ours: '9.6' });
    expect(textOf(booked.divided.parts)).toEqual(expected);
  });

  it.each([
    ['soon after it', 60_000],
    ['a day after it', DAY],
  ])('also when another split follows %s, before the account is read again', (_, after) => {
    const [first] = fiveOfHundred.get(KO) ?? [];
    const [second] = split('2').get(KO) ?? [];
    if (!first || !second) throw new Error('no splits');
    const both: Splits = new Map([[KO, [first, { ...second, at: SPLIT_AT + after }]]]);
    const now = SPLIT_AT + after + 1_000;
    const booked = read(early('105').divided.parts, holding('210', '4.8'), both, {
      ours: '4.8',
      now,
    });
    expect(textOf(booked.divided.parts)).toEqual(['42', '168']);
    expect(booked.divided.changes).toEqual([]);
    const twice: Splits = new Map([[KO, [{ ...second, at: SPLIT_AT - 2 * DAY }, first]]]);
    const known = read(early('105').divided.parts, holding('105', '9.6'), twice, { ours: '9.6' });
    expect(textOf(known.divided.parts)).toEqual(['21', '84']);
  });

  it('also when its broker is still to apply another one that follows', () => {
    const [first] = fiveOfHundred.get(KO) ?? [];
    const [second] = split('2').get(KO) ?? [];
    if (!first || !second) throw new Error('no splits');
    const both: Splits = new Map([[KO, [first, { ...second, at: SPLIT_AT + 60_000 }]]]);
    const known = early('105').divided.parts;
    const waiting = read(known, holding('105', '9.6'), both, { ours: '4.8' });
    expect([...waiting.late]).toEqual([KO]);
    expect(waiting.found.positions).toMatchObject([{ amount: decimal('210') }]);
    expect(textOf(waiting.divided.present)).toEqual(['42', '168']);
    const there = read(waiting.divided.parts, holding('210', '4.8'), both, { ours: '4.8' });
    expect([[...there.late], textOf(there.divided.parts)]).toEqual([[], ['42', '168']]);
  });

  it('is not waited for when the owner traded beside it', () => {
    const known = early('104').divided.parts;
    const { late, divided } = read(known, holding('104', '9.6'), fiveOfHundred, {
      ours: '9.6',
      now: SPLIT_AT + 60_000,
    });
    expect([[...late], textOf(divided.parts)]).toEqual([[], ['24', '80']]);
  });
});
