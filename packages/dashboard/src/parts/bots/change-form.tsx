import type { Client } from '@slipstream/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { changedOf } from '../../figures/changed.js';
import { useAction } from '../../service/action.js';
import type { Bot } from '../../service/folds.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Form } from '../common/form.js';
import { Note } from '../common/panel.js';
import { BotPreview } from './bot-preview.js';

/** Fields of `updateBot`. */
export type BotChange = Omit<Parameters<Client['updateBot']>[0], 'bot_id'>;

/** A form that changes a bot: it first shows what the bot would do then, and saves at the second press. */
export function ChangeForm(props: {
  readonly label: string;
  readonly bot: Bot;
  /** The button that asks. */
  readonly save: string;
  /** The fields as the bot has them now; those that differ in `change` are sent, and no others. */
  readonly now: BotChange;
  readonly change: BotChange;
  /** What the change means, before the orders that it causes. */
  readonly says: ComponentChildren;
  readonly onSaved: () => void;
  readonly children: ComponentChildren;
}) {
  const { bot, now, change, onSaved } = props;
  /** What was asked about; what is confirmed is what was previewed. */
  const [asked, setAsked] = useState<BotChange | undefined>();
  const preview = useAction((client, fields: BotChange) =>
    client.previewBot({ bot_id: bot.bot_id, ...fields }),
  );
  const save = useAction(
    (client, fields: BotChange, options) =>
      client.updateBot({ bot_id: bot.bot_id, ...fields }, options),
    () => {
      setAsked(undefined);
      onSaved();
    },
  );
  return (
    <Form
      label={props.label}
      onSubmit={() => {
        const changed = changedOf(now, change);
        setAsked(changed);
        void preview.run(changed);
      }}
    >
      <div class="stack" onInput={() => setAsked(undefined)}>
        {props.children}
      </div>
      <Confirmed
        label={props.save}
        confirm="Save it"
        consequence={
          <div class="stack tight">
            <p>{props.says}</p>
            {bot.status === 'off' && <p>It is off: this is what a start would do.</p>}
            <BotPreview of={preview} />
          </div>
        }
        isOpen={asked !== undefined}
        onOpen={(isOpen) => isOpen || setAsked(undefined)}
        isBusy={save.isBusy || preview.isBusy}
        onConfirm={() => asked && save.run(asked)}
        isSubmit
      />
      <Failure of={save} />
      {save.answer && asked === undefined && <Note tone="good">Saved.</Note>}
    </Form>
  );
}
