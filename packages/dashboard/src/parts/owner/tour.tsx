import { useState } from 'preact/hooks';
import { price, quantity } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useChannel } from '../../service/live.js';
import { useRead, useReadSince } from '../../service/read.js';
import type { Strategy } from '../../service/records.js';
import { session } from '../../session/session.js';
import { Failure } from '../common/form.js';
import { Panel } from '../common/panel.js';

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
  const alerts = useChannel('wsAlerts', id).value.data;
  // Each fill changes the book's version.
  const version = useChannel('wsPositions', id).value.data?.version;
  const trades = useReadSince(version, orderId && `tour fills ${orderId}`, (client) =>
    client.getTrades({ strategy_id: id, limit: 10 }),
  );
  const fill = trades.data?.find((trade) => trade.order_id === orderId);
  const bots = useRead(`tour bots ${id}`, (client) => client.getBots());
  const bot = bots.data?.find(({ allocations }) =>
    allocations.some(({ strategy_id }) => strategy_id === id),
  );
  const copies = useChannel('wsBot', bot?.bot_id).value.data?.orders;
  const order = fill && copies?.find(({ trade_ids }) => trade_ids.includes(fill.trade_id));
  const isInInbox = alerts?.some(({ order_id }) => order_id === orderId) ?? false;
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
              aria-disabled={send.isBusy}
              onClick={() => start('buy')}
            >
              Send “buy”
            </button>
            <button type="button" aria-disabled={send.isBusy} onClick={() => start('sell')}>
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
