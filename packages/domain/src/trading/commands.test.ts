import { describe, expect, it } from '@jest/globals';
import {
  START,
  aBook,
  aMarket,
  aRequest,
  amount,
  counting,
  holdings,
  ids,
  limit,
  summarize,
} from '../../tests/builders.js';
import { type Book, newBook } from './book.js';
import type { IdentifiedRequest } from './order.js';
import { cancelOpenOrders, cancelOrder, matchOrders, submit } from './commands.js';
import { decimal } from '../numbers/decimal.js';
import { id } from '../ids.js';

const at100 = aMarket({ quotes: { AAA: '100' } });
const closed = aMarket({ quotes: { AAA: '100' }, opensAt: null });
const order = (name: string, changes: Partial<IdentifiedRequest> = {}) =>
  aRequest({ id: id(name), ...changes });
const placed = (requests: IdentifiedRequest[], market = closed, book: Book = newBook(id('s1'))) =>
  submit(book, requests, market, counting('t'));

describe('submit accepts orders and executes what can execute, as one change', () => {
  it('shows them as accepted, though they are filled by now', () => {
    const { accepted, book, changes } = placed([order('a')], at100);
    expect(accepted).toMatchObject([{ id: 'a', status: 'open', createdAt: START }]);
    expect(summarize(changes)).toEqual(['opened a', 'filled a']);
    expect(book.version).toBe(1);
    expect(book.openOrders).toEqual([]);
  });

  it('leaves older orders that wait alone', () => {
    const { book } = placed([order('a')]);
    const { changes } = placed([order('b')], at100, book);
    expect(summarize(changes)).toEqual(['opened b', 'filled b']);
  });

  it('cancels every open order first when it replaces them, for that reason', () => {
    const before = placed([order('a'), order('b', { dependsOn: ids('a') })]).book;
    const { book, changes } = submit(before, [order('c')], closed, counting('t'), 'replaced');
    expect(summarize(changes)).toEqual(['cancelled a', 'cancelled b', 'opened c']);
    expect(changes[1]?.order).toMatchObject({
      status: 'cancelled',
      reason: 'replaced',
      dependsOn: [],
      closedAt: START,
    });
    expect(book.openOrders.map((open) => open.id)).toEqual(['c']);
    expect(book.version).toBe(before.version + 1);
  });

  it.each([undefined, 'replaced'])(
    'changes nothing when there is nothing to do (%p)',
    (replaces) => {
      const book = newBook(id('s1'));
      const outcome = submit(book, [], at100, counting('t'), replaces);
      expect(outcome).toEqual({ book, changes: [], accepted: [] });
      expect(outcome.book).toBe(book);
    },
  );
});

describe('deleteOrder cancels an open order; its dependents are released, never cancelled', () => {
  const chain = () =>
    placed([
      order('a', { pricing: limit('50') }),
      order('b', { dependsOn: ids('a') }),
      order('c', { dependsOn: ids('b') }),
      order('d', { dependsOn: ids('a', 'b') }),
    ]).book;

  it('they execute if they can, and release in turn', () => {
    const { book, changes } = cancelOrder(chain(), id('a'), at100, counting('t'));
    expect(summarize(changes)).toEqual([
      'cancelled a',
      'released b',
      'released d',
      'filled b',
      'released c',
      'released d',
      'filled c',
      'filled d',
    ]);
    expect(holdings(book)).toEqual({ AAA: '0.003' });
  });

  it('one that can only reduce ends at its release, before other released orders are matched (contract 7b.2)', () => {
    const first = order('a', { pricing: limit('50') });
    const opens = order('b', { action: 'sell', dependsOn: ids('a') });
    const reduces = order('c', { dependsOn: ids('a'), reduceOnly: true });
    const { book } = placed([first, opens, reduces], at100);
    const after = cancelOrder(book, id('a'), at100, counting('t'));
    expect(summarize(after.changes)).toEqual([
      'cancelled a',
      'released b',
      'released c',
      'cancelled c',
      'filled b',
    ]);
    expect(holdings(after.book)).toEqual({ AAA: '-0.001' });
  });

  it('they wait if they must', () => {
    const { book } = cancelOrder(chain(), id('a'), closed, counting('t'));
    expect(book.openOrders.map(({ id: name, dependsOn }) => [name, dependsOn])).toEqual([
      ['b', []],
      ['c', ['b']],
      ['d', ['b']],
    ]);
  });

  it('a middle one releases its own dependents only', () => {
    const { book, changes } = cancelOrder(chain(), id('b'), closed, counting('t'));
    expect(summarize(changes)).toEqual(['cancelled b', 'released c', 'released d']);
    expect(changes[0]?.order.dependsOn).toEqual([]);
    expect(book.openOrders.map(({ dependsOn }) => dependsOn)).toEqual([[], [], ['a']]);
  });

  it('refuses an order that is not open', () => {
    const { book } = placed([order('a')], at100);
    expect(() => cancelOrder(book, id('a'), at100, counting('t'))).toThrow('not open');
  });
});

describe('cancelOpenOrders', () => {
  it('cancels all as one change, and is no change when none is open', () => {
    const { book } = placed([order('a'), order('b')]);
    const cancelled = cancelOpenOrders(book, 'the strategy was deleted', closed);
    expect(summarize(cancelled.changes)).toEqual(['cancelled a', 'cancelled b']);
    expect(cancelled.book.version).toBe(2);
    expect(cancelOpenOrders(cancelled.book, 'again', closed)).toEqual({
      book: cancelled.book,
      changes: [],
    });
  });
});

describe('matchOrders matches waiting orders with a quote', () => {
  const resting = () => placed([order('a', { pricing: limit('99') })], at100).book;
  const later = (price: string) => aMarket({ quotes: { AAA: price }, now: START + 1 });

  it('is no change and no new version while nothing moves', () => {
    const book = resting();
    expect(matchOrders(book, later('100'), counting('t')).book).toBe(book);
  });

  it('counts one version for all changes of a quote', () => {
    const book = placed([order('b', { pricing: limit('99') })], at100, resting()).book;
    const settled = matchOrders(book, later('98'), counting('t'));
    expect(summarize(settled.changes)).toEqual(['filled a', 'filled b']);
    expect(settled.book.version).toBe(book.version + 1);
    expect(settled.changes[0]?.order).toMatchObject({ filledPrice: decimal('99') });
  });

  it('matches only the orders that are due', () => {
    const book = placed([order('b', { pricing: limit('99') })], at100, resting()).book;
    const settled = matchOrders(book, later('98'), counting('t'), new Set(ids('b')));
    expect(summarize(settled.changes)).toEqual(['filled b']);
  });

  it('an order that is gone moves nothing', () => {
    const book = aBook();
    expect(matchOrders(book, at100, counting('t'), new Set(ids('gone'))).book).toBe(book);
  });
});

describe('a closed order never changes', () => {
  it('is rejected once and stays so', () => {
    const tooLarge = placed([order('a', { size: amount('1') })], at100);
    expect(summarize(tooLarge.changes)).toEqual(['opened a', 'rejected a']);
    expect(matchOrders(tooLarge.book, at100, counting('t')).changes).toEqual([]);
  });
});
