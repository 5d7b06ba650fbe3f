import { describe, expect, it } from '@jest/globals';
import { decimal } from '../numbers/decimal.js';
import { id } from '../ids.js';
import { DAY, HOUR } from '../time.js';
import {
  type AnnouncedAction,
  type AnnouncedFacts,
  contradicted,
  decideAnnounced,
  followSource,
} from './announced-action.js';
import type { StockAction } from './stock-action.js';

const DUE = Date.UTC(2026, 2, 4, 9);

const anAction = (changes: Partial<AnnouncedAction> = {}): AnnouncedAction => ({
  id: id('a'),
  stockId: id('aapl'),
  kind: 'split',
  newShares: decimal('4'),
  oldShares: decimal('1'),
  amount: null,
  name: 'forward split',
  dueAt: DUE,
  status: 'pending',
  seenAt: DUE - 2 * DAY,
  ...changes,
});
const dividend = {
  kind: 'cash_dividend',
  newShares: null,
  oldShares: null,
  amount: decimal('0.5'),
} as const;
const none = { newShares: null, oldShares: null } as const;
const byHand = (changes: Partial<StockAction> = {}): StockAction => ({
  id: id('by hand'),
  stockId: id('aapl'),
  kind: 'split',
  figure: decimal('4'),
  newShares: null,
  oldShares: null,
  status: 'done',
  createdAt: DUE + HOUR,
  ...changes,
});
const late = { seenAt: DUE + HOUR };
/** What was booked for an announced dividend of the same amount, as far as these changes leave it the same. */
const announcedToo = (changes: Partial<AnnouncedAction> = {}) => ({
  booked: [byHand({ id: id('other'), kind: 'cash_dividend', figure: decimal('0.5') })],
  known: [anAction({ ...dividend, id: id('other'), status: 'booked', ...changes })],
});
const announcedSplit = (changes: Partial<AnnouncedAction>) => ({
  booked: [byHand({ id: id('other') })],
  known: [anAction({ id: id('other'), status: 'booked', ...changes })],
});

describe('an announced action (contract 11)', () => {
  it.each<[string, Partial<AnnouncedAction>, Partial<AnnouncedFacts>, string]>([
    ['before its time', {}, { now: DUE - 1 }, 'wait'],
    ['at its time', {}, {}, 'book'],
    ['read in time, a quote slipped in', {}, { quotedAt: DUE }, 'book'],
    ['a dividend at its time', dividend, { quotedAt: DUE + HOUR }, 'book'],
    ['read late, not quoted since', late, { quotedAt: DUE - 1 }, 'book'],
    ['read late, never quoted', late, { quotedAt: undefined }, 'book'],
    ['a split read late, quoted since', late, { quotedAt: DUE }, 'hold'],
    ['a dividend read late, quoted since', { ...late, ...dividend }, { quotedAt: DUE }, 'miss'],
    ['booked by hand', {}, { booked: [byHand()] }, 'close'],
    ['booked by hand before its time', {}, { now: DUE - 1, booked: [byHand()] }, 'close'],
    [
      'booked by hand with other words',
      {},
      { booked: [byHand({ newShares: decimal('8'), oldShares: decimal('2') })] },
      'close',
    ],
    [
      'booked by hand by its ratio',
      { newShares: decimal('8'), oldShares: decimal('2') },
      { booked: [byHand()] },
      'close',
    ],
    ['a dividend of as much by hand', {}, { booked: [byHand({ kind: 'cash_dividend' })] }, 'book'],
    [
      'a split of as much by hand',
      dividend,
      { booked: [byHand({ figure: decimal('0.5') })] },
      'book',
    ],
    ['read as it was due, quoted since', { seenAt: DUE }, { quotedAt: DUE }, 'hold'],
    ['another split by hand', {}, { booked: [byHand({ figure: decimal('2') })] }, 'book'],
    ['the same split of long ago', {}, { booked: [byHand({ createdAt: DUE - 6 * DAY })] }, 'book'],
    [
      'a dividend by hand',
      dividend,
      { booked: [byHand({ kind: 'cash_dividend', figure: decimal('0.5') })] },
      'close',
    ],
    ['a dividend that was announced twice', dividend, announcedToo(), 'close'],
    [
      'a dividend beside another of its amount',
      dividend,
      announcedToo({ name: 'special' }),
      'book',
    ],
    ['a dividend two days after another', dividend, announcedToo({ dueAt: DUE - 2 * DAY }), 'book'],
    ['a split that was announced twice', {}, announcedSplit({ dueAt: DUE - DAY }), 'close'],
    ['a merger', { kind: 'other', ...none }, {}, 'hold'],
    ['a split without figures', none, {}, 'hold'],
    ['a split of no shares', { oldShares: decimal('0') }, {}, 'hold'],
    ['a split of fewer than no shares', { newShares: decimal('-2') }, {}, 'hold'],
    ['a dividend without an amount', { ...dividend, amount: null }, {}, 'hold'],
    ['a dividend of nothing', { ...dividend, amount: decimal('0') }, {}, 'hold'],
    ['one without figures, before its time', none, { now: DUE - 1 }, 'wait'],
    [
      'worthless, last quoted long ago',
      { kind: 'worthless', ...none },
      { quotedAt: DUE - 9 * DAY },
      'book',
    ],
    [
      'worthless, but still quoted',
      { kind: 'worthless', ...none },
      { quotedAt: DUE - DAY },
      'hold',
    ],
    [
      'worthless, but quoted until a long weekend',
      { kind: 'worthless', ...none },
      { quotedAt: DUE - 84 * HOUR },
      'hold',
    ],
    [
      'worthless, delisted by hand',
      { kind: 'worthless', ...none },
      { booked: [byHand({ kind: 'delisting' })] },
      'close',
    ],
  ])('%s: %j', (_, changes, facts, decision) => {
    const given = { now: DUE, quotedAt: DUE - 12 * HOUR, booked: [], known: [], ...facts };
    expect(decideAnnounced(anAction(changes), given)).toBe(decision);
  });
});

describe('what a source says now', () => {
  const now = DUE - DAY;
  const window = { now, until: DUE + 9 * DAY, unanswered: [] };
  const said = (changes: Partial<AnnouncedAction> = {}) => {
    const { status: _, seenAt: __, ...action } = anAction(changes);
    return action;
  };

  it.each<[string, AnnouncedAction[], ReturnType<typeof said>[], Partial<AnnouncedAction>[]]>([
    ['something new', [], [said()], [{ status: 'pending', seenAt: now }]],
    ['the same', [anAction()], [said()], []],
    [
      'another day',
      [anAction()],
      [said({ dueAt: DUE + DAY })],
      [{ dueAt: DUE + DAY, seenAt: DUE - 2 * DAY }],
    ],
    [
      'another ratio',
      [anAction()],
      [said({ newShares: decimal('5') })],
      [{ newShares: decimal('5') }],
    ],
    ['nothing any more', [anAction()], [], [{ status: 'withdrawn' }]],
    ['nothing, beyond the time asked for', [anAction({ dueAt: window.until })], [], []],
    ['nothing of what is due', [anAction({ dueAt: now })], [], []],
    [
      'another ratio of what is due',
      [anAction({ dueAt: now })],
      [said({ dueAt: now, newShares: decimal('5') })],
      [],
    ],
    ['it again', [anAction({ status: 'withdrawn' })], [said()], [{ status: 'pending' }]],
    [
      'it for a later day, after the day on which it was taken back',
      [anAction({ status: 'withdrawn', dueAt: now - DAY })],
      [said()],
      [{ status: 'pending', dueAt: DUE }],
    ],
    [
      'a day that is past already',
      [anAction()],
      [said({ dueAt: now - HOUR })],
      [{ status: 'pending', dueAt: now - HOUR, seenAt: now }],
    ],
    [
      'it again, after its day',
      [anAction({ status: 'withdrawn', dueAt: now - HOUR })],
      [said({ dueAt: now - HOUR })],
      [{ status: 'pending', seenAt: now }],
    ],
    [
      'another day of what is booked',
      [anAction({ status: 'booked' })],
      [said({ dueAt: DUE + DAY })],
      [],
    ],
    ['nothing of what is held', [anAction({ status: 'held' })], [], []],
    [
      'what is booked by another id and day',
      [anAction({ status: 'booked', dueAt: now - HOUR })],
      [said({ id: id('b') })],
      [{ id: id('b'), status: 'closed' }],
    ],
    [
      'what is due by another id',
      [anAction({ dueAt: now })],
      [said({ id: id('b'), dueAt: now })],
      [{ id: id('b'), status: 'closed' }],
    ],
    [
      'another like the one that is booked, and that one too',
      [anAction({ status: 'booked', dueAt: now - HOUR })],
      [said({ dueAt: now - HOUR }), said({ id: id('b') })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'by another id what it took back before its time',
      [anAction({ status: 'withdrawn', dueAt: now - HOUR })],
      [said({ id: id('b') })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'other figures of a booked split by another id',
      [anAction({ status: 'booked', dueAt: now })],
      [said({ id: id('b'), newShares: decimal('5'), dueAt: now })],
      [{ id: id('b'), status: 'held' }],
    ],
    [
      'the ratio of a booked split in other shares',
      [
        anAction({
          status: 'booked',
          newShares: decimal('1.05'),
          oldShares: decimal('1'),
          dueAt: now,
        }),
      ],
      [said({ id: id('b'), newShares: decimal('21'), oldShares: decimal('20'), dueAt: now })],
      [{ id: id('b'), status: 'closed' }],
    ],
    [
      'other figures of a split that the operator booked, by another id: it is compared with that',
      [anAction({ status: 'closed', dueAt: now })],
      [said({ id: id('b'), newShares: decimal('5'), dueAt: now })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'a dividend of another day, after a booked one that it names no more',
      [anAction({ ...dividend, status: 'booked', dueAt: now - HOUR })],
      [said({ ...dividend, id: id('b'), amount: decimal('5'), dueAt: now + 2 * DAY })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'a booked dividend by another id, and one more of its day',
      [anAction({ ...dividend, status: 'booked', dueAt: now - HOUR })],
      [
        said({ ...dividend, id: id('b'), dueAt: now - HOUR }),
        said({ ...dividend, id: id('c'), amount: decimal('5'), dueAt: now - HOUR }),
      ],
      [
        { id: id('b'), status: 'closed' },
        { id: id('c'), status: 'pending' },
      ],
    ],
    [
      'a spin-off after a change of the symbol that was held',
      [anAction({ kind: 'other', ...none, name: 'name change', status: 'closed', dueAt: now })],
      [said({ id: id('b'), kind: 'other', ...none, name: 'spin-off', dueAt: now + DAY })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'other figures of a booked dividend by another id',
      [anAction({ ...dividend, status: 'booked', dueAt: now - HOUR })],
      [said({ ...dividend, id: id('b'), amount: decimal('0.6'), dueAt: now - HOUR })],
      [{ id: id('b'), status: 'missed' }],
    ],
    [
      'another dividend beside the one that is booked',
      [anAction({ ...dividend, status: 'booked', dueAt: now - HOUR })],
      [
        said({ ...dividend, dueAt: now - HOUR }),
        said({ ...dividend, id: id('b'), amount: decimal('0.6') }),
      ],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'the ratio of a booked split, which was in other shares, as a number',
      [
        anAction({
          status: 'booked',
          newShares: decimal('21'),
          oldShares: decimal('20'),
          dueAt: now,
        }),
      ],
      [said({ id: id('b'), newShares: decimal('1.05'), dueAt: now })],
      [{ id: id('b'), status: 'closed' }],
    ],
    [
      'as much of another stock by another id',
      [anAction({ status: 'booked', dueAt: now - HOUR })],
      [said({ id: id('b'), stockId: id('msft') })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'other figures of another stock on the day of a booked split that it names no more',
      [anAction({ status: 'booked', dueAt: now })],
      [said({ id: id('b'), stockId: id('msft'), newShares: decimal('5'), dueAt: now })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'a dividend on the day of a booked split that it names no more',
      [anAction({ status: 'booked', dueAt: now })],
      [said({ ...dividend, id: id('b'), dueAt: now })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'a split after a removal that it names no more',
      [anAction({ kind: 'worthless', ...none, status: 'booked', dueAt: now - HOUR })],
      [said({ id: id('b') })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'by another id a held split without figures',
      [anAction({ ...none, status: 'held', dueAt: now })],
      [said({ ...none, id: id('b'), dueAt: now })],
      [{ id: id('b'), status: 'closed' }],
    ],
    [
      'figures of a held split without them, by another id',
      [anAction({ ...none, status: 'held', dueAt: now })],
      [said({ id: id('b'), dueAt: now })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'by another id a held dividend without an amount',
      [anAction({ ...dividend, amount: null, status: 'held', dueAt: now })],
      [said({ ...dividend, amount: null, id: id('b'), dueAt: now })],
      [{ id: id('b'), status: 'closed' }],
    ],
    [
      'the amount of a held dividend without one, by another id',
      [anAction({ ...dividend, amount: null, status: 'held', dueAt: now })],
      [said({ ...dividend, id: id('b'), dueAt: now })],
      [{ id: id('b'), status: 'pending' }],
    ],
    [
      'a dividend after a booked split that it names no more',
      [anAction({ status: 'booked', dueAt: now - HOUR })],
      [said({ ...dividend, id: id('b') })],
      [{ id: id('b'), status: 'pending' }],
    ],
  ])('%s', (_, known, sourced, saved) => {
    const rows = followSource(known, sourced, window);
    expect(rows).toHaveLength(saved.length);
    expect(rows).toMatchObject(saved);
  });

  it('nothing of a stock that it did not answer for', () => {
    const rows = [anAction(), anAction({ id: id('b'), stockId: id('msft') })];
    const withdrawn = followSource(rows, [], { ...window, unanswered: [id('aapl')] });
    expect(withdrawn).toMatchObject([{ stockId: 'msft', status: 'withdrawn' }]);
  });
});

describe('a booked action', () => {
  const split = { newShares: decimal('5') };
  const sourced = (changes: Partial<AnnouncedAction> = {}) => anAction(changes);

  it.each<[string, Partial<AnnouncedAction>, AnnouncedAction[], boolean]>([
    ['while the source says the same', {}, [sourced()], false],
    [
      'while it says the same in other shares',
      {},
      [sourced({ newShares: decimal('8'), oldShares: decimal('2') })],
      false,
    ],
    ['by another ratio', {}, [sourced(split)], true],
    ['by another day', {}, [sourced({ dueAt: DUE + DAY })], true],
    ['by nothing', {}, [], false],
    [
      'by another ratio of its day under another id',
      {},
      [sourced({ ...split, id: id('b') })],
      true,
    ],
    [
      'beside itself by nothing of another id',
      {},
      [sourced(), sourced({ ...split, id: id('b') })],
      false,
    ],
    [
      'named anew by nothing beside it',
      {},
      [sourced({ ...split, id: id('b') }), sourced({ id: id('c') })],
      false,
    ],
    [
      'though the same is said for another day',
      {},
      [sourced({ ...split, id: id('b') }), sourced({ id: id('c'), dueAt: DUE + DAY })],
      true,
    ],
    [
      'by its id for another stock, by nothing of its own',
      {},
      [sourced({ ...split, stockId: id('msft') })],
      false,
    ],
    ['that is not booked yet, by nothing', { status: 'pending' }, [sourced(split)], false],
  ])('is contradicted %s: %j', (_, row, said, isContradicted) => {
    const known = anAction({ status: 'booked', ...row });
    expect(contradicted([known], said)).toEqual(isContradicted ? [known] : []);
  });
});
