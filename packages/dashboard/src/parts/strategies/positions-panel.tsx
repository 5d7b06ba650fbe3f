import type { ResponseOf } from '@slipstream/wire';
import { changeBetween, partOf, product } from '../../figures/decimal-text.js';
import { money, percent, price, quantity, roughPrice } from '../../figures/format.js';
import type { Positions } from '../../service/folds.js';
import { useChannel } from '../../service/live.js';
import { useReadSince } from '../../service/read.js';
import type { Strategy, Subscription } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { Change } from '../common/signed.js';
import { type Column, Table } from '../common/table.js';

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
  const own = useReadSince(
    `${book?.version}`,
    given ? `own ${id} ${given} ${subscription.input_date}` : null,
    (client) =>
      client.getStrategyCalculation({
        strategy_id: id,
        input_value: given ?? '',
        ...(subscription?.input_date && { input_date: subscription.input_date }),
      }),
  );
  const worth = own.data && ownValue(own.data, book);
  return (
    <Panel
      title="Positions"
      aside={
        <span class="row small">
          {worth && (
            <span>
              yours: <b class="amount">{money(worth.value)}</b> <Change of={worth.change} />
            </span>
          )}
          <Basis of={strategy.basis} />
        </span>
      }
    >
      {live.ended !== undefined && <p class="quiet">{live.ended}</p>}
      {book === undefined && live.ended === undefined && <p class="placeholder">Reading…</p>}
      {own.error !== undefined && (
        <Shown of={own} what="your amounts">
          {() => null}
        </Shown>
      )}
      {book && <Holdings book={book} own={own.data?.positions ?? null} />}
    </Panel>
  );
}

type Calculation = ResponseOf<'getStrategyCalculation'>;

/** What the reader's amount is worth. Between fills only the value of the strategy moves, and its channel tells that. */
const ownValue = (own: Calculation, book: Positions | undefined) => {
  const now = book?.strategy_value ?? own.strategy_value;
  const value = product(own.input_multiplier, now);
  return { value, change: value && changeBetween(own.input_value, value) };
};

type Position = Positions['positions'][number];

function Holdings(props: {
  readonly book: Positions;
  readonly own: readonly { readonly stock_id: string; readonly amount: string }[] | null;
}) {
  const { book, own } = props;
  const yours = (position: Position) =>
    own?.find(({ stock_id }) => stock_id === position.stock_id)?.amount;
  const columns: readonly (Column<Position> | false)[] = [
    {
      name: 'Instrument',
      what: 'instrument',
      cell: ({ symbol, exchange }) => (
        <>
          <b>{symbol}</b> <span class="small quiet wide">{exchange}</span>
        </>
      ),
    },
    {
      name: 'Weight',
      what: 'weight',
      isNumber: true,
      cell: ({ percent: weight }) => (
        <>
          <Bar of={weight} />
          {percent(weight)}
        </>
      ),
    },
    own !== null && {
      name: 'Yours',
      what: 'your_amount',
      isNumber: true,
      class: 'amount',
      cell: (position) => quantity(yours(position)),
    },
    {
      name: 'Last',
      what: 'last',
      isNumber: true,
      isWide: true,
      cell: ({ last, average_price: paid }) => (
        <>
          {price(last)}
          <div class="small quiet">{roughPrice(paid)} paid</div>
        </>
      ),
    },
    {
      name: 'Open profit',
      what: 'open_profit',
      isNumber: true,
      cell: ({ unrealized }) => <Change of={unrealized} />,
    },
  ];
  return (
    <Table
      label="Positions"
      columns={columns}
      rows={book.positions}
      keyOf={({ stock_id }) => stock_id}
      record={(position) => ({ ...position, ...(own && { your_amount: yours(position) }) })}
      empty="No positions: the strategy holds cash alone."
      foot={
        <tr>
          <td>
            <b>Cash</b>
          </td>
          <td class="number">{percent(cashWeight(book))}</td>
          <td colSpan={own ? 3 : 2} class="wide" />
        </tr>
      }
    />
  );
}

/** The weight of the cash beside those of the positions, which are there while the value is positive. */
const cashWeight = ({ cash, strategy_value: value }: Positions): string | undefined =>
  value && Number(value) > 0 ? partOf(value, cash) : undefined;

/** A weight as a bar, for the eye alone. */
const Bar = ({ of }: { readonly of: string | null }) => (
  <span class="bar wide" aria-hidden="true">
    <i style={{ width: `${Math.min(Math.abs(Number(of ?? 0)), 1) * 100}%` }} />
  </span>
);
