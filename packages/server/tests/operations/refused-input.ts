import type { OperationName } from '@slipstream/wire';
import { type ComposedServer, OPERATOR_TOKEN } from '../helpers/composed-server.js';

export const AAPL = 'AAPL:NASDAQ';
const MSFT = 'MSFT:NASDAQ';

/** What stands before every case: a holding, a resting order, and people who may not touch them. */
export async function openScene(server: ComposedServer) {
  const [owner, stranger, follower] = [
    await server.user('ada'),
    await server.user('mallory'),
    await server.user('bob'),
  ];
  const named = async (token: string, name: string, more = {}) =>
    (await server.ask('newStrategy', { type: 'stock', name, ...more }, token)).strategy_id;
  const mine = await named(owner, 'Mine');
  const other = await named(owner, 'Another of mine');
  const theirs = await named(stranger, 'Theirs');
  const hidden = await named(stranger, 'Hidden', { private: true });
  const priced = await named(stranger, 'Priced', { price: 5 });
  await server.quotes({ [AAPL]: [199.9, 200.1], [MSFT]: 400 });
  await server.ask(
    'newOrderAllocations',
    { strategy_id: mine, allocations: [{ stock_id: AAPL, percent: 0.5 }] },
    owner,
  );
  const resting = await server.ask(
    'newOrder',
    {
      strategy_id: mine,
      stock_id: AAPL,
      action: 'buy',
      type: 'limit',
      price: 150,
      amount: '0.001',
    },
    owner,
  );
  await server.ask('newStrategySubscription', { strategy_id: mine }, follower);
  const token = async (fields: Record<string, unknown>) =>
    server.ask('newToken', { name: 'x', scope: ['*'], ...fields }, owner);
  const revoked = await token({});
  await server.ask('deleteToken', { token_id: revoked.token_id }, owner);
  const expiring = await token({ expires_at: '2026-03-04T15:00:01Z' });
  server.clock.advance(1000);
  await server.ask('newUser', { email: 'eve@example.com', password: 'long enough' });
  const session = await server.ask('newSession', {
    email: 'eve@example.com',
    password: 'long enough',
  });
  return {
    mine,
    other,
    theirs,
    hidden,
    priced,
    resting: resting.order_id,
    tokens: {
      owner,
      stranger,
      follower,
      revoked: revoked.token,
      expired: expiring.token,
      refresh: session.token,
      reader: (await token({ scope: ['getOrders', 'getPositions'] })).token,
      lender: (await token({ scope: ['newToken', 'getOrders'] })).token,
      bound: (await token({ strategy_ids: [other] })).token,
      broken: `${owner.slice(0, -1)}${owner.endsWith('a') ? 'b' : 'a'}`,
      operator: OPERATOR_TOKEN,
      none: undefined,
    },
  };
}
export type Scene = Awaited<ReturnType<typeof openScene>>;
type Case = [
  says: string,
  operation: OperationName,
  fields: (scene: Scene) => Record<string, unknown>,
  reason: string | RegExp,
  as?: keyof Scene['tokens'],
];

const order =
  (more: Record<string, unknown>) =>
  ({ mine }: Scene) => ({ strategy_id: mine, stock_id: AAPL, action: 'buy', ...more });
const limit = (more: Record<string, unknown>) =>
  order({ type: 'limit', price: 190, amount: '0.001', ...more });
const targets =
  (allocations: unknown, more = {}) =>
  ({ mine }: Scene) => ({ strategy_id: mine, allocations, ...more });
const alert = (more: Record<string, unknown>) => order(more);
const many = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
const half = [{ stock_id: AAPL, percent: 0.5 }];

/** Refused with 400 and words that help. */
// oxfmt-ignore
export const REFUSED: Case[] = [
  ['both amount and total', 'newOrder', order({ amount: 1, total: 1 }), 'send exactly one of amount and total.'],
  ['neither amount nor total', 'newOrder', order({}), 'send exactly one of amount and total.'],
  ['a limit order without price', 'newOrder', order({ type: 'limit', amount: 1 }), 'a limit order requires price.'],
  ['a market order with price', 'newOrder', order({ amount: 1, price: 1 }), 'a market order takes no price.'],
  ['a stop order without stop_price', 'newOrder', order({ type: 'stop_market', amount: 1 }), /requires stop_price/],
  ['an OCO to buy on the wrong sides', 'newOrder', order({ type: 'oco', amount: '0.001', price: 210, stop_price: 190 }), /price below stop_price/],
  ['an OCO to sell on the wrong sides', 'newOrder', order({ type: 'oco', action: 'sell', amount: '0.001', price: 190, stop_price: 210 }), /price above stop_price/],
  ['an OCO whose prices are equal', 'newOrder', order({ type: 'oco', amount: '0.001', price: 190, stop_price: 190 }), /price below stop_price/],
  ['an unknown type', 'newOrder', limit({ type: 'iceberg' }), /^type must be market, limit/],
  ['an unknown action', 'newOrder', limit({ action: 'hold' }), /^action must be/],
  ['an unknown field', 'newOrder', limit({ ammount: 1 }), 'unknown field "ammount".'],
  ['an amount of zero', 'newOrder', limit({ amount: '0' }), 'amount must be greater than 0.'],
  ['a negative amount', 'newOrder', limit({ amount: '-0.1' }), 'amount must be greater than 0.'],
  ['an amount with 19 decimals', 'newOrder', limit({ amount: '0.0000000000000000001' }), /^amount must be a decimal/],
  ['an amount with an exponent', 'newOrder', limit({ amount: '1e-3' }), /^amount must be a decimal/],
  ['an infinite amount', 'newOrder', limit({ amount: '1e999' }), /^amount must be a decimal/],
  ['NaN', 'newOrder', limit({ amount: 'NaN' }), /^amount must be a decimal/],
  ['a list as amount', 'newOrder', limit({ amount: [1] }), /^amount must be a decimal/],
  ['an object as amount', 'newOrder', limit({ amount: { $gt: 0 } }), /^amount must be a decimal/],
  ['null as amount', 'newOrder', limit({ amount: null }), /^amount must be a decimal/],
  ['a million digits of amount', 'newOrder', limit({ amount: '1'.repeat(60_000) }), /^amount must be a decimal/],
  ['more than the largest order', 'newOrder', order({ total: '1.9' }), /most|large/],
  ['an unknown stock', 'newOrder', limit({ stock_id: 'NOPE:NASDAQ' }), /^stock NOPE:NASDAQ/],
  ['a coin in a strategy of stocks', 'newOrder', limit({ stock_id: 'BTCUSD:COINBASE' }), /./],
  ['a prerequisite that does not exist', 'newOrder', limit({ order_dependencies: ['nope'] }), /nope/],
  ['101 prerequisites', 'newOrder', limit({ order_dependencies: many(101) }), 'order_dependencies must have at most 100 items.'],
  ['a text as reduce_only', 'newOrder', limit({ reduce_only: 'yes' }), 'reduce_only must be true or false.'],
  ['a strategy that does not exist', 'newOrder', limit({ strategy_id: 'nope' }), 'strategy nope does not exist.'],
  ['an id of 51 characters', 'newOrder', limit({ strategy_id: 'x'.repeat(51) }), 'strategy_id must have 1 to 50 characters.'],
  ['a number as id', 'newOrder', limit({ strategy_id: 5 }), 'strategy_id must be a string.'],
  ['a NUL in an id', 'newOrder', limit({ strategy_id: 'a\0b' }), /^strategy_id must be well-formed/],
  ['a lone surrogate', 'newOrder', limit({ strategy_id: '\ud800' }), /^strategy_id must be well-formed/],
  ["someone else's strategy", 'newOrder', (scene) => limit({ strategy_id: scene.theirs })(scene), 'only the owner of the strategy may do this.'],
  ['a private strategy as one that does not exist', 'newOrder', (scene) => limit({ strategy_id: scene.hidden })(scene), /does not exist/],
  ['an order of a follower', 'newOrder', limit({}), 'only the owner of the strategy may do this.', 'follower'],

  ['a percent above 2', 'newOrderAllocations', targets([{ stock_id: AAPL, percent: 2.0001 }]), 'allocations[0].percent must be between -2 and 2.'],
  ['percents that sum to more than 2', 'newOrderAllocations', targets([{ stock_id: AAPL, percent: 1.5 }, { stock_id: MSFT, percent: -0.6 }]), /2/],
  ['a slippage between the steps', 'newOrderAllocations', targets(half, { slippage: 0.0015 }), 'slippage must be a multiple of 0.001.'],
  ['a slippage above the range', 'newOrderAllocations', targets(half, { slippage: 0.051 }), 'slippage must be between 0 and 0.05.'],
  ['a negative slippage', 'newOrderAllocations', targets(half, { slippage: -0.001 }), 'slippage must be between 0 and 0.05.'],
  ['a stock twice', 'newOrderAllocations', targets([...half, { stock_id: 'aapl:nasdaq', percent: 0.1 }]), /twice|once/],
  ['a second allocation that is wrong', 'newOrderAllocations', targets([...half, { stock_id: 'NOPE:NYSE', percent: 0.1 }]), /NOPE/],
  ['a stock without a quote', 'newOrderAllocations', targets([{ stock_id: 'JPM:NYSE', percent: 0.5 }]), /quote/],
  ['a coin among stocks', 'newOrderAllocations', targets([{ stock_id: 'BTCUSD:COINBASE', percent: 0.5 }]), /./],
  ['101 allocations', 'newOrderAllocations', targets(many(101).map((stock_id) => ({ stock_id, percent: 0 }))), 'allocations must have at most 100 items.'],
  ['no allocations', 'newOrderAllocations', ({ mine }) => ({ strategy_id: mine }), 'allocations is required.'],
  ['an object as allocations', 'newOrderAllocations', targets({}), 'allocations must be an array.'],
  ['an unknown field of an allocation', 'newOrderAllocations', targets([{ stock_id: AAPL, percent: 1, weight: 1 }]), 'unknown field "weight" in allocations[0].'],
  ['order_dependencies of allocations', 'newOrderAllocations', targets(half, { order_dependencies: [] }), 'unknown field "order_dependencies".'],
  ["someone else's allocations", 'newOrderAllocations', (scene) => ({ ...targets(half)(scene), strategy_id: scene.theirs }), 'only the owner of the strategy may do this.'],

  ['a leverage between the steps', 'newOrderWebhook', alert({ leverage: 1.005 }), 'leverage must be a multiple of 0.01.'],
  ['a leverage above 2', 'newOrderWebhook', alert({ leverage: 2.005 }), 'leverage must be between 0 and 2.'],
  ['no entry step', 'newOrderWebhook', alert({ pyramiding: 0 }), 'pyramiding must be an integer from 1 to 100.'],
  ['101 entry steps', 'newOrderWebhook', alert({ pyramiding: 101 }), 'pyramiding must be an integer from 1 to 100.'],
  ['half an entry step', 'newOrderWebhook', alert({ pyramiding: 1.5 }), 'pyramiding must be an integer from 1 to 100.'],
  ['an unknown word', 'newOrderWebhook', alert({ action: 'moon' }), /^action must be one of buy, long/],
  ['a target that does not fit', 'newOrderWebhook', alert({ stock_id: MSFT, leverage: 2 }), /leverage/],
  ['an alert of a stranger', 'newOrderWebhook', alert({}), 'only the owner of the strategy may do this.', 'stranger'],

  ['an order that is not there', 'deleteOrder', ({ mine }) => ({ strategy_id: mine, order_id: 'nope' }), 'order nope does not exist.'],
  ["an order of another strategy", 'deleteOrder', ({ other, resting }) => ({ strategy_id: other, order_id: resting }), /./],
  ['an order of a stranger', 'deleteOrder', ({ mine, resting }) => ({ strategy_id: mine, order_id: resting }), /owner/, 'stranger'],

  ['101 ids', 'getStrategyValues', () => ({ strategy_id: many(101) }), 'strategy_id[] must have at most 100 items.'],
  ['an array sent as a word', 'getStrategyValues', () => ({ strategy_id: 'x' }), 'the parameter is named strategy_id[], not strategy_id.'],
  ['an unknown parameter', 'getOrders', ({ mine }) => ({ strategy_id: mine, status: 'open' }), 'unknown parameter "status".'],
  ['a limit of 101', 'getOrders', ({ mine }) => ({ strategy_id: mine, limit: 101 }), 'limit must be an integer from 1 to 100.'],
  ['orders that only subscribers see', 'getOrders', ({ mine }) => ({ strategy_id: mine }), /subscribers/, 'stranger'],
  ['a stock that is not named', 'getMaxOrderSize', ({ mine }) => ({ strategy_id: mine, action: 'buy' }), 'stock_id is required.'],
  ['a negative quote', 'newQuotes', () => ({ quotes: [{ stock_id: AAPL, bid: 'x', ask: 1, last: 1 }] }), /^quotes\[0\].bid must be a decimal/, 'operator'],
  ['a change of what a stock is', 'updateStocks', () => ({ stocks: [{ stock_id: AAPL, security: 'cryptocurrency' }] }), /security/, 'operator'],
  ['a stock with a wild fee', 'updateStocks', () => ({ stocks: [{ stock_id: AAPL, fee: 0.2 }] }), 'stocks[0].fee must be between 0 and 0.1.', 'operator'],

  ['a strategy twice followed', 'newStrategySubscription', ({ mine }) => ({ strategy_id: mine }), /already/, 'follower'],
  ['a price without a way to pay it', 'newStrategySubscription', ({ priced }) => ({ strategy_id: priced, price: 5 }), /payment/],
  ['a price that nobody said', 'newStrategySubscription', ({ priced }) => ({ strategy_id: priced }), /price is required: this strategy costs 5 USD/],
  ['a price that has changed', 'newStrategySubscription', ({ priced }) => ({ strategy_id: priced, price: 4 }), 'the price is 5 USD a month now, not 4.'],
  ['a date without its figure', 'newStrategySubscription', ({ theirs }) => ({ strategy_id: theirs, input_date: '2026-03-04T15:00:00Z' }), /input_date needs input_value/],
  ['a payout source without the password', 'newPaymentSource', () => ({ token: 'test_bank', direction: 'out', name: 'A', city: 'B', country: 'C', line_one: 'D', postal: 'E' }), /password is required/],
  ['a card with a password', 'newPaymentSource', () => ({ token: 'test_card_paid', password: 'x', name: 'A', city: 'B', country: 'C', line_one: 'D', postal: 'E' }), /only for a source of direction out/],
  ['a private strategy to follow', 'newStrategySubscription', ({ hidden }) => ({ strategy_id: hidden }), /does not exist/],
  ['a figure from before the strategy', 'newStrategySubscription', ({ theirs }) => ({ strategy_id: theirs, input_value: 1, input_date: '2020-01-01T00:00:00Z' }), /input_date/],
  ['a bot that mirrors what its user does not follow', 'newBot', ({ theirs }) => ({ type: 'stock', broker: 'simulated', allocations: [{ strategy_id: theirs, percent: 1 }] }), /./],
  ['a bot of an unknown broker', 'newBot', () => ({ type: 'stock', broker: 'nope', allocations: [] }), /broker/],
  ['a bot with a leverage between the steps', 'newBot', () => ({ type: 'stock', broker: 'simulated', allocations: [], leverage: 2.005 }), /^leverage must be/],
  ['a bot that is not there', 'startBot', () => ({ bot_id: 'nope' }), /nope/],
  ['an address that is taken', 'newUser', () => ({ email: 'EVE@example.com', password: 'long enough' }), /exists/, 'none'],
  ['a short password', 'newUser', () => ({ email: 'x@example.com', password: 'short' }), /^password must have 8 to 200/, 'none'],
  ['a token with a scope that is none', 'newToken', () => ({ name: 'x', scope: ['root'] }), /^scope\[0\]/],
  ['a token that is more than its maker', 'newToken', () => ({ name: 'x', scope: ['newOrder'] }), /^scope newOrder is more/, 'lender'],
];

/** Refused with 401 and no word more. */
// oxfmt-ignore
export const UNAUTHENTICATED: [string, OperationName, (scene: Scene) => Record<string, unknown>, keyof Scene['tokens']][] = [
  ['no token', 'newOrder', limit({}), 'none'],
  ['a token whose checksum is wrong', 'newOrder', limit({}), 'broken'],
  ['a revoked token', 'newOrder', limit({}), 'revoked'],
  ['an expired token', 'newOrder', limit({}), 'expired'],
  ['a refresh token', 'newOrder', limit({}), 'refresh'],
  ['a token without the scope', 'newOrder', limit({}), 'reader'],
  ['a token bound to another strategy', 'newOrder', limit({}), 'bound'],
  ['the operator, who owns nothing', 'newOrder', limit({}), 'operator'],
  ['an alert without a token', 'newOrderWebhook', alert({}), 'none'],
  ['an alert with a revoked token', 'newOrderWebhook', alert({}), 'revoked'],
  ['an alert with a token without the scope', 'newOrderWebhook', alert({}), 'reader'],
  ['an alert with a bound token', 'newOrderWebhook', alert({}), 'bound'],
  ['a bound token that names nothing', 'getBots', () => ({}), 'bound'],
  ['a bound token that names more', 'getStrategyValues', ({ mine, other }) => ({ strategy_id: [other, mine] }), 'bound'],
  ['a bad token where none is needed', 'getStrategies', ({ mine }) => ({ strategy_id: [mine] }), 'revoked'],
  ['quotes of a user', 'newQuotes', () => ({ quotes: [] }), 'owner'],
  ['a wrong password', 'newSession', () => ({ email: 'eve@example.com', password: 'wrong wrong' }), 'none'],
  ['an unknown address', 'newSession', () => ({ email: 'nobody@example.com', password: 'wrong wrong' }), 'none'],
];

/** Bodies that are refused before anybody reads their fields. */
// oxfmt-ignore
export const RAW: [string, string, string][] = [
  ['malformed JSON', '{"strategy_id":', 'the body must be valid JSON.'],
  ['no body', '', 'the body must be valid JSON.'],
  ['a list', '[]', 'the body must be a JSON object.'],
  ['NaN as JSON', '{"amount": NaN}', 'the body must be valid JSON.'],
  ['a prototype', '{"__proto__": {"admin": true}}', 'the body must not have a field "__proto__".'],
  ['deep nesting', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'the body must not be nested deeper than 16 levels.'],
  ['a huge number', `{"strategy_id":"x","stock_id":"x","action":"buy","amount":1e999}`, 'amount must be a decimal'],
];
