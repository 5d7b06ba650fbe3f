import {
  type Decimal,
  Refusal,
  type Strategy,
  type Timestamp,
  pastValue,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';

/** How far ahead a client's clock may be: within it, its "now" counts as the server's. */
const AHEAD = 5_000;

/** The date of an input value: not before the strategy, not in the future (contract 2, "Calculation"). */
function inputDateOf(
  strategy: Pick<Strategy, 'createdAt'>,
  asked: Timestamp | undefined,
  now: Timestamp,
): Timestamp {
  if (asked === undefined || (asked > now && asked - now <= AHEAD)) return now;
  if (asked >= strategy.createdAt && asked <= now) return asked;
  throw new Refusal(
    'invalid_field',
    'input_date must lie between the start of the strategy and now',
  );
}

/** The date of an input value, and strategy_value then: the last sample at or before it (contract 2, "Calculation"). */
export async function valueAtInputDate(
  { live }: Pick<Core, 'live'>,
  { valueHistory }: Pick<ReadStores, 'valueHistory'>,
  strategy: Pick<Strategy, 'id' | 'createdAt'>,
  { asked, now }: { readonly asked: Timestamp | undefined; readonly now: Timestamp },
): Promise<{ readonly inputDate: Timestamp; readonly value: Decimal | null }> {
  const inputDate = inputDateOf(strategy, asked, now);
  const value =
    inputDate === now
      ? live.valueOf(strategy.id, now)
      : pastValue(await valueHistory.list(strategy.id, inputDate), inputDate);
  return { inputDate, value };
}
