import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

const WORDS = 'action must be one of buy, long, sell, short, close, flat';
const NOT_READ = /is not read.*write the position after the alert as market_position/;
/** What a platform fills in when a strategy leaves a long position. */
const OUT = {
  market_position: 'flat',
  market_position_size: '0',
  prev_market_position: 'long',
  prev_market_position_size: '10',
};

/**
 * An exit of a long position in the words of other services (their public documentation), with our token and ids put in, as
 * owners do who come from there.
 */
const EXITS: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp | string])[] = [
  ['docs.traderspost.io', { ticker: 'AAPL', action: 'sell', sentiment: 'flat' }, NOT_READ],
  ['docs.traderspost.io, its own word', { ticker: 'AAPL', action: 'exit' }, WORDS],
  [
    'help.3commas.io, of a strategy',
    { action: 'sell', strategy_info: OUT, order: { amount: '10', currency_type: 'base' } },
    NOT_READ,
  ],
  ['help.3commas.io, of an indicator', { action: 'exit_long', max_lag: '300' }, WORDS],
  ['a strategy inside', { action: 'sell', strategy: OUT, bar: { close: 100 } }, NOT_READ],
  ['docs.openalgo.in', { action: 'sell', quantity: '10', position_size: '0' }, NOT_READ],
  ['a futures exchange', { action: 'sell', positionSide: 'LONG', reduceOnly: true }, NOT_READ],
  ['support.altrady.com', { action: 'reverse', side: 'short' }, WORDS],
  ['algoway.trade', { order_action: 'flat', order_contracts: '10' }, 'action is required'],
];

describe('a message written for another service', () => {
  let server: ComposedServer;
  let owner: string;
  beforeAll(async () => {
    server = await composedServer();
    owner = await server.user('ada');
    await server.quotes({ 'AAPL:NASDAQ': 100 });
  });
  afterAll(() => server.close());

  it.each(EXITS)('never opens a short when it means an exit: %s', async (_, fields, reason) => {
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, owner);
    const ids = { strategy_id, stock_id: 'AAPL:NASDAQ' };
    await server.ask('newOrderWebhook', { ...ids, action: 'buy' }, owner);
    const { status, body } = await server.attempt('newOrderWebhook', { ...ids, ...fields }, owner);
    expect([status, body?.response]).toEqual([
      400,
      typeof reason === 'string' ? `Request failed. ${reason}.` : expect.stringMatching(reason),
    ]);
    const [told] = await server.ask('getAlerts', { strategy_id }, owner);
    expect(told).toMatchObject({ verdict: 'refused', reason: expect.stringMatching(reason) });
    expect(await server.ask('getTrades', { strategy_id }, owner)).toHaveLength(1);
  });

  it.each([
    ['with the exchange before it', 'NASDAQ:AAPL', ': write AAPL:NASDAQ'],
    ['without an exchange', 'brk.b', ': write BRK.B:NYSE'],
    ['by its name', 'apple', ': write AAPL:NASDAQ'],
    ['by the beginning of its name', 'Costc', ': write COST:NASDAQ'],
    ['by too little of a name', 'co', ''],
    ['at the exchange of delayed prices', 'AAPL:NASDAQ_DLY', ': write AAPL:NASDAQ'],
    ['at another exchange', 'BTCUSD:BITSTAMP', ': write BTCUSD:COINBASE'],
    ['that is not here', 'ES1!', ''],
    ['that only a placeholder names', '{{ticker}}', ''],
  ])('is told how to name its stock: %s', async (_, stock_id, hint) => {
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, owner);
    const alert = { strategy_id, stock_id, action: 'buy' };
    const { status, body } = await server.attempt('newOrderWebhook', alert, owner);
    expect([status, body?.response]).toEqual([
      400,
      `Request failed. stock ${stock_id} does not exist${hint}.`,
    ]);
  });

  it.each([
    ['a name with quotes', (text: string) => text.replace('buy', 'buy "the dip"')],
    ['a missing number', (text: string) => text.replace('"1"', 'NaN')],
    ['a comma at the end', (text: string) => text.replace(/\s*\}$/, ',}')],
    ['single quotes', (text: string) => text.replaceAll('"', "'")],
    ['lines of text', (text: string) => `buy AAPL\ntoken=${/slipa_\w+/.exec(text)?.[0]}`],
    ['a list', (text: string) => `[${text}]`],
  ])('that cannot be read is in the inbox of its strategy: %s', async (_, spoilt) => {
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, owner);
    const asked = { strategy_id, stock_id: 'AAPL:NASDAQ' };
    const template = await server.ask('newAlertTemplate', asked, owner);
    const body = spoilt(template.replace('{{strategy.order.action}}', 'buy'));
    const sent = await server.call('POST', '/newOrderWebhook', { body });
    expect([sent.status, sent.headers.get('x-error-code')]).toEqual([400, 'invalid_json']);
    const [told, another] = await server.ask('getAlerts', { strategy_id }, owner);
    expect(told).toMatchObject({
      verdict: 'refused',
      body: expect.stringContaining('[api_token]'),
    });
    expect(sent.body?.response).toBe(`Request failed. ${told?.reason}.`);
    expect([another, JSON.stringify(told).includes('slipa_')]).toEqual([undefined, false]);
  });
});
