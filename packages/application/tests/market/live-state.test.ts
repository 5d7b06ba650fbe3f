import { describe, expect, it } from '@jest/globals';
import { type OpenOrder, type Quote, decimal, id } from '@slipstream/domain';
import { LiveState } from '../../src/market/live-state.js';
import { STOCKS } from '../fixture.js';

const OPENS = 1_000_000;
const CLOSES = OPENS + 3_600_000;
const FRESH_FOR = 60_000;

/** A limit order to buy at 90 that has rested since the session before. */
const resting: OpenOrder = {
  id: id('o1'),
  strategyId: id('s1'),
  stockId: id('aapl'),
  action: 'buy',
  pricing: { type: 'limit', price: decimal('90') },
  size: { by: 'amount', amount: decimal('0.001') },
  dependsOn: [],
  reduceOnly: false,
  origin: 'order',
  createdAt: 0,
  triggeredAt: null,
  status: 'open',
  restingSince: 0,
};

function aLiveState(): LiveState {
  const session = { opensAt: OPENS, closesAt: CLOSES };
  const sessionAt = (_: unknown, at: number) => (at >= OPENS ? session : undefined);
  const live = new LiveState({ sessionAt, nextSession: () => undefined }, FRESH_FOR);
  live.stocks.put(STOCKS);
  live.expect([{ kind: 'opened', order: resting }]);
  return live;
}

const quote = (price: string, at: number): Quote => {
  const [bid, ask, last] = [decimal(price), decimal(price), decimal(price)];
  return { stockId: id('aapl'), bid, ask, last, at };
};

const concerned = (live: LiveState, price: string, at: number, now: number): string[] =>
  live.concerned(quote(price, at), now).map(({ orderId }) => orderId);

describe('every order is matched with the first quote of a session', () => {
  it('even when the quote is away from its price', () => {
    const live = aLiveState();
    expect(concerned(live, '95', OPENS, OPENS)).toEqual(['o1']);
    live.expect([{ kind: 'rested', order: { ...resting, restingSince: OPENS } }]);
    expect(concerned(live, '95', OPENS + 1, OPENS + 1)).toEqual([]);
    expect(concerned(live, '90', OPENS + 2, OPENS + 2)).toEqual(['o1']);
  });

  it('or with a later one, if the first was not matched', () => {
    const live = aLiveState();
    expect(concerned(live, '95', OPENS, OPENS)).toEqual(['o1']);
    live.expect([{ kind: 'adjusted', order: resting }]);
    expect(concerned(live, '95', OPENS + 1, OPENS + 1)).toEqual(['o1']);
  });

  it.each([
    ['one that came while the exchange was closed', OPENS - 2, OPENS - 1],
    ['one from before the opening that came after it', OPENS - 1, OPENS],
    ['one that was stale when it came', OPENS + 1, OPENS + 1 + FRESH_FOR + 1],
    ['one from the closing, before which the clock was set back', CLOSES, CLOSES - 2],
  ])('which is not %s', (_, at, now) => {
    const live = aLiveState();
    expect(concerned(live, '85', at, now)).toEqual([]);
    expect(concerned(live, '95', now + 1, now + 1)).toEqual(['o1']);
  });
});
