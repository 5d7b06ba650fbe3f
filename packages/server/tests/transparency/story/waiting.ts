import { operations } from '@slipstream/wire';
import { NOW, PASSWORD, type Play, type Step } from '../play.js';

const of = (play: Play, label: string) => ({ strategy_id: play.idOf('strategy', label) });

/** Orders that wait for a price, for each other, for a stock and for a session. */
const orders: Step = async (play) => {
  await play.server.quotes(play.prices);
  const strategy = of(play, 'Free');
  const order = async (label: string, fields: object) =>
    play.knows(
      'order',
      label,
      (
        await play.does('owner', 'newOrder', {
          ...strategy,
          stock_id: 'AAPL:NASDAQ',
          action: 'buy',
          ...('total' in fields ? {} : { amount: '0.0005' }),
          ...fields,
        })
      ).order_id,
    );
  await order('bought', { amount: '0.002' });
  const low = await order('low', { type: 'limit', price: '190' });
  await order('after low', {
    type: 'limit',
    action: 'sell',
    price: '230',
    order_dependencies: [low],
  });
  const stop = await order('stop', {
    action: 'sell',
    type: 'stop_market',
    stop_price: '180',
    reduce_only: true,
  });
  await order('after stop', { action: 'sell', total: '0.05', order_dependencies: [stop, low] });
  await order('armed', { type: 'stop_limit', stop_price: '201', price: '195' });
  await order('oco', { action: 'sell', type: 'oco', price: '250', stop_price: '150' });
  await play.does('operator', 'updateStocks', {
    stocks: [{ stock_id: 'MSFT:NASDAQ', stock_status: 'halted' }],
  });
  await order('of a halted stock', { stock_id: 'MSFT:NASDAQ', amount: '0.0001' });
  await play.server.quotes({ ...play.prices, 'AAPL:NASDAQ': [200.9, 201.1] });
  await play.passes(61_000, play.prices);
};

/** Alerts that may be repeated, that were refused, and that are beyond the cap. */
const alerts: Step = async (play) => {
  await play.server.quotes(play.prices);
  const alert = { ...of(play, 'Paid'), stock_id: 'AAPL:NASDAQ', action: 'buy' };
  await play.attempt('owner', 'newOrderWebhook', { ...alert, leverage: 0.4, pyramiding: 4 });
  await play.attempt('owner', 'newOrderWebhook', { ...alert, leverage: 0.5, alert_id: 'first' });
  await play.attempt('owner', 'newOrderWebhook', { ...alert, stock_id: 'NONE:NASDAQ' });
  for (let sent = 0; sent < 7; sent += 1)
    await play.attempt('follower', 'newOrderWebhook', { ...alert, note: `${sent}` });
};

/** The same ones come again, and the next step. */
const repeats: Step = async (play) => {
  await play.server.quotes(play.prices);
  const alert = { ...of(play, 'Paid'), stock_id: 'AAPL:NASDAQ', action: 'buy' };
  await play.attempt('owner', 'newOrderWebhook', { ...alert, leverage: 0.5, alert_id: 'first' });
  await play.attempt('owner', 'newOrderWebhook', { ...alert, leverage: 0.8, pyramiding: 4 });
  await play.passes(61_000, play.prices);
};

const newBot = async (play: Play, name: string, label: string, fields: object): Promise<string> => {
  const allocations = [{ ...of(play, label), percent: '1' }];
  const given = {
    type: 'stock',
    broker: 'simulated',
    allocations,
    name,
    account_id: name.replaceAll(' ', '-'),
  };
  const { bot_id } = await play.does('follower', 'newBot', {
    ...given,
    credentials: { starting_balance: '10000' },
    ...fields,
  });
  return play.knows('bot', name, bot_id);
};

/** Bots in every state. */
const bots: Step = async (play) => {
  await play.server.quotes(play.prices);
  const start = (bot_id: string) => play.attempt('follower', 'startBot', { bot_id });
  await newBot(play, 'off', 'Free', {});
  await start(await newBot(play, 'running', 'Free', {}));
  await start(await newBot(play, 'at the next trade', 'Free', { rebalance_on_start: false }));
  await start(await newBot(play, 'dry', 'Free', { dry_run: true }));
  await start(await newBot(play, 'paused', 'Free', { mode: 'paused' }));
  await start(await newBot(play, 'new only', 'Free', { join: 'new_only' }));
  const limits = { max_daily_loss: '0.01', max_orders_per_day: 2, max_capital: '5000' };
  await start(await newBot(play, 'limited', 'Free', { limits }));
  await start(await newBot(play, 'closing', 'Free', { close_on_stop: true }));
  await start(await newBot(play, 'halted', 'Shut', {}));
  const vaulted = await play.does('follower', 'newBot', {
    ...{ type: 'stock', broker: 'vault', name: 'unreachable', credentials: { key: 'a key' } },
    allocations: [{ ...of(play, 'Free'), percent: '1' }],
  });
  await start(play.knows('bot', 'unreachable', vaulted.bot_id));
  await play.passes(61_000, play.prices);
  const halt = { scope: 'bot', id: play.idOf('bot', 'halted'), reason: 'By hand' };
  play.knows('halt', 'of a bot', (await play.does('follower', 'haltTrading', halt)).halt_id);
  await play.passes(61_000, play.prices);
};

/** A split of what bots hold is looked at, a stock is away while one closes. */
const botsAtWork: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.does('owner', 'newOrder', {
    ...of(play, 'Free'),
    stock_id: 'AAPL:NASDAQ',
    action: 'buy',
    amount: '0.001',
  });
  await play.does('operator', 'updateStocks', {
    stocks: [{ stock_id: 'IBM:NYSE', stock_status: 'halted' }],
  });
  await play.attempt('follower', 'stopBot', { bot_id: play.idOf('bot', 'closing') });
  await play.passes(61_000, play.prices);
  await play.passes(6_000, play.prices);
};

const EVENTS = ['order.filled', 'order.rejected', 'order.cancelled'];

/** Endpoints that hear, that fail, that ask for time and that end. */
const endpoints: Step = async (play) => {
  await play.server.quotes(play.prices);
  for (const path of ['well', 'busy', 'later', 'gone', 'off']) {
    const url = `${play.receiver}/${path}/follower`;
    const given = {
      ...{ kind: 'webhook', url, events: [...EVENTS, 'value.crossed'] },
      ...{ strategy_ids: [play.idOf('strategy', 'Free')], value_levels: ['0.99', '1', '1.01'] },
    };
    const { endpoint_id } = await play.does('follower', 'newEndpoint', given);
    play.knows('endpoint', path, endpoint_id);
  }
  const own = { kind: 'webhook', url: `${play.receiver}/well/own`, events: ['alert.refused'] };
  play.knows('endpoint', 'own', (await play.does('follower', 'newEndpoint', own)).endpoint_id);
  await play.does('follower', 'updateEndpoint', {
    endpoint_id: play.idOf('endpoint', 'well'),
    rotate_secret: true,
  });
  await play.does('follower', 'updateEndpoint', {
    endpoint_id: play.idOf('endpoint', 'off'),
    status: 'disabled',
  });
  await fills(play);
};

/** Something that endpoints hear. */
const fills = async (play: Play): Promise<void> => {
  await play.server.quotes(play.prices);
  await play.does('owner', 'newOrder', {
    ...of(play, 'Free'),
    stock_id: 'AAPL:NASDAQ',
    action: 'sell',
    amount: '0.0001',
  });
  await play.attempt('follower', 'newOrderWebhook', {
    ...of(play, 'Free'),
    stock_id: 'AAPL:NASDAQ',
    action: 'buy',
  });
  await play.passes(61_000, play.prices);
  await play.passes(6_000, play.prices);
};

/** What was asked for under keys, prepared, asked by mail, and guessed. */
const halves: Step = async (play) => {
  await play.server.quotes(play.prices);
  const keyed = { 'idempotency-key': 'a key' };
  const post = { text: 'Out of tech', strategy_id: play.idOf('strategy', 'Free') };
  await play.attempt('owner', 'newPost', post, keyed);
  await play.attempt('owner', 'newOrder', tiny(play), { 'idempotency-key': 'of an order' });
  // Of an order it would be outdated by a restore, which makes another version of the book (docs/restoring.md).
  const plan = await play.does('owner', 'preparePlan', {
    operation: 'newPost',
    body: { text: 'Planned', strategy_id: play.idOf('strategy', 'Paid') },
  });
  play.knows('plan', 'a post', plan.plan_id);
  const [own] = await play.does('owner', 'getTimeline', { user_id: play.idOf('user', 'owner') });
  play.knows('post', 'own', own?.post_id);
  await play.does('stranger', 'newLike', { post_id: own?.post_id });
  const limits = { max_orders_per_day: 2, max_notional_per_day: '0.5' };
  const limited = { name: 'limited', scope: ['newOrder', 'getOrders'], limits };
  const made = await play.attempt('owner', 'newToken', limited);
  play.tokens.set('limited', (made.body?.response as { token?: string } | undefined)?.token);
  await play.attempt('limited', 'newOrder', tiny(play));
  await play.attempt('owner', 'newTotp', { password: PASSWORD });
  await play.attempt('nobody', 'newPasswordReset', { email: 'owner@example.com' });
  await play.attempt('owner', 'updateEmail', {
    email: 'moved@example.com',
    password: PASSWORD,
  });
  for (let guessed = 0; guessed < 2; guessed += 1)
    await play.attempt('nobody', 'newSession', { email: 'owner@example.com', password: 'wrong' });
  await play.does('owner', 'newClaimedHistory', {
    ...of(play, 'Free'),
    points: operations.newClaimedHistory.example.request.points,
  });
};

const tiny = (play: Play) => ({
  ...of(play, 'Free'),
  stock_id: 'AAPL:NASDAQ',
  action: 'buy',
  amount: '0.0001',
});

/** The other halves. */
const otherHalves: Step = async (play) => {
  await play.server.quotes(play.prices);
  const keyed = { 'idempotency-key': 'a key' };
  const post = { text: 'Out of tech', strategy_id: play.idOf('strategy', 'Free') };
  await play.attempt('owner', 'newPost', post, keyed);
  await play.attempt('owner', 'newPost', { text: 'Another' }, keyed);
  await play.attempt('owner', 'newOrder', tiny(play), { 'idempotency-key': 'of an order' });
  await play.attempt('owner', 'commitPlan', { plan_id: play.idOf('plan', 'a post') });
  await play.attempt('owner', 'commitPlan', { plan_id: play.idOf('plan', 'a post') });
  await play.attempt('limited', 'newOrder', tiny(play));
  const { text } = play.mails.findLast((mail) => mail.text.includes('code=')) ?? { text: '' };
  const code = /code=(\S+)/.exec(text)?.[1] ?? '';
  await play.attempt('owner', 'confirmEmail', { code });
  for (let guessed = 0; guessed < 2; guessed += 1)
    await play.attempt('nobody', 'newSession', { email: 'owner@example.com', password: 'wrong' });
  await play.attempt('nobody', 'newPasswordReset', { email: 'owner@example.com' });
  await play.passes(61_000, play.prices);
  await fills(play);
};

/** Prices move, halts end, and what waited goes on. */
const movement: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.does('operator', 'updateStocks', {
    stocks: ['IBM:NYSE', 'MSFT:NASDAQ'].map((stock_id) => ({ stock_id, stock_status: 'active' })),
  });
  await play.passes(61_000, play.prices);
  await play.passes(61_000, { ...play.prices, 'AAPL:NASDAQ': 189 });
  await play.passes(1000, { ...play.prices, 'AAPL:NASDAQ': 232 });
  await play.attempt('follower', 'resumeTrading', { halt_id: play.idOf('halt', 'of a bot') });
  await play.passes(61_000, { ...play.prices, 'AAPL:NASDAQ': 178 });
  await play.passes(61_000, { ...play.prices, 'AAPL:NASDAQ': 178 });
};

/** Corporate actions, while something is held and waits. */
const actions: Step = async (play) => {
  await play.server.quotes(play.prices);
  await play.does('operator', 'newStockAction', {
    ...{ stock_id: 'AAPL:NASDAQ', kind: 'split', new_shares: 3, old_shares: 1 },
  });
  await play.does('operator', 'newStockAction', {
    ...{ stock_id: 'IBM:NYSE', kind: 'cash_dividend', amount: '0.5' },
  });
  play.prices = AFTER_SPLIT;
  await play.passes(61_000, play.prices);
};

const AFTER_SPLIT = { ...NOW, 'AAPL:NASDAQ': 66 };

/** An hour later, with what is retried until then, and the watch of alerts. */
const hours: Step = async (play) => {
  for (let hour = 0; hour < 3; hour += 1) await play.passes(61 * 60_000, play.prices);
};

export const WAITING: Readonly<Record<string, Step>> = {
  orders,
  alerts,
  repeats,
  bots,
  'bots at work': botsAtWork,
  endpoints,
  'fills at once': fills,
  halves,
  'other halves': otherHalves,
  movement,
  actions,
};

/** The same, with what comes after hours. */
export const LONG_WAITING: Readonly<Record<string, Step>> = {
  ...WAITING,
  'fills again': fills,
  hours,
};
