import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '@slipstream/client';
import { type OperationName, operations } from '@slipstream/wire';
import { fitting, liveBoard } from './live-board.js';

const AT = '2026-03-04T15:00:00.000Z';
const aValue = (strategy_value: string) => ({
  ...{ strategy_id: 's', strategy_value, closing_only: false, ended_at: null },
});
const eventOf = (channel: string, event: string, data: unknown, version = 1): StreamEvent =>
  ({ channel, event, version, at: AT, data }) as unknown as StreamEvent;

const example = (name: OperationName): Record<string, unknown> => {
  const { response } = operations[name].example as { readonly response: unknown };
  return (Array.isArray(response) ? response[0] : response) as Record<string, unknown>;
};
const order = (order_id: string, more = {}) => ({
  ...{ ...example('getOrders'), order_id, strategy_id: 's', order_status: 'open' },
  ...more,
});
const { positions } = example('getPositions') as { readonly positions: readonly object[] };
const held = (...stocks: readonly string[]) => ({
  ...{ ...example('getPositions'), strategy_id: 's' },
  positions: stocks.map((stock_id) => ({
    ...{ ...positions[0], strategy_id: 's', stock_id, symbol: stock_id },
  })),
});
const bot = (status: string) => ({ ...example('getBots'), bot_id: 'b', status });

describe('the live board', () => {
  it('combines snapshots and changes into the present state', () => {
    const board = liveBoard();
    board.take(eventOf('wsStrategyValue:s', 'snapshot', aValue('1')));
    board.take(eventOf('wsStrategyValue:s', 'changed', aValue('1.25')));
    expect(board.text()).toBe('STRATEGY  VALUE  AT\ns          1.25  15:00:00.000');
    board.take({ channel: 'wsStrategyValue:s', event: 'ended', data: { reason: 'deleted' } });
    expect(board.text()).toContain('wsStrategyValue:s ended: deleted');
  });

  it.each([
    ['wsStrategyValue:s', aValue('1'), aValue('2')],
    ['wsPositions:s', held('a', 'b'), held('b', 'c')],
    ['wsOrders:s', [order('one'), order('two')], [order('two'), order('three')]],
    ['wsOrders:s', [order('one')], []],
    ['wsBot:b', bot('running'), bot('off')],
  ])('shows after a later snapshot of %s what it tells, and nothing older', (name, one, other) => {
    const [board, fresh] = [liveBoard(), liveBoard()];
    board.take(eventOf(name, 'snapshot', one));
    board.take(eventOf(name, 'snapshot', other, 9));
    fresh.take(eventOf(name, 'snapshot', other, 9));
    expect(board.text()).toBe(fresh.text());
  });

  it('keeps the orders of other strategies, and the closed ones that were told', () => {
    const board = liveBoard();
    board.take(eventOf('wsOrders:s', 'snapshot', [order('one'), order('two')]));
    board.take(eventOf('wsOrders:other', 'snapshot', [order('four', { strategy_id: 'other' })]));
    board.take(eventOf('wsOrders:s', 'filled', order('one', { order_status: 'filled' }), 2));
    board.take(eventOf('wsOrders:s', 'snapshot', [], 9));
    expect(board.text()).toMatch(/^one .*filled/m);
    expect(board.text()).toMatch(/^four .*open/m);
    expect(board.text()).not.toContain('two');
  });

  it('shows the orders that were closed last, however long they were open', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `order-${index}`);
    const closings = [ids, ids.toReversed(), [...ids.slice(1), 'order-0']];
    for (const closing of closings) {
      const board = liveBoard();
      board.take(eventOf('wsOrders:s', 'snapshot', ids.map((id) => order(id)).toReversed()));
      for (const [at, id] of closing.entries())
        board.take(eventOf('wsOrders:s', 'filled', order(id, { order_status: 'filled' }), at + 2));
      const shown = board.text().match(/^order-\d+/gm);
      expect(shown).toEqual(closing.slice(-10));
    }
  });
});

describe('a text in a terminal', () => {
  it.each([
    ['one that fits', 'a\nb\nc', 3, 20, 'a\nb\nc', 3],
    ['a longer one', 'a\nb\nc\nd', 3, 20, 'a\nb\n… 2 more lines', 3],
    [
      'one with a line of two rows',
      `${'a'.repeat(21)}\nb\nc`,
      3,
      20,
      `${'a'.repeat(21)}\n… 2 more lines`,
      3,
    ],
    [
      'one with a line as wide as it',
      `${'a'.repeat(20)}\nb\nc`,
      3,
      20,
      `${'a'.repeat(20)}\nb\nc`,
      3,
    ],
  ])(
    'says what is left out of %s, and how many rows it takes',
    (_, text, rows, columns, shown, height) => {
      expect(fitting(text, { rows, columns })).toEqual({ shown, height });
    },
  );
});
