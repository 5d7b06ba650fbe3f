import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { Choice, Failure, Form } from '../common/form.js';
import { LimitFields, type Limits, limitsOf, limitsRequest } from './limit-fields.js';
import { Note, Panel } from '../common/panel.js';

const ON_BREACH = [
  ['reduce_only', 'only reduce from then on'],
  ['hold', 'place no order at all'],
  ['close', 'close its positions and stop'],
] as const;

/** The limits of a bot: tightening acts at once. */
export function LimitsPanel(props: { readonly bot: Bot; readonly onChange: () => void }) {
  const { bot, onChange } = props;
  const [edited, setEdited] = useState<Limits | undefined>();
  const [onBreach, setOnBreach] = useState(bot.on_breach);
  const account = useRead(`account of limits ${bot.bot_id}`, (client) =>
    client.getBotAccount({ bot_id: bot.bot_id }),
  );
  const limits = edited ?? limitsOf(bot);
  const save = useAction(
    (client, fields: { limits: Limits; on_breach: Bot['on_breach'] }, options) =>
      client.updateBot(
        {
          bot_id: bot.bot_id,
          limits: limitsRequest(fields.limits),
          on_breach: fields.on_breach,
        },
        options,
      ),
    () => {
      setEdited(undefined);
      onChange();
    },
  );
  return (
    <Panel title="Limits">
      <p class="small quiet">
        No limit ever blocks a reduction. Losses are told apart from money that you pay in or out.
      </p>
      <Form label="Limits" onSubmit={() => void save.run({ limits, on_breach: onBreach })}>
        <LimitFields limits={limits} equity={account.data?.equity} onLimits={setEdited} />
        <Choice
          label="When a loss limit is reached"
          value={onBreach}
          options={ON_BREACH}
          onValue={setOnBreach}
        />
        <div class="row">
          <button class="primary" disabled={save.isBusy}>
            Save the limits
          </button>
        </div>
        <Failure of={save} />
        {save.answer && <Note tone="good">Saved. Tighter limits act at once.</Note>}
      </Form>
    </Panel>
  );
}
