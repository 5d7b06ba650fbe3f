import { useState } from 'preact/hooks';
import { fractionOf, percentOf } from '../../figures/decimal-text.js';
import { useAction } from '../../service/action.js';
import type { Bot } from '../../service/folds.js';
import { stocksNamed } from '../../figures/all-pages.js';
import { useReadSince } from '../../service/read.js';
import { useEdits } from '../common/edits.js';
import { DecimalField, WHOLE } from '../common/decimal-field.js';
import { Check, Choice, Failure, Field, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { type BotChange, ChangeForm } from './change-form.js';

interface Props {
  readonly bot: Bot;
  readonly onChange: () => void;
}

/** What a bot follows, how often, and which instruments it leaves out. */
export function SettingsPanel({ bot, onChange }: Props) {
  const ids = [...(bot.allow_stocks ?? []), ...bot.deny_stocks];
  // The form stays while names of later lists are read.
  const stocks = useReadSince(ids.join(' '), `listed ${bot.bot_id}`, (client) =>
    stocksNamed(client, ids),
  );
  const nameOf = (id: string): string => {
    const stock = stocks.data?.find(({ stock_id }) => stock_id === id);
    return stock ? `${stock.symbol}:${stock.exchange}` : id;
  };
  return (
    <Panel title="Settings">
      <Name bot={bot} onChange={onChange} />
      <Shown of={stocks} what="the instruments" height="12rem">
        {() => (
          <Following
            bot={bot}
            onChange={onChange}
            allowed={(bot.allow_stocks ?? []).map(nameOf).join(', ')}
            denied={bot.deny_stocks.map(nameOf).join(', ')}
          />
        )}
      </Shown>
    </Panel>
  );
}

function Name({ bot, onChange }: Props) {
  const [name, setName] = useState(bot.name ?? '');
  const rename = useAction(
    (client, given: string | null, options) =>
      client.updateBot({ bot_id: bot.bot_id, name: given }, options),
    onChange,
  );
  return (
    <Form label="Name" onSubmit={() => void rename.run(name.trim() === '' ? null : name.trim())}>
      <div class="row">
        <Field
          label="Name"
          maxLength={50}
          placeholder="as you call it"
          value={name}
          onValue={setName}
        />
        <button aria-disabled={rename.isBusy}>Rename</button>
      </div>
      <Failure of={rename} />
      {rename.answer && <Note tone="good">Renamed.</Note>}
    </Form>
  );
}

// oxfmt-ignore
const PACES = [
  ['every_trade', 'with every trade of the strategy'],
  ['paced', 'by the rules below'],
] as const;
// oxfmt-ignore
const JOINS = [
  ['all', 'everything that the strategy holds'],
  ['new_only', 'only what it opens or adds to after the start'],
] as const;

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '');
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

type Lists = { readonly allowed: string; readonly denied: string };

/** The settings of a bot as fields take them. */
function textsOf(bot: Bot, { allowed, denied }: Lists) {
  const rule = bot.rebalance === 'every_trade' ? undefined : bot.rebalance;
  const pace: 'every_trade' | 'paced' = rule ? 'paced' : 'every_trade';
  return {
    pace,
    band: rule?.band ? percentOf(rule.band) : '',
    cooldown: rule?.cooldown_hours ? String(rule.cooldown_hours) : '',
    at: rule?.at ?? '',
    join: bot.join,
    allowed,
    denied,
    closes: bot.close_on_stop,
  };
}

/** The same as a request. */
const requestOf = ({
  pace,
  band,
  cooldown,
  at,
  join,
  allowed,
  denied,
  closes,
}: ReturnType<typeof textsOf>): BotChange => ({
  rebalance:
    pace === 'every_trade'
      ? pace
      : {
          band: band.trim() === '' ? null : (fractionOf(band) ?? band),
          cooldown_hours: cooldown.trim() === '' ? null : Number(cooldown),
          at: orNull(at),
        },
  join,
  allow_stocks: listOf(allowed).length === 0 ? null : listOf(allowed),
  deny_stocks: listOf(denied),
  close_on_stop: closes,
});

function Following(props: Props & Lists) {
  const { bot, onChange } = props;
  const present = textsOf(bot, props);
  const { shown, set, keep } = useEdits(present);
  const { pace } = shown;
  const zone = bot.type === 'stock' ? 'New York' : 'UTC';
  return (
    <ChangeForm
      label="Settings"
      bot={bot}
      save="Save the settings"
      now={requestOf(present)}
      change={requestOf(shown)}
      says={
        pace === 'every_trade'
          ? 'It follows every trade at once.'
          : 'It waits with increases and with drift. What the strategy reduces, leaves or turns is followed at once.'
      }
      onSaved={() => {
        keep();
        onChange();
      }}
    >
      <Choice
        label="Rebalance"
        value={pace}
        options={PACES}
        onValue={(next) => set({ pace: next })}
      />
      {pace === 'paced' && (
        <div class="fields">
          <DecimalField
            label="Band, percent"
            placeholder="none"
            value={shown.band}
            onValue={(next) => set({ band: next })}
            hint="By how much of the equity a holding may differ from its target."
          />
          <Field
            label="Cooldown, hours"
            {...WHOLE}
            placeholder="none"
            value={shown.cooldown}
            onValue={(next) => set({ cooldown: next })}
            hint="From one rebalance to the next."
          />
          <Field
            label={`At, ${zone}`}
            placeholder="15:30"
            maxLength={5}
            value={shown.at}
            onValue={(next) => set({ at: next })}
            hint="Once a day, at this time."
          />
        </div>
      )}
      <Choice
        label="Takes over"
        value={shown.join}
        options={JOINS}
        onValue={(next) => set({ join: next })}
        hint="Counts from the next start on."
      />
      <div class="fields">
        <Field
          label="Only these instruments"
          placeholder="all"
          value={shown.allowed}
          onValue={(next) => set({ allowed: next })}
          hint="For example AAPL:NASDAQ, MSFT:NASDAQ. Others are left out, and told."
        />
        <Field
          label="Not these instruments"
          placeholder="none"
          value={shown.denied}
          onValue={(next) => set({ denied: next })}
          hint="Their share stays in cash; what it holds of them is only reduced."
        />
      </div>
      <Check
        label="Close its positions when it is stopped"
        checked={shown.closes}
        onValue={(closes) => set({ closes })}
      />
    </ChangeForm>
  );
}
