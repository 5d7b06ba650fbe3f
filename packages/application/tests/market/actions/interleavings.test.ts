import { describe, expect, it } from '@jest/globals';
import { DAY, type SourcedAction, decimal, id } from '@slipstream/domain';
import type { Caller } from '../../../src/index.js';
import type { App } from '../../app.js';
import { text } from '../../fixture.js';
import { outcomesAmid } from '../../interleavings.js';
import { AAPL, DUE, anAction, dividend, none, operator, scene } from '../announced-scene.js';

/** The scene, with an order that rests, another owner without holdings, and the last quote from just before the announced actions are due. */
async function world(...announced: readonly SourcedAction[]) {
  const made = await scene();
  const { world, announce, clock, quote, rest } = made;
  await rest('160');
  const other = await world.user('other');
  const otherId = await world.strategy(other);
  await announce(...announced);
  clock.advance(DUE - 10_000 - clock.now());
  await quote('200');
  return { ...world, ...made, other, otherId };
}
type World = Awaited<ReturnType<typeof world>>;
type Ask = (app: App, world: World) => Promise<unknown>;

const buys = (app: App, owner: Caller, strategyId: string, limit?: string) =>
  app.newOrder(owner, {
    ...{ strategyId, stock: 'aapl', action: 'buy' },
    pricing: limit === undefined ? { type: 'market' } : { type: 'limit', price: decimal(limit) },
    size: { by: 'amount', amount: decimal('0.0005') },
  });

const ASKS = {
  'what is due': (app, { clock }) => {
    clock.advance(Math.max(0, DUE - clock.now()));
    return app.tick();
  },
  split: (app) =>
    app.newStockAction(operator, {
      ...{ stock: 'aapl', kind: 'split' },
      ratio: { newShares: decimal('4'), oldShares: decimal('1') },
    }),
  dividend: (app) =>
    app.newStockAction(operator, { stock: 'aapl', kind: 'cash_dividend', amount: decimal('2') }),
  delisting: (app) =>
    app.updateStocks(operator, {
      stocks: [{ stockId: 'aapl', stockStatus: 'delisted', settlePrice: decimal('10') }],
    }),
  'an order': (app, { owner, strategyId }) => buys(app, owner, strategyId),
  'an order of another': (app, { other, otherId }) => buys(app, other, otherId),
  'an order with a limit of another': (app, { other, otherId }) => buys(app, other, otherId, '120'),
  closing: (app, { owner, strategyId }) =>
    app.newOrderAllocations(owner, { strategyId, allocations: [] }),
  'an alert': (app, { owner, strategyId }) =>
    app.newOrderWebhook(owner, { strategyId, stock: 'aapl', action: 'short' }),
  deleteStrategy: (app, { owner, strategyId }) => app.deleteStrategy(owner, { strategyId }),
} as const satisfies Record<string, Ask>;
type Name = keyof typeof ASKS;

/** What the books have, once the stock is quoted at that price. */
async function booksAt(
  app: App,
  { ports, quote, clock, strategyId, otherId }: World,
  price: string,
) {
  for (let seconds = 0; seconds < 3; seconds += 1) {
    await app.tick();
    clock.advance(1_000);
    await quote(price);
  }
  return ports.unitOfWork.read(({ books, adjustments }) =>
    Promise.all(
      [strategyId, otherId].map(async (of) => {
        const book = await books.find(of);
        const rows = await adjustments.list(of, { limit: 9 });
        return {
          cash: text(book?.cash),
          holds: [...(book?.positions.values() ?? [])].map(({ amount }) => text(amount)),
          orders: book?.openOrders.map(({ pricing, size }) =>
            [
              pricing.type === 'limit' ? text(pricing.price) : pricing.type,
              size.by === 'amount' ? text(size.amount) : size.by,
            ].join(' '),
          ),
          booked: rows.map(({ kind }) => kind).toSorted(),
        };
      }),
    ),
  );
}

const outcomesOf = (announced: readonly SourcedAction[], price: string, flow: Ask, other: Ask) =>
  outcomesAmid({
    begin: () => world(...announced),
    flow,
    other,
    outcome: async (app, begun, ended) => ({ ...ended, books: await booksAt(app, begun, price) }),
  });

describe('an announced action that the operator books at its time', () => {
  it.each<[string, SourcedAction, Name, string]>([
    ['a split', anAction(), 'split', '50'],
    ['a dividend', anAction(dividend), 'dividend', '198'],
  ])('%s is booked once, at every moment of what the operator asked for', async (...row) => {
    const [, announced, byHand, price] = row;
    const outcomes = await outcomesOf([announced], price, ASKS[byHand], ASKS['what is due']);
    const booked = outcomes.map(({ became, moments }) => ({
      ...{ moments, booked: became.books[0]?.booked.length },
    }));
    expect(booked).toEqual(booked.map(({ moments }) => ({ moments, booked: 1 })));
  });
});

describe('an action of a stock that has one that is being done', () => {
  it.each<[string, readonly SourcedAction[], Name, Name, string]>([
    ['the same split asked for again', [], 'split', 'split', '50'],
    ['the same dividend asked for again', [], 'dividend', 'dividend', '198'],
    ['an announced split by hand', [anAction()], 'what is due', 'split', '50'],
    ['an announced dividend by hand', [anAction(dividend)], 'what is due', 'dividend', '198'],
  ])('is refused, and not done after it: %s', async (_, announced, flow, other, price) => {
    const doneThen = new Map<World, boolean>();
    const outcomes = await outcomesAmid({
      begin: () => world(...announced),
      flow: ASKS[flow],
      async other(app, begun) {
        const actions = await begun.ports.unitOfWork.read(({ stockActions }) =>
          stockActions.ofStock(AAPL, 0),
        );
        doneThen.set(begun, actions[0]?.status === 'done');
        await ASKS[other](app, begun);
      },
      async outcome(app, begun, ended) {
        const [book] = await booksAt(app, begun, price);
        return { ...ended, doneThen: doneThen.get(begun), booked: book?.booked.length };
      },
    });
    const became = outcomes.map((outcome) => outcome.became);
    const isAfterIt = ({ doneThen: wasDone, other: ended }: (typeof became)[number]): boolean =>
      wasDone === true && ended === 'answered';
    expect(became).toEqual(became.map((one) => ({ ...one, booked: isAfterIt(one) ? 2 : 1 })));
    expect(became.map((one) => one.other)).toContain('conflict');
  });
});

describe('at every moment of a split', () => {
  /** What came of both, and whether one of them was refused. */
  const toldApart = ({ flow, other, books }: Awaited<ReturnType<typeof splitAlone>>) =>
    JSON.stringify({ isBoth: flow === other, books });
  const split: Ask = ASKS.split;
  async function splitAlone() {
    const begun = await world();
    await split(begun.app, begun);
    return { flow: 'answered', other: 'refused', books: await booksAt(begun.app, begun, '50') };
  }

  const others = (Object.keys(ASKS) as Name[]).filter((name) => name !== 'what is due');
  it.each(others)(
    'another request comes before or after the whole of it, or is refused: %s',
    async (other) => {
      const outcomes = await outcomesOf([], '50', split, ASKS[other]);
      const last = Math.max(...outcomes.flatMap(({ moments }) => moments));
      const right = outcomes
        .filter(({ moments }) => moments.includes(1) || moments.includes(last))
        .map(({ became }) => toldApart(became));
      right.push(toldApart(await splitAlone()));
      expect(outcomes.filter(({ became }) => !right.includes(toldApart(became)))).toEqual([]);
    },
  );
});

describe('a stock that an announced action holds', () => {
  it('trades nothing more from then on, at every moment of what else is due', async () => {
    const split = anAction({ sourceId: 'source-2', stockId: id('msft') });
    const statusThen = new Map<World, string | undefined>();
    const outcomes = await outcomesAmid({
      begin: () => world(anAction({ kind: 'other', name: 'cash merger', ...none }), split),
      flow: ASKS['what is due'],
      async other(app, begun) {
        const { ports, quote } = begun;
        const rows = await ports.unitOfWork.read(({ announcedActions }) =>
          announcedActions.dueSince(DUE),
        );
        statusThen.set(begun, rows.find(({ stockId }) => stockId === AAPL)?.status);
        await quote('120');
        await ASKS['an order of another'](app, begun);
      },
      async outcome(app, begun) {
        const [, other] = await booksAt(app, begun, '120');
        return [statusThen.get(begun), other?.holds.length === 0 ? 'waits' : 'is filled'];
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual([
      ['pending', 'is filled'],
      ['held', 'waits'],
    ]);
  });
});

describe('a price that looks like a split', () => {
  it('holds its stock at every moment at which the operator sets it active', async () => {
    const outcomes = await outcomesAmid({
      begin: () => world(),
      flow: (app) =>
        app.updateStocks(operator, { stocks: [{ stockId: 'aapl', stockStatus: 'active' }] }),
      async other(_, { clock, quote }) {
        clock.advance(DAY);
        await quote('50');
      },
      outcome: async (app) => app.heldStocks().map(({ symbol }) => symbol),
    });
    expect(outcomes.map(({ became }) => became)).toEqual([['AAPL']]);
  });
});

describe('a split that waits for another one', () => {
  it('is of the time at which it begins: what was quoted before is in the shares of before', async () => {
    const outcomes = await outcomesAmid({
      begin: () => world(),
      flow: (app) =>
        app.newStockAction(operator, {
          ...{ stock: 'msft', kind: 'split' },
          ratio: { newShares: decimal('2'), oldShares: decimal('1') },
        }),
      other(app, { clock }) {
        const asked = ASKS.split(app);
        clock.advance(1_000);
        return asked;
      },
      async outcome(app, { clock, quote, view }) {
        await quote('201', AAPL, clock.now() - 500);
        return (await view(app)).bid;
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual(['50']);
  });
});
