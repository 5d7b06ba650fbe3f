import { changedOf } from '../../figures/changed.js';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { useEdits } from '../common/edits.js';
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
  const present = { ...limitsOf(bot), on_breach: bot.on_breach };
  const { shown, set, keep } = useEdits(present);
  const { on_breach, ...limits } = shown;
  const account = useRead(`account of limits ${bot.bot_id}`, (client) =>
    client.getBotAccount({ bot_id: bot.bot_id }),
  );
  return (
    <Panel title="Limits">
      <p class="small quiet">
        No limit ever blocks a reduction. Losses are told apart from money that you pay in or out.
      </p>
      <ChangeForm
        label="Limits"
        bot={bot}
        save="Save the limits"
        now={{ limits: {}, on_breach: bot.on_breach }}
        change={{ limits: limitsRequest(changedOf<Limits>(limitsOf(bot), limits)), on_breach }}
        says="Tighter limits act at once: what would pass them is reduced or not placed."
        onSaved={() => {
          keep();
          onChange();
        }}
      >
        <LimitFields
          limits={limits}
          equity={account.data?.managed_equity}
          onLimits={(next) => set(changedOf<Limits>(limits, next))}
        />
        <Choice
          label="When a loss limit is reached"
          value={on_breach}
          options={ON_BREACH}
          onValue={(next) => set({ on_breach: next })}
        />
      </ChangeForm>
    </Panel>
  );
}
