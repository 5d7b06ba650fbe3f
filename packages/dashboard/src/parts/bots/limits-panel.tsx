import { useState } from 'preact/hooks';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { Choice } from '../common/form.js';
import { Panel } from '../common/panel.js';
import { ChangeForm } from './change-form.js';
import { LimitFields, type Limits, limitsOf, limitsRequest } from './limit-fields.js';

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
  return (
    <Panel title="Limits">
      <p class="small quiet">
        No limit ever blocks a reduction. Losses are told apart from money that you pay in or out.
      </p>
      <ChangeForm
        label="Limits"
        bot={bot}
        save="Save the limits"
        change={{ limits: limitsRequest(limits), on_breach: onBreach }}
        says="Tighter limits act at once: what would pass them is reduced or not placed."
        onSaved={() => {
          setEdited(undefined);
          onChange();
        }}
      >
        <LimitFields limits={limits} equity={account.data?.managed_equity} onLimits={setEdited} />
        <Choice
          label="When a loss limit is reached"
          value={onBreach}
          options={ON_BREACH}
          onValue={setOnBreach}
        />
      </ChangeForm>
    </Panel>
  );
}
