import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type Decimal, decimal, decimalText, divide, sum } from '@slipstream/domain';
import type { OperationName, ResponseOf } from '@slipstream/wire';
import fc from 'fast-check';
import { itOne } from '../helpers/three-nodes.js';
import { allOf } from './all-of.js';
import { type Trade, isSame } from './ledger.js';
import { type Played, STOCKS, playStory, stories } from './story.js';
import { expectOwnFigures } from './own-comparison.js';
import { cellsOf, tableOf } from './tables.js';

type Strategy = ResponseOf<'getStrategies'>[number];
type Order = ResponseOf<'getOrders'>[number];

/** How many stories more than `npm test` asks for; `npm run verify` says 150. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const ORDER_STATUSES = ['open', 'filled', 'cancelled', 'rejected'] as const;
const numbers = (texts: readonly (string | null)[]): Decimal[] =>
  texts.map((text) => decimal(text ?? '0'));
const total = (texts: readonly (string | null)[]): Decimal => sum(numbers(texts));
/** The quotient of two answered figures, each of which is rounded. */
const quotient = (one: string | null, other: string | null): Decimal =>
  divide(decimal(one ?? '0'), decimal(other ?? '1'));
const inOrder = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(row)).sort();
const expectSame = (one: Decimal, other: Decimal): void => {
  expect([isSame(one, other), one.toFixed(), other.toFixed()]).toEqual([
    true,
    one.toFixed(),
    other.toFixed(),
  ]);
};

const it = itOne('its clock goes by the millisecond, in one process');

describe.each(fc.sample(stories, MORE).map((steps) => [steps] as const))(
  'a figure that is told in several places is one figure',
  (steps) => {
    let played: Played | undefined;
    beforeAll(async () => {
      played = await playStory(steps);
    });
    afterAll(() => played?.server.close());

    const story = (): Played => played as Played;
    const ask = <Name extends OperationName>(
      name: Name,
      fields: object = {},
      token = story().owner,
    ): Promise<ResponseOf<Name>> => story().server.ask(name, { ...fields }, token);
    const tradesOf = (strategy_id: string): Promise<Trade[]> =>
      allOf<Trade>(story().server, 'getTrades', { strategy_id }, story().owner);
    const strategies = (): Promise<Strategy[]> =>
      ask('getStrategies', { strategy_id: story().strategyIds });

    it('and what the trades and the prices give, by the definitions of the contract', async () => {
      const { server, owner, happenings, stockIds } = story();
      const given = { server, owner, happenings, benchmark: stockIds[1] ?? '' };
      for (const strategyId of story().strategyIds)
        await expectOwnFigures({ ...given, strategyId, daysPerYear: 252 });
    });

    it('of a strategy alone, in a list, in a search and in an export', async () => {
      const listed = await strategies();
      const one = await Promise.all(
        story().strategyIds.map((id) => ask('getStrategies', { strategy_id: [id] })),
      );
      const found = await ask('findStrategies', { mine: true });
      const { strategies: exported } = await ask('getUserExport');
      expect(listed).toHaveLength(2);
      for (const others of [one.flat(), found, exported])
        expect(inOrder(others)).toEqual(inOrder(listed));
    });

    it('of its value in every read, and in the stream', async () => {
      const stream = await story().server.stream(story().follower);
      for (const { strategy_id, strategy_value: value, created_at } of await strategies()) {
        const dated = { strategy_id, input_value: 4000, input_date: created_at };
        const calculated = await ask('getStrategyCalculation', dated);
        const history = await ask('getStrategyHistory', { strategy_id });
        const [snapshot] = await stream.subscribe(`wsStrategyValue:${strategy_id}`);
        const told = [
          ...(await ask('getStrategyValues', { strategy_id: [strategy_id] })),
          await ask('getPositions', { strategy_id }, story().follower),
          ...[calculated, history.at(-1), snapshot?.data],
        ] as readonly { readonly strategy_value: string }[];
        expect(new Set(told.map((one) => one.strategy_value))).toEqual(new Set([value]));
        expectSame(decimal(calculated.value).div(decimal('4000')), decimal(value ?? ''));
      }
    });

    it('of a timeframe alone, among others, in its history and in the segment', async () => {
      for (const {
        strategy_id,
        timeframes,
        segments,
        strategy_value: value,
      } of await strategies()) {
        for (const given of timeframes) {
          const { timeframe, past_value: past } = given;
          const [alone] = await ask('getStrategies', { strategy_id: [strategy_id], timeframe });
          expect(alone?.timeframes).toEqual([given]);
          const [first] = await ask('getStrategyHistory', { strategy_id, timeframe });
          expect(first?.strategy_value).toBe(past);
          expectSame(decimal(given.return ?? '').plus(decimal('1')), quotient(value, past));
        }
        const whole = timeframes.find(({ timeframe }) => timeframe === 'five_year');
        expect(segments).toMatchObject([
          { return: whole?.return, max_drawdown: whole?.max_drawdown, start_value: '1' },
        ]);
      }
    });

    it('of the cash, the positions and the profit of a strategy', async () => {
      for (const strategy_id of story().strategyIds) {
        const {
          strategy_value: value,
          cash,
          positions,
        } = await ask('getPositions', { strategy_id });
        const values = positions.map((one) => one.value);
        expectSame(total([cash, ...values]), decimal(value ?? ''));
        for (const one of positions)
          expectSame(decimal(one.percent ?? ''), quotient(one.value, value));
        const trades = await tradesOf(strategy_id);
        const open = new Set(positions.map(({ stock_id }) => stock_id));
        const dividends = dividendsOf(story(), trades.toReversed());
        // Contract 7b.10: of what is closed, the trades tell it.
        const booked = total(trades.map(({ realized }) => realized));
        const openings = trades.filter(({ realized }) => realized === null);
        const profit = booked
          .plus(total(positions.map(({ unrealized }) => unrealized)))
          .plus(dividends)
          .minus(total(openings.map(({ fee_total }) => fee_total)));
        const rounding = total(trades.map((trade) => trade.rounding));
        expect(open.size).toBe(positions.length);
        expectSame(
          profit,
          decimal(value ?? '')
            .minus(decimal('1'))
            .plus(rounding),
        );
      }
    });

    it('of a trade in its order, in the record and in the tables', async () => {
      const { server, owner, follower } = story();
      for (const strategy_id of story().strategyIds) {
        const trades = await tradesOf(strategy_id);
        const filled = { strategy_id, order_status: 'filled' };
        const orders = await allOf<Order>(server, 'getOrders', filled, follower);
        const ofOrder = new Map(
          orders.map((one) => [
            one.order_id,
            [one.stock_id, one.filled_price, one.filled_amount, one.filled_total, one.fee_total],
          ]),
        );
        const ofTrade = new Map(
          trades.map((one) => [
            one.order_id,
            [one.stock_id, one.price, one.amount, one.total, one.fee_total],
          ]),
        );
        expect(new Map([...ofOrder].sort())).toEqual(new Map([...ofTrade].sort()));
        const { entries } = await ask('getTrackRecord', { strategy_id, limit: 100 });
        const fills = entries.flatMap(({ kind, body }) =>
          kind === 'trade' ? [JSON.parse(body ?? '') as Readonly<Record<string, unknown>>] : [],
        );
        for (const [at, { quote_at: quotedAt, format: _, ...fill }] of fills.entries()) {
          const trade = trades.at(-1 - at);
          expect({ ...trade, quote_at: Date.parse(trade?.quote_at ?? '') }).toMatchObject({
            ...fill,
            quote_at: quotedAt,
          });
        }
        const table = await tableOf(server, 'getTrades', { strategy_id, limit: 100 }, owner);
        expect(table).toEqual(trades.slice(0, 100).map(cellsOf));
        for (const order_status of ORDER_STATUSES) {
          const asked = { strategy_id, order_status, limit: 100 };
          const rows = (await ask('getOrders', asked)).map(cellsOf);
          expect(await tableOf(server, 'getOrders', asked, owner)).toEqual(rows);
        }
      }
    });

    it('of ranks and searches, which follow from the figures that they show', async () => {
      for (const timeframe of ['day', 'week', 'month'] as const) {
        const found = await ask('findStrategies', { timeframe, limit: 100 });
        const figuresOf = ({ timeframes }: Strategy) =>
          timeframes.find((one) => one.timeframe === timeframe);
        const best = async (sort: string, figureOf: (strategy: Strategy) => number) => {
          const sorted = await ask('findStrategies', { timeframe, sort, limit: 100 });
          const figures = sorted.map(figureOf);
          expect(figures).toEqual(figures.toSorted((one, other) => one - other));
        };
        await best('return', (one) => -Number(figuresOf(one)?.return));
        await best('drawdown', (one) => Number(figuresOf(one)?.max_drawdown));
        const byReturn = found.toSorted(
          (one, other) => Number(figuresOf(other)?.return) - Number(figuresOf(one)?.return),
        );
        expect(byReturn.map((one) => figuresOf(one)?.rank_performance)).toEqual(['1', '2']);
      }
    });

    it('of an account, its bot, its history and its orders', async () => {
      const { server, follower, botIds, rest } = story();
      await rest();
      const bots = await ask('getBots', {}, follower);
      for (const bot_id of botIds) {
        const account = await ask('getBotAccount', { bot_id }, follower);
        const { equity, cash, positions, missing, managed_equity: managed } = account;
        expectSame(total([cash, ...positions.map(({ value }) => value)]), decimal(equity));
        for (const { amount, price, value, weight } of positions) {
          expectSame(decimal(amount).times(decimal(price)), decimal(value));
          expectSame(decimal(weight ?? ''), quotient(value, managed));
        }
        const differences = numbers([...positions, ...missing].map((one) => one.difference));
        const drift = sum([...differences, sum(differences)].map((one) => one.abs()));
        expectSame(drift.div(decimal('2')), decimal(account.drift ?? ''));
        expect(bots.find((bot) => bot.bot_id === bot_id)?.drift).toBe(account.drift);

        const history = await ask('getBotHistory', { bot_id }, follower);
        expect(history.at(-1)).toMatchObject({ equity: managed, cash });
        const orders = await ask('getBotOrders', { bot_id, limit: 100 }, follower);
        expect(await tableOf(server, 'getBotOrders', { bot_id, limit: 100 }, follower)).toEqual(
          orders.map(cellsOf),
        );
        const { tracking, total_return, target } = await ask(
          'getBotStatistics',
          { bot_id },
          follower,
        );
        const { total: whole, ...causes } = tracking;
        expect(total(Object.values(causes).map(({ value }) => value)).toFixed()).toBe(whole.value);
        const difference = total([total_return.value]).minus(total([target.total_return.value]));
        expect(whole.value).toBe(decimalText(difference));
      }
    });

    it('of a preview or a plan, and of what is done then', async () => {
      const [strategy_id = ''] = story().strategyIds;
      await story().server.quotes(Object.fromEntries(STOCKS.map((stock) => [stock, 100])));
      const body = { strategy_id, allocations: [{ stock_id: STOCKS[1], percent: 0.7 }] };
      const planned = (orders: readonly Order[]) =>
        orders.map(({ stock_id, action, amount }) => [stock_id, action, amount]);
      const preview = await ask('previewOrderAllocations', body);
      const plan = await ask('preparePlan', { operation: 'newOrderAllocations', body });
      const { answer } = await ask('commitPlan', { plan_id: plan.plan_id });
      expect(planned(preview.orders).length).toBeGreaterThan(0);
      for (const orders of [(plan.preview as typeof preview).orders, answer as Order[]])
        expect(planned(orders)).toEqual(planned(preview.orders));
    });
  },
);

/** What the dividends of a story paid on what these trades hold; oldest first. */
function dividendsOf({ happenings }: Played, trades: readonly Trade[]): Decimal {
  let [held, paid, next] = [decimal('0'), decimal('0'), 0];
  for (const one of happenings) {
    if (one.kind !== 'split' && one.kind !== 'dividend') continue;
    for (
      let trade = trades[next];
      trade && Date.parse(trade.created_at) < one.at;
      trade = trades[next]
    ) {
      const amount = decimal(trade.stock_id === one.stockId ? trade.amount : '0');
      held = trade.action === 'buy' ? held.plus(amount) : held.minus(amount);
      next += 1;
    }
    if (one.kind === 'dividend') paid = paid.plus(held.times(decimal(one.amount)));
    else held = held.times(decimal(one.newShares)).div(decimal(one.oldShares));
  }
  return paid;
}
