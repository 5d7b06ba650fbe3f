import { describe, expect, it } from '@jest/globals';
import { withNotices } from '../src/parts/owner/notices-in-place.js';
import {
  type Alert,
  type BotOrder,
  FOLDS,
  type LiveBot,
  type Notification,
  type Order,
  type Positions,
  withAlert,
  withBotOrders,
  withOrder,
  withPositions,
  withValues,
} from '../src/service/folds.js';

const order = (order_id: string, more: Partial<Order> = {}) => ({ order_id, ...more }) as Order;
const book = (version: number, ...amounts: [string, string][]) =>
  ({
    version,
    positions: amounts.map(([stock_id, amount]) => ({ stock_id, amount })),
  }) as Positions;

describe('open orders', () => {
  it.each(['filled', 'cancelled', 'rejected'])('lose one that is %s', (event) => {
    expect(withOrder([order('a'), order('b')], event, order('a'))).toEqual([order('b')]);
  });

  it('show a change in its place, and a new one first', () => {
    const before = [order('a'), order('b')];
    const changed = order('b', { price: '2' });
    expect(withOrder(before, 'adjusted', changed)).toEqual([order('a'), changed]);
    expect(withOrder(before, 'opened', order('c'))).toEqual([order('c'), ...before]);
  });
});

describe('notifications', () => {
  const notice = (created_at: string, notification_id = created_at) =>
    ({ notification_id, created_at }) as Notification;
  const read = ['7', '5', '3'].map((at) => notice(at));
  const idsOf = (given: readonly Notification[]) =>
    given.map(({ notification_id }) => notification_id);

  it.each([
    ['newer than all that were read', ['9'], ['9', '7', '5', '3']],
    // It was made before, and stored after another one.
    ['older than the newest of them', ['6', '9'], ['9', '7', '6', '5', '3']],
    ['of the same moment', ['5 too'], ['7', '5 too', '5', '3']],
    ['known', ['7', '3'], ['7', '5', '3']],
    ['of before the last that was read, where there are more', ['3 too', '1'], ['7', '5', '3']],
  ])('have in its place what the channel tells: %s', (_, live, shown) => {
    const told = live.map((name) => notice(name[0] ?? '', name));
    expect(idsOf(withNotices(read, told, 3))).toEqual(shown);
  });

  it('have all that the channel tells where no more could be read', () => {
    expect(idsOf(withNotices(read, [notice('1')], 50))).toEqual(['7', '5', '3', '1']);
    expect(idsOf(withNotices([], [notice('1')], 50))).toEqual(['1']);
  });
});

describe('alerts', () => {
  const alert = (inbox_id: string, verdict = 'accepted') => ({ inbox_id, verdict }) as Alert;
  const told = (event: string, data: unknown) => ({ event, at: 'now', data }) as never;
  const fold = (state: object, event: unknown) =>
    FOLDS['wsAlerts']?.(state, event as never) as unknown as {
      data: readonly Alert[];
    };

  it('come first when they are new, and change in their place', () => {
    const before = [alert('b'), alert('a')];
    expect(withAlert(before, 'added', alert('c'))).toEqual([alert('c'), ...before]);
    const superseded = alert('a', 'superseded');
    expect(withAlert(before, 'changed', superseded)).toEqual([alert('b'), superseded]);
    expect(withAlert(before, 'changed', alert('older'))).toBe(before);
  });

  it('are at most a hundred', () => {
    const many = Array.from({ length: 100 }, (_, index) => alert(String(index)));
    expect(withAlert(many, 'added', alert('new'))).toHaveLength(100);
  });

  it('are those of the new snapshot after a lost connection', () => {
    const first = fold({}, told('snapshot', [alert('a')]));
    const more = fold(first, told('added', alert('b')));
    expect(more.data).toEqual([alert('b'), alert('a')]);
    expect(fold(more, told('snapshot', [alert('c')])).data).toEqual([alert('c')]);
  });
});

describe('a bot', () => {
  const order = (bot_order_id: string, status: string, created_at = '2026-01-30T14:30:00.000Z') =>
    ({ bot_order_id, status, created_at }) as BotOrder;
  const fold = (events: readonly (readonly [string, unknown])[]) =>
    events.reduce<object>(
      (state, [event, data], index) =>
        FOLDS['wsBot']?.(state, { event, at: `time ${index}`, data } as never) ?? state,
      {},
    ) as { data: LiveBot };

  it('keeps what its channel told since the snapshot', () => {
    const { data } = fold([
      ['snapshot', { status: 'off' }],
      ['order', order('one', 'new')],
      ['changed', { status: 'running' }],
      ['order', order('two', 'new')],
      ['order', order('one', 'filled')],
      ['account', { equity: '10' }],
    ]);
    expect(data).toEqual({
      bot: { status: 'running' },
      since: 'time 0',
      orders: [order('two', 'new'), order('one', 'filled')],
      account: { equity: '10' },
      accountAt: 'time 5',
    });
  });

  it('begins anew with the snapshot after a lost connection', () => {
    const { data } = fold([
      ['snapshot', { status: 'off' }],
      ['order', order('one', 'new')],
      ['account', { equity: '10' }],
      ['snapshot', { status: 'running' }],
    ]);
    expect(data).toEqual({ bot: { status: 'running' }, since: 'time 3', orders: [] });
  });

  it('shows read orders with what was told of them', () => {
    const read = [order('b', 'open'), order('a', 'filled')];
    const told = [order('c', 'new'), order('b', 'filled')];
    expect(withBotOrders(read, told)).toEqual([order('c', 'new'), order('b', 'filled'), read[1]]);
    const old = order('old', 'cancelled', '2026-01-29T14:30:00.000Z');
    expect(withBotOrders(read, [old])).toEqual([...read, old]);
  });

  it('has those of one moment by their ids, as they are read, whichever is told first', () => {
    const [a, b, c] = [order('a', 'new'), order('b', 'new'), order('c', 'new')];
    expect(withBotOrders([], [b, c, a])).toEqual([c, b, a]);
  });
});

describe('positions', () => {
  it('take new values when prices move, and nothing else', () => {
    const one = { stock_id: 'a', amount: '1', percent: '0.5', symbol: 'A' };
    const before = { version: 3, cash: '0.5', strategy_value: '1', positions: [one] };
    const values = { bid: '2', ask: '2', last: '2', value: '0.6', unrealized: '0.1' };
    const told = {
      ...{ strategy_id: 's', strategy_value: '1.1', version: 4 },
      positions: [
        { stock_id: 'a', percent: '0.55', ...values },
        { stock_id: 'unknown', percent: '1', ...values },
      ],
    };
    expect(withValues(before as unknown as Positions, told)).toEqual({
      ...{ version: 3, cash: '0.5', strategy_value: '1.1' },
      positions: [{ ...one, percent: '0.55', ...values }],
    });
    expect(withValues(undefined, told)).toBeUndefined();
  });

  it('take changes, lose closed ones, and keep the others', () => {
    const before = book(1, ['a', '1'], ['b', '2'], ['c', '3']);
    const told = book(2, ['b', '0'], ['c', '4'], ['d', '5']);
    expect(withPositions(before, told)).toEqual(book(2, ['a', '1'], ['c', '4'], ['d', '5']));
  });
});
