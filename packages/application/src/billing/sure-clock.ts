import { Refusal } from '@slipstream/domain';
import { type Clock, isSure } from '@slipstream/ports';

/** Refuses what begins a paid month, or pays out what has settled, by a clock that is in doubt: it would be of another time. */
export function requireSureClock(clock: Clock): void {
  if (isSure(clock)) return;
  throw new Refusal(
    'payment_gateway',
    'the clock of the server is in doubt, so no money is moved now: try again later',
  );
}
