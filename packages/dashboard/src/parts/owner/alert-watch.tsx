import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import type { Strategy } from '../../service/records.js';
import { WHOLE } from '../common/decimal-field.js';
import { Failure, Field, Form } from '../common/form.js';
import { Note } from '../common/panel.js';

/** After how long a silence of the charting platform the owner is notified. */
export function AlertWatch({ strategy }: { readonly strategy: Strategy }) {
  const [hours, setHours] = useState(String(strategy.alert_watch ?? ''));
  const save = useAction((client, alert_watch: number | null, options) =>
    client.updateStrategy({ strategy_id: strategy.strategy_id, alert_watch }, options),
  );
  return (
    <Form
      label="Missing alerts"
      onSubmit={() => void save.run(hours.trim() === '' ? null : Number(hours))}
    >
      <Field
        label="Tell me after this many trading hours without an alert"
        {...WHOLE}
        value={hours}
        onValue={setHours}
        hint="1 to 720; never if empty. You are told once, until the next alert comes."
      />
      <div class="row">
        <button aria-disabled={save.isBusy}>Save</button>
      </div>
      <Failure of={save} />
      {save.answer && (
        <Note tone="good">
          {save.answer.alert_watch === null ? 'The watch is off.' : 'The watch is on.'}
        </Note>
      )}
    </Form>
  );
}
