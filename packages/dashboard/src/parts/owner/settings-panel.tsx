import { useState } from 'preact/hooks';
import { changedOf } from '../../figures/changed.js';
import { type Settings, consequencesOf, settingsOf } from '../../figures/settings.js';
import { useAction } from '../../service/action.js';
import type { Strategy } from '../../service/records.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { EndPanel } from './end-panel.js';
import { Invitations } from './invitations.js';
import { useStrategyFields } from './strategy-fields.js';

/** What the owner can change of a strategy. Before a change it says what the change does to followers. */
export function SettingsPanel(props: {
  readonly strategy: Strategy;
  readonly onChange: () => void;
}) {
  const { strategy, onChange } = props;
  const present = settingsOf(strategy);
  const { settings, keep, fields } = useStrategyFields(present);
  const [isSure, setSure] = useState(false);
  const save = useAction(
    (client, { categories, ...others }: Partial<Settings>, options) =>
      client.updateStrategy(
        {
          ...others,
          ...(categories && { categories: [...categories] }),
          strategy_id: strategy.strategy_id,
        },
        options,
      ),
    () => {
      setSure(false);
      keep();
      onChange();
    },
  );
  return (
    <Panel title="Settings">
      <Form label="Settings" onSubmit={() => setSure(true)}>
        {fields}
        <Confirmed
          label="Change"
          confirm="Change it"
          consequence={
            <ul>
              {consequencesOf(strategy, settings).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          }
          isSubmit
          isOpen={isSure}
          onOpen={setSure}
          isBusy={save.isBusy}
          onConfirm={() => save.run(changedOf(present, settings))}
        />
        <Failure of={save} />
        {save.answer && <Note tone="good">Changed.</Note>}
      </Form>
      {strategy.private && <Invitations strategy={strategy} onChange={onChange} />}
      <EndPanel strategy={strategy} onChange={onChange} />
    </Panel>
  );
}
