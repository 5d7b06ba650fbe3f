import { useState } from 'preact/hooks';
import { type View, isOwn } from '../../figures/range.js';
import type { Strategy } from '../../service/records.js';
import { Field, Form } from '../common/form.js';
import { StockField } from '../common/stock-field.js';

/** Own dates, and something to compare with. */
export function RangeChoice(props: {
  readonly strategy: Strategy;
  readonly view: View;
  readonly onView: (view: View) => void;
}) {
  const { strategy, view, onView } = props;
  const own = isOwn(view.range) ? view.range : undefined;
  const [from, setFrom] = useState(own?.from ?? '');
  const [to, setTo] = useState(own?.to ?? '');
  const [stock, setStock] = useState(view.benchmark ?? '');
  const dates = { ...(from !== '' && { from }), ...(to !== '' && { to }) };
  const isDated = from !== '' || to !== '';
  const show = (): void =>
    onView({
      range: isDated ? dates : own ? { timeframe: 'month' } : view.range,
      benchmark: stock.trim() === '' ? null : stock.trim(),
    });
  return (
    <Form label="Own dates and benchmark" onSubmit={show}>
      <div class="fields">
        <Field label="From (UTC)" type="date" value={from} onValue={setFrom} />
        <Field label="To (UTC)" type="date" value={to} onValue={setTo} />
        <StockField
          label="Compare with"
          security={strategy.type}
          value={stock}
          onValue={setStock}
          isOptional
        />
      </div>
      <div class="row">
        <button class="primary">Show</button>
        {(own !== undefined || view.benchmark !== null) && (
          <button
            type="button"
            onClick={() => onView({ range: { timeframe: 'month' }, benchmark: null })}
          >
            Back to 30 days
          </button>
        )}
      </div>
    </Form>
  );
}
