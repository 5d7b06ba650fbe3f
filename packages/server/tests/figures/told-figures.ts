import { DAY, decimal, divide } from '@slipstream/domain';
import type { OperationName, ResponseOf } from '@slipstream/wire';
import type { Played } from './story.js';

const DATE = /^\d{4}-\d\d-\d\d/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
/** Figures that are made of others, each rounded at 18 places, agree in so many digits. */
const DIGITS = 10;
/** What counts from the days of the calendar, or names one of the figures by its id. */
const UNLIKE = new Set([
  'strategy_id',
  'stock_id',
  'order_id',
  'trade_id',
  'bot_id',
  'year',
  'month',
]);

/** Dates as days since the story began, decimals with the digits that agree, nothing that names somebody. */
function comparable(value: unknown, begin: number): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, begin));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !UNLIKE.has(name))
        .map(([name, one]) => [name, comparable(one, begin)]),
    );
  if (typeof value !== 'string') return value;
  if (DATE.test(value)) return (Date.parse(value) - (begin - (begin % DAY))) / DAY;
  if (!DECIMAL.test(value)) return value;
  const rounded = Number(Number(value).toPrecision(DIGITS));
  return Math.abs(rounded) < 1e-12 ? 0 : rounded;
}

const inOrder = (rows: readonly unknown[]): unknown[] =>
  rows.map((row) => JSON.stringify(row)).sort();

/** What is told of a story, in comparable form. */
export interface Figures {
  readonly strategies: unknown;
  readonly bots: unknown;
}

/** Everything that the strategies of a story and their bots are told by, as it is whatever the names, dates and units are. */
export async function toldFigures(played: Played): Promise<Figures> {
  const { server, owner, follower, strategyIds, botIds, stockIds, begin, scale } = played;
  const ask = <Name extends OperationName>(
    name: Name,
    fields: object,
    token = owner,
  ): Promise<ResponseOf<Name>> => server.ask(name, { ...fields }, token);
  const placeOf = (stockId: string): number => stockIds.indexOf(stockId);
  const scaled = (amount: string | null) =>
    amount === null ? null : decimal(amount).times(decimal(scale)).toFixed();
  const unscaled = (price: string | null) =>
    price === null ? null : divide(decimal(price), decimal(scale)).toFixed();
  const shown = (value: unknown): unknown => comparable(value, begin);

  const ofStrategy = async (strategy_id: string) => {
    const [strategy] = await ask('getStrategies', { strategy_id: [strategy_id] });
    const { cash, positions } = await ask('getPositions', { strategy_id });
    const trades = await ask('getTrades', { strategy_id, limit: 100 });
    const orders = await Promise.all(
      ['open', 'filled', 'cancelled', 'rejected'].map((order_status) =>
        ask('getOrders', { strategy_id, order_status, limit: 100 }),
      ),
    );
    const { round_trips: trips, ...statistics } = await ask('getStrategyStatistics', {
      ...{ strategy_id, min_n: 2 },
    });
    const input_date = strategy?.created_at;
    return {
      ...{ value: strategy?.strategy_value, segments: strategy?.segments, cash },
      timeframes: strategy?.timeframes.map((one) => [one.past_value, one.max_drawdown, one.return]),
      positions: inOrder(
        positions.map((one) =>
          shown([
            ...[placeOf(one.stock_id), scaled(one.amount), unscaled(one.average_price)],
            ...[one.value, one.percent, one.realized, one.unrealized, one.dividends],
          ]),
        ),
      ),
      trades: trades.map((one) => [
        ...[placeOf(one.stock_id), one.action, scaled(one.amount), unscaled(one.price)],
        ...[one.total, one.fee_total, one.realized, one.strategy_value, one.created_at],
      ]),
      orders: inOrder(
        orders
          .flat()
          .map((one) =>
            shown([
              ...[placeOf(one.stock_id), one.type, one.action, one.order_status, one.order_reason],
              ...[scaled(one.amount), one.total, unscaled(one.price), unscaled(one.stop_price)],
              ...[one.created_at, one.triggered_at, one.closed_at, one.filled_total],
            ]),
          ),
      ),
      statistics,
      trips: [trips.all, trips.long, trips.short],
      byStock: inOrder(
        (trips.by_stock ?? []).map(({ symbol: _, ...one }) =>
          shown({ place: placeOf(one.stock_id), ...one }),
        ),
      ),
      history: await ask('getStrategyHistory', { strategy_id }),
      calculated: await ask(
        'getStrategyCalculation',
        { strategy_id, input_value: 1000, input_date },
        follower,
      ).then(({ value, percent_change }) => [value, percent_change]),
    };
  };
  const ofBot = async (bot_id: string) => {
    const { equity, cash, positions, drift } = await ask('getBotAccount', { bot_id }, follower);
    const orders = await ask('getBotOrders', { bot_id, limit: 100 }, follower);
    return {
      ...{ equity, cash, drift },
      positions: inOrder(
        positions.map((one) => shown([placeOf(one.stock_id), one.amount, one.value, one.weight])),
      ),
      orders: inOrder(
        orders.map((one) =>
          shown([
            ...[placeOf(one.stock_id), one.action, one.amount, one.filled_price, one.created_at],
            ...[one.strategy_price, one.slippage, one.planned_price],
          ]),
        ),
      ),
    };
  };
  return shown({
    strategies: await Promise.all(strategyIds.map(ofStrategy)),
    bots: await Promise.all(botIds.map(ofBot)),
  }) as Figures;
}
