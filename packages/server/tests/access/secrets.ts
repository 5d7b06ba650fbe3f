import { someDetails } from '../../../wire/src/billing/examples.js';
import type { ComposedServer } from '../helpers/composed-server.js';
import type { Placeholder } from '../operations/table/scene.js';

/** The stocks that the owner trades unseen; the bots of former followers never held them. */
export const SECRET_STOCKS = /aapl|msft/gi;

/** Of a paid strategy. */
export const PRICE = 15;

/** The two stocks have one price, so that a figure tells nothing of which one is held. */
export const twins = (price: number, other: number) => ({
  'AAPL:NASDAQ': price,
  'MSFT:NASDAQ': price,
  'IBM:NYSE': other,
});

type Which = 'one' | 'other';
export type Strategies = Readonly<
  Record<'free' | 'paid' | 'shut' | 'turned' | 'other' | 'secret', string>
>;

/** What the owner does after the readers' access has ended: the figures that are public come out the same. */
export async function tradeSecretly(
  server: ComposedServer,
  which: Which,
  strategies: Strategies,
  owner: string,
): Promise<string> {
  const { ask, attempt } = server;
  const isOne = which === 'one';
  const [stock_id, twin] = isOne ? ['AAPL:NASDAQ', 'MSFT:NASDAQ'] : ['MSFT:NASDAQ', 'AAPL:NASDAQ'];
  for (const [name, strategy_id] of Object.entries(strategies)) {
    if (name === 'other') continue;
    if (name === 'turned' && !isOne) continue;
    const isHidden = name === 'shut' || name === 'turned' || name === 'secret';
    const alert = { strategy_id, stock_id: 'NONE:NASDAQ', action: 'buy', note: which };
    for (let sent = 0; sent < (isOne ? 1 : 3); sent += 1)
      await attempt('newOrderWebhook', alert, owner);
    const order = (fields: object) => ask('newOrder', { strategy_id, stock_id, ...fields }, owner);
    await attempt(
      'newOrderWebhook',
      { strategy_id, stock_id, action: 'buy', leverage: 0.2 },
      owner,
    );
    const held = { strategy_id, stock_id: 'IBM:NYSE' };
    const amounts = isOne ? ['0.0002'] : ['0.0001', '0.0003'];
    if (isHidden) {
      await order({ action: 'buy', amount: isOne ? '0.0004' : '0.001' });
      for (const amount of amounts)
        await ask('newOrder', { ...held, action: 'sell', amount }, owner);
    }
    await order({ action: 'buy', type: 'limit', price: '1', amount: '0.001' });
    if (!isOne) await order({ action: 'sell', type: 'limit', price: '900', amount: '0.0001' });
    const { order_id } = await order({ action: 'buy', type: 'limit', price: '2', amount: '0.01' });
    await ask('deleteOrder', { strategy_id, order_id }, owner);
    if (!isOne)
      await attempt(
        'newOrder',
        { strategy_id, stock_id: twin, action: 'buy', amount: '50' },
        owner,
      );
    if (isHidden)
      await ask(
        'updateStrategy',
        {
          strategy_id,
          name: `${name} ${which}`,
          description: which,
          categories: [which],
          price: isOne ? 3 : 4,
          input_value: isOne ? 20_000 : 30_000,
        },
        owner,
      );
  }
  const more = { type: 'stock', name: `One more of ${which}`, private: true };
  const { strategy_id: oneMore } = await ask('newStrategy', more, owner);
  if (!isOne) {
    await ask('newStrategy', { type: 'stock', name: 'And one', private: true }, owner);
    await ask('newToken', { name: 'one more', scope: ['newOrder'] }, owner);
  }
  await ask('newAlertTemplate', { strategy_id: strategies.free, stock_id }, owner);
  await ask('newPaymentSource', { token: 'test_card_paid', ...someDetails, city: which }, owner);
  const allocations = [{ strategy_id: strategies.free, percent: isOne ? '1' : '0.5' }];
  const given = { type: 'stock', broker: 'simulated', name: which, allocations };
  const { bot_id } = await ask('newBot', given, owner);
  await ask('startBot', { bot_id }, owner);
  const halted = isOne ? { scope: 'bot', id: bot_id } : { scope: 'user' };
  await ask('haltTrading', { ...halted, reason: which }, owner);
  await ask(
    'newEndpoint',
    { kind: 'webhook', url: 'https://receiver.invalid', events: ['order.filled'] },
    owner,
  );
  const last = { strategy_id: strategies.free, stock_id, action: 'buy', amount: '0.0001' };
  await ask('newOrder', last, owner);
  await server.application.background.sendEvents();
  return oneMore;
}

/** What two followers do with their own accounts; which of them does it, and how, is theirs alone. */
export async function keepSecretly(
  server: ComposedServer,
  which: Which,
  strategies: Strategies,
  owner: string,
): Promise<string> {
  const { ask, attempt } = server;
  const isOne = which === 'one';
  const users = [await server.user('first'), await server.user('second')] as const;
  const acting = users[isOne ? 0 : 1];
  const details = { ...someDetails, city: which, name: which };
  await ask('newPaymentSource', { token: 'test_card_paid', ...details }, acting);
  if (!isOne) await ask('newPaymentSource', { token: 'test_card_paid', ...details }, acting);
  for (const [strategy_id, price] of [
    [strategies.free, {}],
    [strategies.paid, { price: PRICE }],
  ] as const)
    await ask(
      'newStrategySubscription',
      { strategy_id, ...price, input_value: isOne ? 1000 : 2000 },
      acting,
    );
  const allocations = [{ strategy_id: strategies.free, percent: isOne ? '1' : '0.5' }];
  const credentials = { starting_balance: isOne ? '10000' : '50000' };
  for (let made = 0; made < (isOne ? 1 : 3); made += 1) {
    const given = { type: 'stock', broker: 'simulated', name: `${which} ${made}`, allocations };
    const { bot_id } = await ask('newBot', { ...given, credentials }, acting);
    await ask('startBot', { bot_id }, acting);
    await ask('haltTrading', { scope: 'bot', id: bot_id, reason: which }, acting);
  }
  const alert = { strategy_id: strategies.free, stock_id: 'AAPL:NASDAQ', action: 'buy' };
  for (let sent = 0; sent < (isOne ? 1 : 2); sent += 1)
    await attempt('newOrderWebhook', { ...alert, note: which }, acting);
  const [post] = await ask(
    'getTimeline',
    { user_id: (await ask('verifyToken', {}, owner)).user_id },
    owner,
  );
  await ask('newLike', { post_id: post?.post_id }, acting);
  await ask(
    'newEndpoint',
    { kind: 'webhook', url: 'https://receiver.invalid', events: ['bot.error'] },
    acting,
  );
  await ask('newToken', { name: which, scope: ['newOrder'] }, acting);
  return acting;
}

type Ids = Readonly<Partial<Record<Placeholder, readonly string[]>>>;
export type Hidden = Readonly<Record<'owner' | 'follower', Ids>>;

/** The ids of what is hidden, as they who may see it read them. */
export async function hiddenOf(
  { ask }: ComposedServer,
  { free, oneMore }: { readonly free: string; readonly oneMore: string },
  owner: string,
  follower: string,
  isUnseen: (id: string) => boolean,
): Promise<Hidden> {
  /** One that was made unseen: its id is in no other world. */
  const first = async (list: Promise<readonly object[]>, field: string) =>
    (await list)
      .map((row) => String((row as Record<string, unknown>)[field]))
      .filter((one) => isUnseen(one))
      .slice(0, 1);
  const of = async (token: string): Promise<Ids> => ({
    bot: await first(ask('getBots', {}, token), 'bot_id'),
    token: await first(ask('getTokens', {}, token), 'token_id'),
    source: await first(ask('getPaymentSources', {}, token), 'source_id'),
    subscription: await first(ask('getStrategySubscriptions', {}, token), 'subscription_id'),
    halt: await first(ask('getTradingHalts', {}, token), 'halt_id'),
    notification: await first(ask('getNotifications', {}, token), 'notification_id'),
    endpoint: await first(ask('getEndpoints', {}, token), 'endpoint_id'),
    invoice: await first(ask('getInvoices', {}, token), 'invoice_id'),
  });
  return {
    owner: {
      ...(await of(owner)),
      order: await first(ask('getOrders', { strategy_id: free }, owner), 'order_id'),
      delivery: await first(
        ask(
          'getDeliveries',
          { endpoint_id: (await ask('getEndpoints', {}, owner))[0]?.endpoint_id },
          owner,
        ),
        'delivery_id',
      ),
      trade: await first(ask('getTrades', { strategy_id: free }, owner), 'trade_id'),
      strategy: [oneMore],
    },
    follower: await of(follower),
  };
}
