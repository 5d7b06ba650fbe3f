import type { OperationName } from '@slipstream/wire';
import type { Fields, Person, World } from './world.js';

/** A question that can be asked in many ways. */
export interface Question {
  readonly name: OperationName;
  readonly fields: Fields;
  /** The field that is the cursor of a list; undefined of what is no list. */
  readonly id?: string | undefined;
}

/** The lists that are read page by page, by the name of their records' ids. */
const IDS: Readonly<Partial<Record<OperationName, string>>> = {
  getTokens: 'token_id',
  getNotifications: 'notification_id',
  findStrategies: 'strategy_id',
  getStockActions: 'adjustment_id',
  getStrategySubscriptions: 'subscription_id',
  getOrders: 'order_id',
  getTrades: 'trade_id',
  getAlerts: 'inbox_id',
  getDeliveries: 'delivery_id',
  getBotOrders: 'bot_order_id',
  getTimeline: 'post_id',
  getInvoices: 'invoice_id',
};

const STATUSES = ['open', 'filled', 'cancelled', 'rejected'];

/** Everything that somebody may ask for. */
export function questionsOf(
  { people, strategies, bots, server }: World,
  person: Person,
): Question[] {
  const seen = person === people.stranger ? strategies.slice(0, 2) : strategies;
  const followed = person === people.stranger ? [] : strategies;
  const owned = person === people.owner ? strategies : [];
  const mirrored = person === people.follower ? bots : [];
  const input_date = new Date(server.clock.now()).toISOString();
  const asked: [OperationName, Fields][] = [
    ['getUserInfo', {}],
    ['getUsers', { user_id: Object.values(people).map(({ userId }) => userId) }],
    ['getTokens', {}],
    ['getNotifications', {}],
    ['getStrategies', { strategy_id: strategies }],
    ['getStrategies', { strategy_id: strategies, timeframe: 'week' }],
    ['getStrategyValues', { strategy_id: strategies }],
    ['findStrategies', {}],
    ['findStrategies', { mine: true }],
    ['getRecommendedStrategies', {}],
    ['getStrategySubscriptions', {}],
    ['getTimeline', { user_id: people.owner.userId }],
    ['getPaymentSources', {}],
    ['getInvoices', {}],
    ['getWithdrawals', {}],
    ['getAlerts', {}],
    ['getEndpoints', {}],
    ['getBots', {}],
    ['getTradingHalts', {}],
    ['getStocks', { stock_id: ['AAPL:NASDAQ', 'ODD:NYSE', 'TINY:COINBASE'] }],
    ['findStocks', { query: 'odd' }],
  ];
  for (const strategy_id of seen)
    asked.push(
      ['getStrategyHistory', { strategy_id, timeframe: 'all' }],
      ['getStrategyStatistics', { strategy_id, min_n: 2 }],
      ['getStrategyCalculation', { strategy_id, input_value: '1234.5', input_date }],
    );
  for (const strategy_id of followed)
    asked.push(
      ...STATUSES.map((order_status): [OperationName, Fields] => [
        'getOrders',
        { strategy_id, order_status },
      ]),
      ['getTrades', { strategy_id }],
      ['getPositions', { strategy_id }],
      ['getStockActions', { strategy_id }],
      ['getTrackRecord', { strategy_id }],
    );
  for (const strategy_id of owned) asked.push(['getAlerts', { strategy_id }]);
  for (const bot_id of mirrored)
    asked.push(
      ['getBots', { bot_id: [bot_id] }],
      ['getBotOrders', { bot_id }],
      ['getBotAccount', { bot_id }],
      ['getBotHistory', { bot_id, timeframe: 'month' }],
      ['getBotStatistics', { bot_id, min_n: 2 }],
    );
  return asked.map(([name, fields]) => ({ name, fields, id: IDS[name] }));
}
