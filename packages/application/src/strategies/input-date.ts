import { Refusal, type Strategy, type Timestamp } from '@slipstream/domain';

/** How far ahead a client's clock may be: within it, its "now" counts as the server's. */
const AHEAD = 5_000;

/** The date of an input value: not before the strategy, not in the future (contract 2, "Calculation"). */
export function inputDateOf(
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
