import type { ComponentProps } from 'preact';
import { fractionOf, percentOf, product } from '../../figures/decimal-text.js';
import { dollars } from '../../figures/format.js';
import type { Bot } from '../../service/folds.js';
import { DecimalField, WHOLE } from '../common/decimal-field.js';
import { Check, Field } from '../common/form.js';

/** The limits as the service takes them; null is none. */
export type Limits = Partial<Record<keyof Bot['limits'], string | null>>;

// oxfmt-ignore
const LOSSES = [
  ['max_daily_loss', 'Loss in a day', 'of the day’s start'],
  ['max_drawdown', 'Fall from the peak', 'of the highest equity'],
] as const;
// oxfmt-ignore
const SIZES = [
  ['max_capital', 'Money that it may use, USD', ''],
  ['max_order', 'Largest order, USD', ''],
  ['max_gross', 'All positions together', 'Times the equity, for example 1.'],
  ['max_per_stock', 'One instrument', 'Times the equity, for example 0.3.'],
  ['max_orders_per_day', 'Orders a day', ''],
  ['max_turnover_per_day', 'Turnover a day', 'Times the equity.'],
] as const;

const WholeField = (props: ComponentProps<typeof Field>) => <Field {...WHOLE} {...props} />;

/** Limits as sliders and fields, with what they mean in money. */
export function LimitFields(props: {
  readonly limits: Limits;
  /** USD; unknown before the account was read. */
  readonly equity: string | undefined;
  readonly onLimits: (limits: Limits) => void;
}) {
  const { limits, equity, onLimits } = props;
  const set = (name: keyof Limits, value: string | null): void =>
    onLimits({ ...limits, [name]: value });
  return (
    <>
      <div class="fields">
        {LOSSES.map(([name, label, of]) => {
          const given = limits[name] ?? null;
          const percent = given === null ? '10' : percentOf(given);
          const inMoney =
            given === null || equity === undefined ? undefined : product(equity, given);
          return (
            <div key={name} class="field">
              <Check
                label={label}
                checked={given !== null}
                onValue={(on) => set(name, on ? '0.1' : null)}
              />
              <input
                type="range"
                min="1"
                max="95"
                step="1"
                aria-label={`${label}, percent`}
                disabled={given === null}
                value={percent}
                onInput={(event) => set(name, fractionOf(event.currentTarget.value) ?? null)}
              />
              <span class="small quiet">
                {given === null ? (
                  'No limit.'
                ) : (
                  <>
                    {percent}% {of}
                    {inMoney !== undefined && (
                      <>
                        : <span class="amount">{dollars(inMoney)}</span> now
                      </>
                    )}
                  </>
                )}
              </span>
            </div>
          );
        })}
        {SIZES.map(([name, label, hint]) => {
          const given = limits[name] ?? '';
          const isPart = hint.startsWith('Times');
          const Kind = name === 'max_orders_per_day' ? WholeField : DecimalField;
          const inMoney = isPart && equity !== undefined ? product(equity, given) : undefined;
          return (
            <Kind
              key={name}
              label={label}
              placeholder="no limit"
              value={given}
              onValue={(value) => set(name, value.trim() === '' ? null : value.trim())}
              hint={
                inMoney === undefined ? (
                  hint
                ) : (
                  <>
                    {hint} <span class="amount">{dollars(inMoney)}</span> now.
                  </>
                )
              }
            />
          );
        })}
      </div>
    </>
  );
}

const NONE: Limits = Object.fromEntries([...LOSSES, ...SIZES].map(([name]) => [name, null]));

/** What a new bot begins with, each limit by its name: of real money as the service has it without a word. */
export const limitsAtStart = (isLive: boolean): Limits => ({
  ...NONE,
  max_daily_loss: '0.1',
  ...(isLive && { max_orders_per_day: '200', max_turnover_per_day: '4' }),
});

/** The limits as a request of the service takes them. */
export function limitsRequest(limits: Limits) {
  const { max_orders_per_day: orders, ...others } = limits;
  return {
    ...others,
    ...(orders !== undefined && { max_orders_per_day: orders === null ? null : Number(orders) }),
  };
}

/** The limits of a bot, as fields take them. */
export const limitsOf = (bot: Bot): Limits =>
  Object.fromEntries(
    Object.entries(bot.limits).map(([name, value]) => [
      name,
      value === null ? null : String(value),
    ]),
  );
