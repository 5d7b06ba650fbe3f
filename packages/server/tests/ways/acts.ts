import { DAY, HOUR, MINUTE } from '@slipstream/domain';
import { OPERATOR_TOKEN } from '../helpers/composed-server.js';
import { COIN, STOCKS, type World } from './world.js';

const ORDERS = ['market', 'total', 'limit', 'stop_market', 'stop_limit', 'oco'] as const;
/** How often each thing is done, and what it is. Refused ones count, too. */
const ACTS = {
  order: 6,
  burst: 1,
  targets: 3,
  alert: 3,
  cancel: 2,
  move: 4,
  days: 2,
  action: 1,
  bot: 3,
  post: 1,
  follow: 1,
} as const;
const BAG = Object.entries(ACTS).flatMap(([name, count]) =>
  Array<keyof typeof ACTS>(count).fill(name as keyof typeof ACTS),
);

/** Does something by chance. */
export async function act(world: World): Promise<void> {
  const { server, roll, people, strategies, bots, prices } = world;
  const { owner, follower, stranger } = people;
  const name = BAG[roll(BAG.length)] as keyof typeof ACTS;
  const place = roll(strategies.length);
  const strategy_id = strategies[place] ?? '';
  const stock_id = place === 2 ? COIN : (STOCKS[roll(2)] ?? '');
  const price = prices.get(stock_id) ?? 1;
  const side = roll(3) > 0 ? 'buy' : 'sell';
  const done: string[] = [];
  const does = async (
    operation: Parameters<typeof server.attempt>[0],
    fields: object,
    token = owner.token,
  ) => {
    const { status, text } = await server.attempt(operation, { ...fields }, token);
    done.push(`${operation} ${JSON.stringify(fields)} ${status} ${status === 200 ? '' : text}`);
    if (status >= 500) throw new Error(done.join('\n'));
  };
  const order = (percent: number) => {
    const type = ORDERS[roll(ORDERS.length)] as (typeof ORDERS)[number];
    const amount = (percent / 100 / price).toFixed(15);
    const sign = side === 'buy' ? 1 : -1;
    const near = (by: number): string => (price * (1 + by * sign)).toPrecision(7);
    const text = (given: string): string =>
      given.includes('e') ? Number(given).toFixed(14) : given;
    const below = text(near(-(1 + roll(40)) / 1000));
    const above = text(near((1 + roll(40)) / 1000));
    const common = { strategy_id, stock_id, action: side };
    if (type === 'market') return { ...common, amount };
    if (type === 'total') return { ...common, total: (percent / 100).toFixed(7) };
    if (type === 'limit') return { ...common, type, amount, price: below };
    if (type === 'stop_market') return { ...common, type, amount, stop_price: above };
    if (type === 'oco') return { ...common, type, amount, price: below, stop_price: above };
    return { ...common, type, amount, price: above, stop_price: above };
  };
  switch (name) {
    case 'order':
      await does('newOrder', order(1 + roll(30)));
      break;
    case 'burst':
      // More than a page of them.
      for (let n = 0; n < 60; n += 1)
        await does('newOrder', {
          ...{ strategy_id, stock_id, action: 'buy', type: 'limit' },
          ...{ amount: (0.0001 / price).toFixed(9), price: (price / 2).toFixed(12) },
        });
      break;
    case 'targets':
      await does('newOrderAllocations', {
        strategy_id,
        allocations: roll(4) === 0 ? [] : [{ stock_id, percent: (roll(200) - 60) / 100 }],
      });
      break;
    case 'alert':
      await does('newOrderWebhook', {
        ...{ strategy_id, stock_id, action: roll(5) === 0 ? 'none' : side },
        ...{ leverage: roll(200) / 100, pyramiding: 1 + roll(4), comment: '=1+1, "x";-1' },
      });
      break;
    case 'cancel': {
      const open = await server.ask('getOrders', { strategy_id }, owner.token);
      const { order_id } = open[roll(Math.max(1, open.length))] ?? {};
      if (order_id !== undefined) await does('deleteOrder', { strategy_id, order_id });
      break;
    }
    case 'move':
      for (const [stock, before] of prices)
        prices.set(stock, before * (1 + (roll(101) - 50) / 1000));
      done.push(`move ${JSON.stringify([...prices])}`);
      break;
    case 'days':
      server.clock.advance([MINUTE, HOUR, DAY, 3 * DAY, 31 * DAY][roll(5)] ?? 0);
      done.push(`now ${new Date(server.clock.now()).toISOString()}`);
      break;
    case 'action': {
      const of = { stock_id: STOCKS[roll(2)] };
      const split = { ...of, kind: 'split', new_shares: 3, old_shares: 2 };
      if (roll(2) === 0) {
        await does('newStockAction', split, OPERATOR_TOKEN);
        prices.set(of.stock_id ?? '', ((prices.get(of.stock_id ?? '') ?? 0) / 3) * 2);
      } else
        await does(
          'newStockAction',
          { ...of, kind: 'cash_dividend', amount: '0.0123' },
          OPERATOR_TOKEN,
        );
      break;
    }
    case 'bot': {
      const bot_id = bots[place] ?? '';
      const what =
        (['startBot', 'startBot', 'stopBot', 'resetBot'] as const)[roll(4)] ?? 'resetBot';
      const closing = what === 'stopBot' ? { close_on_stop: roll(2) === 0 } : {};
      await does(what, { bot_id, ...closing }, follower.token);
      break;
    }
    case 'post':
      await does('newPost', { text: '-1+1, "said"\nin two lines', strategy_id: strategies[0] });
      for (const { post_id } of await server.ask('getTimeline', { limit: 1 }, owner.token))
        await does('newLike', { post_id }, follower.token);
      break;
    case 'follow': {
      const given = { strategy_id: strategies[1], price: 7, input_value: '1234.5' };
      if (roll(2) === 0) await does('newStrategySubscription', given, stranger.token);
      else await does('deleteStrategySubscription', { strategy_id: strategies[1] }, stranger.token);
    }
  }
  world.acts.push(...(done.length > 9 ? [`${done.length} of ${done[0]}`] : done));
}
