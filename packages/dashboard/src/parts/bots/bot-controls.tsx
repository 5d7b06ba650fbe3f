import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import type { Bot } from '../../service/folds.js';
import { useEdits } from '../common/edits.js';
import { Confirmed } from '../common/confirmed.js';
import { Check, Choice, Failure } from '../common/form.js';
import { Panel } from '../common/panel.js';
import { BotPreview } from './bot-preview.js';
import { ChangeForm } from './change-form.js';

/** Start, stop, pace and end of a bot; each says its effect before it happens. */
export function BotControls(props: { readonly bot: Bot; readonly onChange: () => void }) {
  const { bot, onChange } = props;
  return (
    <Panel title="Control">
      {bot.status === 'off' ? (
        <Start bot={bot} onChange={onChange} />
      ) : (
        <Stop bot={bot} onChange={onChange} />
      )}
      {bot.breach !== null && <Acknowledge bot={bot} onChange={onChange} />}
      {bot.status === 'error' && bot.breach === null && <Again bot={bot} onChange={onChange} />}
      <Mode bot={bot} onChange={onChange} />
      {bot.status === 'off' && <Delete bot={bot} />}
    </Panel>
  );
}

interface Props {
  readonly bot: Bot;
  readonly onChange: () => void;
}

function Start({ bot, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isMeant, setMeant] = useState(false);
  const preview = useAction((client, bot_id: string) => client.previewBot({ bot_id }));
  const start = useAction(
    (client, fields: { bot_id: string; live?: boolean }, options) =>
      client.startBot(fields, options),
    () => {
      setOpen(false);
      onChange();
    },
  );
  const open = (isNow: boolean): void => {
    setOpen(isNow);
    if (isNow) void preview.run(bot.bot_id);
  };
  const isReal = bot.live && !bot.dry_run;
  return (
    <>
      <Confirmed
        label={isReal ? 'Start with real money' : 'Start'}
        confirm="Start it"
        consequence={
          <div class="stack tight">
            <BotPreview of={preview} />
            <p>It follows every trade of its strategies from then on.</p>
            {isReal && (
              <Check
                label="I know that it trades real money."
                checked={isMeant}
                onValue={setMeant}
              />
            )}
          </div>
        }
        isOpen={isOpen}
        onOpen={open}
        isBusy={start.isBusy || (isReal && !isMeant)}
        onConfirm={() => void start.run({ bot_id: bot.bot_id, ...(isReal && { live: true }) })}
      />
      <Failure of={start} />
    </>
  );
}

function Stop({ bot, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<boolean | undefined>();
  const closes = chosen ?? bot.close_on_stop;
  const stop = useAction(
    (client, fields: { bot_id: string; close_on_stop: boolean }, options) =>
      client.stopBot(fields, options),
    () => {
      setOpen(false);
      onChange();
    },
  );
  return (
    <>
      <Confirmed
        label="Stop"
        confirm={closes ? 'Close its positions and stop' : 'Stop it'}
        consequence={
          <div class="stack tight">
            <p>
              {closes
                ? 'It sells what it bought, at market prices, and is off then.'
                : 'It is off at once. Its positions stay in the account, and nobody watches them.'}
            </p>
            <Check label="Close its positions first" checked={closes} onValue={setChosen} />
          </div>
        }
        isOpen={isOpen}
        onOpen={setOpen}
        isBusy={stop.isBusy}
        onConfirm={() => void stop.run({ bot_id: bot.bot_id, close_on_stop: closes })}
        isDanger
      />
      <Failure of={stop} />
    </>
  );
}

function Acknowledge({ bot, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const reset = useAction(
    (client, bot_id: string, options) =>
      client.resetBot({ bot_id, acknowledge_breach: true }, options),
    () => {
      setOpen(false);
      onChange();
    },
  );
  return (
    <>
      <Confirmed
        label="Acknowledge the breach"
        confirm="Acknowledge and go on"
        consequence="Peak and day begin anew at the present equity, and it trades again."
        isOpen={isOpen}
        onOpen={setOpen}
        isBusy={reset.isBusy}
        onConfirm={() => void reset.run(bot.bot_id)}
      />
      <Failure of={reset} />
    </>
  );
}

function Again({ bot, onChange }: Props) {
  const reset = useAction(
    (client, bot_id: string, options) => client.resetBot({ bot_id }, options),
    onChange,
  );
  return (
    <>
      <button type="button" aria-disabled={reset.isBusy} onClick={() => void reset.run(bot.bot_id)}>
        Try again now
      </button>
      <Failure of={reset} />
    </>
  );
}

const MODES = [
  ['normal', 'normal: follows everything'],
  ['reduce_only', 'reduce only: opens and adds nothing'],
  ['paused', 'paused: no order at all'],
] as const;

const SAYS = {
  normal: 'It opens, adds to and reduces positions, as its strategies do.',
  reduce_only:
    'It opens and adds nothing any more. Open orders that would are cancelled; reductions are followed.',
  paused:
    'It sends no order at all, not even one that closes. Its open orders are cancelled; its positions stay, and nobody watches them.',
} as const;

function Mode({ bot, onChange }: Props) {
  const { shown, set, keep } = useEdits({ mode: bot.mode });
  return (
    <ChangeForm
      label="Mode"
      bot={bot}
      save="Change the mode"
      now={{ mode: bot.mode }}
      change={shown}
      says={SAYS[shown.mode]}
      onSaved={() => {
        keep();
        onChange();
      }}
    >
      <Choice label="Mode" value={shown.mode} options={MODES} onValue={(mode) => set({ mode })} />
    </ChangeForm>
  );
}

function Delete({ bot }: { readonly bot: Bot }) {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(
    (client, bot_id: string, options) => client.deleteBot({ bot_id }, options),
    () => route('/bots'),
  );
  return (
    <>
      <Confirmed
        label="Delete the bot"
        confirm="Delete it"
        consequence="The bot and its credentials go; the account at the broker stays as it is."
        isOpen={isOpen}
        onOpen={setOpen}
        isBusy={remove.isBusy}
        onConfirm={() => void remove.run(bot.bot_id)}
        isDanger
      />
      <Failure of={remove} />
    </>
  );
}
