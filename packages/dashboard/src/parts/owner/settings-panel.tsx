import { useState } from 'preact/hooks';
import { namesOf } from '../../figures/names.js';
import { type Settings, consequencesOf, settingsOf } from '../../figures/settings.js';
import { useAction } from '../../service/action.js';
import type { Strategy } from '../../service/records.js';
import { Check, Confirmed, Failure, Field, Form, TextField } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { EndPanel } from './end-panel.js';
import { Invitations } from './invitations.js';

/** What the owner can change of a strategy. Before a change it says what the change does to followers. */
export function SettingsPanel(props: {
  readonly strategy: Strategy;
  readonly onChange: () => void;
}) {
  const { strategy, onChange } = props;
  const [edited, setEdited] = useState<Settings>(() => settingsOf(strategy));
  const [isSure, setSure] = useState(false);
  const save = useAction(
    (client, fields: Settings, options) =>
      client.updateStrategy(
        { ...fields, categories: [...fields.categories], strategy_id: strategy.strategy_id },
        options,
      ),
    () => {
      setSure(false);
      onChange();
    },
  );
  const [categories, setCategories] = useState(strategy.categories.join(', '));
  const [price, setPrice] = useState(String(strategy.price));
  const set = (part: Partial<Settings>): void => setEdited({ ...edited, ...part });
  const next: Settings = { ...edited, categories: namesOf(categories), price: Number(price) };
  return (
    <Panel title="Settings">
      <Form label="Settings" onSubmit={() => setSure(true)}>
        <Field
          label="Name"
          required
          maxLength={100}
          value={edited.name}
          onValue={(name) => set({ name })}
        />
        <TextField
          label="Description"
          rows={4}
          maxLength={5000}
          value={edited.description}
          onValue={(description) => set({ description })}
        />
        <div class="fields">
          <Field
            label="Categories"
            value={categories}
            onValue={setCategories}
            hint="At most ten, with commas between them."
          />
          <Field
            label="Price a month, whole USD"
            inputMode="numeric"
            required
            value={price}
            onValue={setPrice}
            hint="0 is free."
          />
        </div>
        <Check
          label="Private: only you, your followers and whom you invite see it"
          checked={edited.private}
          onValue={(isPrivate) => set({ private: isPrivate })}
        />
        <Confirmed
          label="Change"
          confirm="Change it"
          consequence={
            <ul>
              {consequencesOf(strategy, next).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          }
          isSubmit
          isOpen={isSure}
          onOpen={setSure}
          isBusy={save.isBusy}
          onConfirm={() => save.run(next)}
        />
        <Failure of={save} />
        {save.answer && <Note tone="good">Changed.</Note>}
      </Form>
      {strategy.private && <Invitations strategy={strategy} onChange={onChange} />}
      <EndPanel strategy={strategy} onChange={onChange} />
    </Panel>
  );
}
