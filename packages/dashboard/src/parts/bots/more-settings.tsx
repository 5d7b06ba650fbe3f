import { useState } from 'preact/hooks';
import { fractionOf, percentOf } from '../../figures/decimal-text.js';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { Check, Choice, Field } from '../common/form.js';
import { Panel } from '../common/panel.js';
import { ChangeForm } from './change-form.js';

// prettier-ignore
const EXISTING = [
  ['keep', 'are yours: it never trades them'],
  ['take_over', 'are its own: it may sell them'],
] as const;
// prettier-ignore
const NOTICES = [
  ['start', 'starts'], ['stop', 'stops'], ['info', 'news'], ['warning', 'warnings'], ['error', 'errors'],
] as const;

const fraction = (percent: string): string => fractionOf(percent) ?? percent;

/** Shares, prices and notices of a bot. What may change only while it is off is shown then. */
export function MoreSettings(props: { readonly bot: Bot; readonly onChange: () => void }) {
  const { bot, onChange } = props;
  const [shares, setShares] = useState(() =>
    bot.allocations.map(({ strategy_id, percent }) => ({ strategy_id, text: percentOf(percent) })),
  );
  const [leverage, setLeverage] = useState(bot.leverage);
  const [collar, setCollar] = useState(percentOf(bot.price_collar));
  const [spread, setSpread] = useState(bot.max_spread === null ? '' : percentOf(bot.max_spread));
  const [reserve, setReserve] = useState(percentOf(bot.slippage));
  const [atOnce, setAtOnce] = useState(bot.rebalance_on_start);
  const [notices, setNotices] = useState(bot.notifications);
  const [existing, setExisting] = useState(bot.existing_positions);
  const [isTrial, setTrial] = useState(bot.dry_run);
  const ids = shares.map(({ strategy_id }) => strategy_id);
  const strategies = useRead(ids.length > 0 ? `names ${ids.join(' ')}` : null, (client) =>
    client.getStrategies({ strategy_id: ids }),
  );
  const nameOf = (id: string): string =>
    strategies.data?.find(({ strategy_id }) => strategy_id === id)?.name ?? 'the strategy';
  const isOff = bot.status === 'off';
  const change = {
    allocations: shares.map(({ strategy_id, text }) => ({ strategy_id, percent: fraction(text) })),
    leverage,
    price_collar: fraction(collar),
    max_spread: spread.trim() === '' ? null : fraction(spread),
    slippage: fraction(reserve),
    rebalance_on_start: atOnce,
    notifications: [...notices],
    ...(isOff && { existing_positions: existing, dry_run: isTrial }),
  };
  return (
    <Panel title="Shares and prices">
      <ChangeForm
        label="Shares and prices"
        bot={bot}
        save="Save shares and prices"
        change={change}
        says="What is too large after a change of shares or leverage is reduced at once."
        onSaved={onChange}
      >
        <div class="fields">
          {shares.map(({ strategy_id, text }) => (
            <Field
              key={strategy_id}
              label={`Part in ${nameOf(strategy_id)}, percent`}
              inputMode="decimal"
              required
              value={text}
              onValue={(next) =>
                setShares(
                  shares.map((one) =>
                    one.strategy_id === strategy_id ? { ...one, text: next } : one,
                  ),
                )
              }
            />
          ))}
          <Field
            label="Leverage"
            inputMode="decimal"
            required
            value={leverage}
            onValue={setLeverage}
            hint="0.01 to 2"
          />
          <Field
            label="Collar, percent"
            inputMode="decimal"
            required
            value={collar}
            onValue={setCollar}
            hint="How much worse than the quote an order may be filled."
          />
          <Field
            label="Widest spread, percent"
            inputMode="decimal"
            placeholder="as the service"
            value={spread}
            onValue={setSpread}
            hint="No order while it is wider."
          />
          <Field
            label="Reserve, percent"
            inputMode="decimal"
            required
            value={reserve}
            onValue={setReserve}
            hint="Of the cash, before increases."
          />
        </div>
        <Check
          label="Bring the account to its target at the start, and not with the first trade"
          checked={atOnce}
          onValue={setAtOnce}
        />
        {isOff && (
          <>
            <Choice
              label="Holdings of before"
              value={existing}
              options={EXISTING}
              onValue={setExisting}
            />
            <Check
              label="Trial: it plans on the account and sends nothing"
              checked={isTrial}
              onValue={setTrial}
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
                setNotices(on ? [...notices, kind] : notices.filter((one) => one !== kind))
              }
            />
          ))}
        </div>
      </ChangeForm>
    </Panel>
  );
}
