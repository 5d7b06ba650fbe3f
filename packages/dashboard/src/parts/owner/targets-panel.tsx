import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fractionOf } from '../../figures/decimal-text.js';
import { targetsOf } from '../../figures/target.js';
import { useAction } from '../../service/action.js';
import { useChannel } from '../../service/live.js';
import type { PlanPreview, Strategy } from '../../service/records.js';
import { DecimalField } from '../common/decimal-field.js';
import { Failure, Form } from '../common/form.js';
import { sentenceOfOrder } from '../strategies/orders-panel.js';
import { Note, Panel } from '../common/panel.js';
import { StockField } from '../common/stock-field.js';

interface Target {
  readonly stock: string;
  /** Percent of the value, as typed. */
  readonly percent: string;
}

interface Allocations {
  readonly strategy_id: string;
  readonly allocations: readonly { readonly stock_id: string; readonly percent: string }[];
}

/** What the service takes at most, long or short. */
const UP_TO_200 = String.raw`[-+]?(0*1?\d?\d(\.\d*)?|0*200(\.0*)?|\.\d+)`;

/** The target of the whole strategy: edit, preview, place. */
export function TargetsPanel({ strategy }: { readonly strategy: Strategy }) {
  const book = useChannel('wsPositions', strategy.strategy_id).value.data;
  const open = useChannel('wsOrders', strategy.strategy_id).value.data;
  const [edited, setEdited] = useState<readonly Target[] | undefined>();
  const positions = book?.positions ?? [];
  const percents = targetsOf(positions, book?.strategy_value ?? null);
  const present = positions.map(({ symbol, exchange }, index) => ({
    stock: `${symbol}:${exchange}`,
    percent: percents[index] ?? '',
  }));
  const targets = edited ?? present;
  const preview = useAction((client, fields: Allocations) =>
    client.previewOrderAllocations({ ...fields, allocations: [...fields.allocations] }),
  );
  const place = useAction(
    (client, fields: Allocations, options) =>
      client.newOrderAllocations({ ...fields, allocations: [...fields.allocations] }, options),
    () => {
      preview.reset();
      setEdited(undefined);
    },
  );
  // Another tab, a bot or an alert traded: what is left out now would be closed, and the preview does not say it.
  const held = positions
    .map(({ stock_id }) => stock_id)
    .sort()
    .join();
  useEffect(preview.reset, [held]);
  const change = (next: readonly Target[]): void => {
    setEdited(next);
    preview.reset();
    // What became of orders under way is told.
    if (!place.isBusy) place.reset();
  };
  const set = (index: number, part: Partial<Target>): void =>
    change(targets.map((one, place_) => (place_ === index ? { ...one, ...part } : one)));
  const fields: Allocations = {
    strategy_id: strategy.strategy_id,
    allocations: targets.map(({ stock, percent }) => ({
      stock_id: stock.trim(),
      percent: fractionOf(percent) ?? percent,
    })),
  };
  return (
    <Panel title="Targets">
      <p class="small quiet">
        The whole set: what you leave out is closed, and every open order is cancelled first. A
        negative percentage is short.
      </p>
      <Form
        label="Targets"
        onSubmit={() => {
          // Prices move what was not edited: what is placed is what was previewed.
          setEdited(targets);
          void preview.run(fields);
        }}
      >
        {targets.map((target, index) => (
          <div class="row" key={index}>
            <div style={{ flex: '2 1 9rem' }}>
              <StockField
                security={strategy.type}
                value={target.stock}
                onValue={(stock) => set(index, { stock })}
              />
            </div>
            <div style={{ flex: '1 1 5rem' }}>
              <DecimalField
                label="Percent"
                // The keys of decimals have no minus on phones of Apple.
                inputMode="text"
                pattern={UP_TO_200}
                title="Percent of the value, from -200 to 200."
                required
                value={target.percent}
                onValue={(percent) => set(index, { percent })}
              />
            </div>
            <button
              type="button"
              aria-label={`Leave out ${target.stock}`}
              onClick={() => change(targets.filter((_, place_) => place_ !== index))}
            >
              ✕
            </button>
          </div>
        ))}
        <div class="row">
          <button
            type="button"
            disabled={targets.length >= 100}
            onClick={() => change([...targets, { stock: '', percent: '' }])}
          >
            Add an instrument
          </button>
          <button class="primary" aria-disabled={preview.isBusy}>
            Preview
          </button>
        </div>
      </Form>
      <Failure of={preview} />
      {preview.answer && (
        <Plan of={preview.answer}>
          {(preview.answer.orders.length > 0 || open?.length !== 0) && (
            <button
              type="button"
              class="primary"
              aria-disabled={place.isBusy}
              onClick={() => void place.run(fields)}
            >
              {preview.answer.orders.length > 0 ? 'Place these orders' : 'Cancel the open orders'}
            </button>
          )}
        </Plan>
      )}
      <Failure of={place} />
      {place.answer && (
        <Note tone="good">
          {place.answer.length === 0
            ? 'Nothing had to be traded.'
            : `${place.answer.length} ${place.answer.length === 1 ? 'order' : 'orders'} placed. Reduces come before increases.`}
        </Note>
      )}
    </Panel>
  );
}

function Plan(props: { readonly of: PlanPreview; readonly children: ComponentChildren }) {
  const { orders, skipped } = props.of;
  return (
    <div class="note stack tight" role="group" aria-label="Preview">
      <b>{orders.length === 0 ? 'Nothing would be traded.' : 'These orders would be placed:'}</b>
      <ul class="list">
        {orders.map((order) => (
          <li key={order.order_id}>
            <b class={order.action === 'buy' ? 'up' : 'down'}>{order.action}</b> {order.symbol}{' '}
            {sentenceOfOrder(order)}
            {order.order_dependencies.length > 0 && (
              <span class="small quiet"> after {order.order_dependencies.length} other</span>
            )}
          </li>
        ))}
      </ul>
      {skipped.map(({ stock_id, reason }) => (
        <p key={stock_id} class="small quiet">
          Left as it is: {reason}
        </p>
      ))}
      <div class="row">{props.children}</div>
    </div>
  );
}
