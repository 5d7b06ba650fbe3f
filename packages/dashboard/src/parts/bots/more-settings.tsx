import { fractionOf, percentOf } from '../../figures/decimal-text.js';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { useEdits } from '../common/edits.js';
import { DecimalField } from '../common/decimal-field.js';
import { Check, Choice } from '../common/form.js';
import { Panel } from '../common/panel.js';
import { type BotChange, ChangeForm } from './change-form.js';

// oxfmt-ignore
const EXISTING = [
  ['keep', 'are yours: it never trades them'],
  ['take_over', 'are its own: it may sell them'],
] as const;
// oxfmt-ignore
const NOTICES = [
  ['start', 'starts'], ['stop', 'stops'], ['info', 'news'], ['warning', 'warnings'], ['error', 'errors'],
] as const;

const fraction = (percent: string): string => fractionOf(percent) ?? percent;

/** The settings of a bot as fields take them. */
const textsOf = (bot: Bot) => ({
  shares: bot.allocations.map(({ strategy_id, percent }) => ({
    strategy_id,
    text: percentOf(percent),
  })),
  leverage: bot.leverage,
  collar: percentOf(bot.price_collar),
  spread: bot.max_spread === null ? '' : percentOf(bot.max_spread),
  reserve: percentOf(bot.slippage),
  atOnce: bot.rebalance_on_start,
  notices: bot.notifications,
  existing: bot.existing_positions,
  isTrial: bot.dry_run,
});

/** The same as a request. */
const requestOf = (texts: ReturnType<typeof textsOf>, isOff: boolean): BotChange => ({
  allocations: texts.shares.map(({ strategy_id, text }) => ({
    strategy_id,
    percent: fraction(text),
  })),
  leverage: texts.leverage,
  price_collar: fraction(texts.collar),
  max_spread: texts.spread.trim() === '' ? null : fraction(texts.spread),
  slippage: fraction(texts.reserve),
  rebalance_on_start: texts.atOnce,
  notifications: [...texts.notices],
  ...(isOff && { existing_positions: texts.existing, dry_run: texts.isTrial }),
});

/** Shares, prices and notices of a bot. What may change only while it is off is shown then. */
export function MoreSettings(props: { readonly bot: Bot; readonly onChange: () => void }) {
  const { bot, onChange } = props;
  const present = textsOf(bot);
  const { shown, set, keep } = useEdits(present);
  const { shares, leverage, collar, spread, reserve, notices } = shown;
  const ids = shares.map(({ strategy_id }) => strategy_id);
  const strategies = useRead(ids.length > 0 ? `names ${ids.join(' ')}` : null, (client) =>
    client.getStrategies({ strategy_id: ids }),
  );
  const nameOf = (id: string): string =>
    strategies.data?.find(({ strategy_id }) => strategy_id === id)?.name ?? 'the strategy';
  const isOff = bot.status === 'off';
  return (
    <Panel title="Shares and prices">
      <ChangeForm
        label="Shares and prices"
        bot={bot}
        save="Save shares and prices"
        now={requestOf(present, isOff)}
        change={requestOf(shown, isOff)}
        says="What is too large after a change of shares or leverage is reduced at once."
        onSaved={() => {
          keep();
          onChange();
        }}
      >
        <div class="fields">
          {shares.map(({ strategy_id, text }) => (
            <DecimalField
              key={strategy_id}
              label={`Part in ${nameOf(strategy_id)}, percent`}
              required
              value={text}
              onValue={(next) =>
                set({
                  shares: shares.map((one) =>
                    one.strategy_id === strategy_id ? { ...one, text: next } : one,
                  ),
                })
              }
            />
          ))}
          <DecimalField
            label="Leverage"
            required
            value={leverage}
            onValue={(next) => set({ leverage: next })}
            hint="0.01 to 2"
          />
          <DecimalField
            label="Collar, percent"
            required
            value={collar}
            onValue={(next) => set({ collar: next })}
            hint="How much worse than the quote an order may be filled."
          />
          <DecimalField
            label="Widest spread, percent"
            placeholder="as the service"
            value={spread}
            onValue={(next) => set({ spread: next })}
            hint="No order while it is wider."
          />
          <DecimalField
            label="Reserve, percent"
            required
            value={reserve}
            onValue={(next) => set({ reserve: next })}
            hint="Of the cash, before increases."
          />
        </div>
        <Check
          label="Bring the account to its target at the start, and not with the first trade"
          checked={shown.atOnce}
          onValue={(atOnce) => set({ atOnce })}
        />
        {isOff && (
          <>
            <Choice
              label="Holdings of before"
              value={shown.existing}
              options={EXISTING}
              onValue={(existing) => set({ existing })}
            />
            <Check
              label="Trial: it plans on the account and sends nothing"
              checked={shown.isTrial}
              onValue={(isTrial) => set({ isTrial })}
            />
          </>
        )}
        <div class="row" role="group" aria-label="Notify me of">
          <span class="small quiet">Notify me of</span>
          {NOTICES.map(([kind, label]) => (
            <Check
              key={kind}
              label={label}
              checked={notices.includes(kind)}
              onValue={(on) =>
                set({ notices: on ? [...notices, kind] : notices.filter((one) => one !== kind) })
              }
            />
          ))}
        </div>
      </ChangeForm>
    </Panel>
  );
}
