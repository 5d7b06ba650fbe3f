import { useState } from 'preact/hooks';
import { price, quantity } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import type { Strategy } from '../../service/records.js';
import { session } from '../../session/session.js';
import { Failure } from '../common/form.js';
import { Panel } from '../common/panel.js';

/** How often the steps look for what came of the alert, in milliseconds. */
const EVERY = 1_000;
const STOCK = { stock: 'NVDA:NASDAQ', cryptocurrency: 'BTC:COINBASE' } as const;

/** The main job in a minute, for who opened the demo by its link: an alert, its order, and the bot that follows. */
export function Tour({ strategy }: { readonly strategy: Strategy }) {
  const isByLink = session.value?.signIn === undefined;
  if (!isByLink || strategy.basis !== 'simulated' || !strategy.categories.includes('demo'))
    return null;
  return <Steps strategy={strategy} />;
}

function Steps({ strategy }: { readonly strategy: Strategy }) {
  const id = strategy.strategy_id;
  const [orderId, setOrderId] = useState<string | null>(null);
  const send = useAction(
    (client, fields: { action: 'buy' | 'sell'; round: number }) =>
      client.newOrderWebhook({
        strategy_id: id,
        stock_id: STOCK[strategy.type],
        action: fields.action,
        leverage: '0.4',
      }),
    (order) => setOrderId(order.order_id),
  );
  const alerts = useRead(
    orderId && `tour alerts ${orderId}`,
    (client) => client.getAlerts({ strategy_id: id, limit: 5 }),
    EVERY,
  );
  const trades = useRead(
    orderId && `tour fills ${orderId}`,
    (client) => client.getTrades({ strategy_id: id, limit: 10 }),
    EVERY,
  );
  const fill = trades.data?.find((trade) => trade.order_id === orderId);
  const copies = useRead(
    fill ? `tour bot ${fill.trade_id}` : null,
    async (client) => {
      const bot = (await client.getBots()).find(({ allocations }) =>
        allocations.some(({ strategy_id }) => strategy_id === id),
      );
      const orders = bot ? await client.getBotOrders({ bot_id: bot.bot_id, limit: 10 }) : [];
      return {
        bot,
        order: orders.find(({ trade_ids }) => trade_ids.includes(fill?.trade_id ?? '')),
      };
    },
    EVERY,
  );
  const isInInbox = alerts.data?.some(({ order_id }) => order_id === orderId) ?? false;
  const { bot, order } = copies.data ?? {};
  const [round, setRound] = useState(0);
  const start = (action: 'buy' | 'sell'): void => {
    setRound(round + 1);
    void send.run({ action, round });
  };
  return (
    <Panel title="Try it: the main job in a minute">
      <ol class="steps">
        <li>
          Send an alert, as your charting platform would.{' '}
          <span class="row">
            <button
              type="button"
              class="primary"
              disabled={send.isBusy}
              onClick={() => start('buy')}
            >
              Send “buy”
            </button>
            <button type="button" disabled={send.isBusy} onClick={() => start('sell')}>
              Send “sell”
            </button>
          </span>
        </li>
        <li class={isInInbox ? 'done' : ''}>
          {isInInbox ? 'It is in the inbox below, accepted.' : 'It arrives in the inbox below.'}
        </li>
        <li class={fill ? 'done' : ''}>
          {fill
            ? `The order filled: ${fill.action} ${quantity(fill.amount)} ${fill.symbol} at ${price(fill.price)}.`
            : 'Its order fills at the next quote.'}
        </li>
        <li class={order ? 'done' : ''}>
          {order ? (
            <>
              Your bot followed: {order.action} {quantity(order.amount)} {fill?.symbol}.
            </>
          ) : (
            'Your bot does the same in its brokerage account.'
          )}{' '}
          {bot && <a href={`/bots/${bot.bot_id}`}>See the account</a>}
        </li>
      </ol>
      <Failure of={send} />
    </Panel>
  );
}
