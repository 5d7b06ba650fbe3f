import { useState } from 'preact/hooks';
import { price as priceText, quantity } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import type { Strategy } from '../../service/records.js';
import { DecimalField } from '../common/decimal-field.js';
import { Confirmed } from '../common/confirmed.js';
import { Check, Choice, Failure, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { StockField } from '../common/stock-field.js';

type Type = 'market' | 'limit' | 'stop_market' | 'stop_limit' | 'oco';
const TYPES: readonly (readonly [Type, string])[] = [
  ['market', 'market: at once'],
  ['limit', 'limit: at a price or better'],
  ['stop_market', 'stop market: when it gets there'],
  ['stop_limit', 'stop limit'],
  ['oco', 'one cancels the other'],
];
const HAS_PRICE: readonly Type[] = ['limit', 'stop_limit', 'oco'];
const HAS_STOP: readonly Type[] = ['stop_market', 'stop_limit', 'oco'];

/** One order of a size: the largest size is asked for, then it is confirmed and placed. */
export function NewOrderPanel({ strategy }: { readonly strategy: Strategy }) {
  const [stock, setStock] = useState('');
  const [action, setAction] = useState<'buy' | 'sell'>('buy');
  const [type, setType] = useState<Type>('market');
  const [by, setBy] = useState<'amount' | 'total'>('amount');
  const [size, setSize] = useState('');
  const [price, setPrice] = useState('');
  const [stop, setStop] = useState('');
  const [reducesOnly, setReducesOnly] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const prices = {
    ...(HAS_PRICE.includes(type) && { price: price.trim() }),
    ...(HAS_STOP.includes(type) && { stop_price: stop.trim() }),
  };
  const common = { strategy_id: strategy.strategy_id, stock_id: stock.trim(), action, type };
  const largest = useAction((client, fields: typeof common & typeof prices) =>
    client.getMaxOrderSize(fields),
  );
  const fields = {
    ...common,
    ...prices,
    ...(by === 'amount' ? { amount: size.trim() } : { total: size.trim() }),
    ...(reducesOnly && { reduce_only: true }),
  };
  const place = useAction(
    (client, order: typeof fields, options) => client.newOrder(order, options),
    () => setOpen(false),
  );
  const sized = by === 'amount' ? size : `for ${size} cash`;
  const at = [prices.price, prices.stop_price && `stop ${prices.stop_price}`].filter(Boolean);
  const sentence = [action, sized, stock, ...(at.length > 0 ? ['at', at.join(', ')] : [])].join(
    ' ',
  );
  /** Sets a field; what was to be confirmed was another order. */
  const editing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      setOpen(false);
      set(value);
    };
  /** Sets a field; the largest size was that of before, too. */
  const changing = <Value,>(set: (value: Value) => void) =>
    editing((value: Value): void => {
      largest.reset();
      set(value);
    });
  return (
    <Panel title="New order">
      <Form label="New order" onSubmit={() => setOpen(true)}>
        <div class="fields">
          <StockField security={strategy.type} value={stock} onValue={changing(setStock)} />
          <Choice
            label="Action"
            value={action}
            options={[
              ['buy', 'buy'],
              ['sell', 'sell'],
            ]}
            onValue={changing(setAction)}
          />
          <Choice label="Type" value={type} options={TYPES} onValue={changing(setType)} />
          <Choice
            label="Size by"
            value={by}
            options={[
              ['amount', 'amount'],
              ['total', 'cash'],
            ]}
            onValue={editing(setBy)}
          />
          <DecimalField
            label={by === 'amount' ? 'Amount' : 'Cash'}
            required
            value={size}
            onValue={editing(setSize)}
            hint="Of a strategy that began with the value 1."
          />
          {HAS_PRICE.includes(type) && (
            <DecimalField label="Price" required value={price} onValue={changing(setPrice)} />
          )}
          {HAS_STOP.includes(type) && (
            <DecimalField label="Stop price" required value={stop} onValue={changing(setStop)} />
          )}
        </div>
        <Check
          label="Only reduce what is held"
          checked={reducesOnly}
          onValue={editing(setReducesOnly)}
        />
        <div class="row">
          <button
            type="button"
            disabled={stock.trim() === ''}
            aria-disabled={largest.isBusy}
            onClick={() => void largest.run({ ...common, ...prices })}
          >
            Largest size
          </button>
          <Confirmed
            label="Place the order"
            confirm={`Place: ${sentence}`}
            consequence={`The order to ${sentence} is placed now. Followers and their bots see it.`}
            isSubmit
            isOpen={isOpen}
            onOpen={setOpen}
            isBusy={place.isBusy}
            onConfirm={() => void place.run(fields)}
          />
        </div>
      </Form>
      <Failure of={largest} />
      {largest.answer && (
        <p>
          At most {quantity(largest.answer.amount)}, which is {quantity(largest.answer.total)} cash
          at {priceText(largest.answer.price)}.{' '}
          <button
            type="button"
            class="plain"
            onClick={() => editing(setSize)(largest.answer?.[by] ?? '')}
          >
            Take it
          </button>
        </p>
      )}
      <Failure of={place} />
      {place.answer && (
        <Note tone="good">
          {place.answer.order_status === 'filled' ? 'Filled' : 'Placed'}: {place.answer.action}{' '}
          {place.answer.symbol}.
        </Note>
      )}
    </Panel>
  );
}
