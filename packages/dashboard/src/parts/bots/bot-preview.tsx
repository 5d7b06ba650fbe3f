import type { ResponseOf } from '@slipstream/wire';
import { dollars, quantity } from '../../figures/format.js';
import type { Action } from '../../service/action.js';
import { Failure } from '../common/form.js';
import { Note } from '../common/panel.js';

type Preview = ResponseOf<'previewBot'>;

/** What a bot would do now: nothing of it has happened. */
export function BotPreview({ of }: { readonly of: Action<never, Preview> }) {
  const preview = of.isBusy ? undefined : of.answer;
  if (of.error !== undefined) return <Failure of={of} />;
  if (!preview) return <p>Reading the account…</p>;
  const { account, kept, orders, warnings } = preview;
  return (
    <div class="stack tight">
      <p>
        {account.label}
        {account.live && <b class="down"> with real money</b>}: equity{' '}
        <b class="amount">{dollars(account.equity)}</b>, cash{' '}
        <span class="amount">{dollars(account.cash)}</span>. It would place {orders.length}{' '}
        {orders.length === 1 ? 'order' : 'orders'} now.
      </p>
      <ul class="list small">
        {orders.slice(0, 12).map((order) => (
          <li key={order.stock_id + order.action}>
            <b class={order.action === 'buy' ? 'up' : 'down'}>{order.action}</b>{' '}
            <span class="amount">{quantity(order.amount)}</span>{' '}
            <span class="quiet">{order.intent}</span>
          </li>
        ))}
        {orders.length > 12 && <li class="quiet">and {orders.length - 12} more</li>}
      </ul>
      {kept.length > 0 && (
        <p>
          {kept.length === 1
            ? 'One holding is kept: the bot never trades it.'
            : `${kept.length} holdings are kept: the bot never trades them.`}
        </p>
      )}
      {warnings.map((warning) => (
        <Note key={warning} tone="caution">
          {warning}
        </Note>
      ))}
    </div>
  );
}
