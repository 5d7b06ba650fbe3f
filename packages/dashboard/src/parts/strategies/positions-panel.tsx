import { change, money, percent, price, quantity, tone } from '../../figures/format.js';
import type { Positions } from '../../service/folds.js';
import { useChannel } from '../../service/live.js';
import { useRead } from '../../service/read.js';
import type { Strategy, Subscription } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Panel, Scroll } from '../common/panel.js';

/** What a strategy holds, in the reader's own amounts where they gave one. */
export function PositionsPanel(props: {
  readonly strategy: Strategy;
  readonly subscription: Subscription | undefined;
}) {
  const { strategy, subscription } = props;
  const id = strategy.strategy_id;
  const live = useChannel('wsPositions', id).value;
  const book = live.data;
  const given = subscription?.input_value;
  const own = useRead(
    given ? `own ${id} ${given} ${subscription.input_date} ${book?.version}` : null,
    (client) =>
      client.getStrategyCalculation({
        strategy_id: id,
        input_value: given ?? '',
        ...(subscription?.input_date && { input_date: subscription.input_date }),
      }),
    15_000,
  );
  return (
    <Panel
      title="Positions"
      aside={
        <span class="row small">
          {own.data && (
            <span>
              yours: <b class="amount">{money(own.data.value)}</b>{' '}
              <span class={tone(own.data.percent_change)}>{change(own.data.percent_change)}</span>
            </span>
          )}
          <Basis of={strategy.basis} />
        </span>
      }
    >
      {live.ended !== undefined && <p class="quiet">{live.ended}</p>}
      {book === undefined && live.ended === undefined && <p class="placeholder">Reading…</p>}
      {book && <Table book={book} own={own.data?.positions ?? null} />}
    </Panel>
  );
}

function Table(props: {
  readonly book: Positions;
  readonly own: readonly { readonly stock_id: string; readonly amount: string }[] | null;
}) {
  const { book, own } = props;
  if (book.positions.length === 0)
    return <p class="quiet">No positions: the strategy holds cash alone.</p>;
  return (
    <Scroll label="Positions">
      <table>
        <thead>
          <tr>
            <th scope="col">Instrument</th>
            <th scope="col" class="number">
              Weight
            </th>
            {own && (
              <th scope="col" class="number">
                Yours
              </th>
            )}
            <th scope="col" class="number wide">
              Last
            </th>
            <th scope="col" class="number" title="Of the strategy's value, which began at 1">
              Open profit
            </th>
          </tr>
        </thead>
        <tbody>
          {book.positions.map((position) => (
            <tr key={position.stock_id}>
              <td>
                <b>{position.symbol}</b> <span class="small quiet wide">{position.exchange}</span>
              </td>
              <td class="number">
                <Bar of={position.percent} />
                {percent(position.percent)}
              </td>
              {own && (
                <td class="number amount">
                  {quantity(own.find(({ stock_id }) => stock_id === position.stock_id)?.amount)}
                </td>
              )}
              <td class="number wide">
                {price(position.last)}
                <div class="small quiet">{price(position.average_price)} paid</div>
              </td>
              <td class={`number ${tone(position.unrealized)}`}>{change(position.unrealized)}</td>
            </tr>
          ))}
          <tr>
            <td>
              <b>Cash</b>
            </td>
            <td class="number">{percent(book.cash)}</td>
            <td colSpan={own ? 3 : 2} class="small quiet wide">
              of the value 1 that it began with
            </td>
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

/** A weight as a bar, for the eye alone. */
const Bar = ({ of }: { readonly of: string | null }) => (
  <span class="bar wide" aria-hidden="true">
    <i style={{ width: `${Math.min(Math.abs(Number(of ?? 0)), 1) * 100}%` }} />
  </span>
);
