import { MINUTE, SECOND, type Timestamp } from '@slipstream/domain';
import type { Clock, Log, Timers } from '@slipstream/ports';

/** The clock of a node may be so far from the database's. */
const APART = SECOND;
/** A node whose clock is further from it had better not serve. */
const FAR_APART = MINUTE;
/** Between two looks whether it is so far, in milliseconds. */
const LOOK = 2 * SECOND;

interface ComparedClockParts {
  readonly clock: Clock;
  /** What the clock of the database shows now; undefined while that is not known. */
  readonly databaseTime: () => Timestamp | undefined;
  /** Called as long as they are more than a minute apart. */
  readonly onFarApart: () => void;
  readonly timers: Timers;
  readonly log: Log;
}

/** The clock of a node beside that of the database, by which the clocks of all nodes are compared. */
export interface ComparedClock {
  /** How far they are apart, in a sentence; null when they agree. */
  fault(): string | null;
  stop(): void;
}

/** Compares them all the time, and logs once when they are apart and when they agree again. */
export function comparedClock({
  clock,
  databaseTime,
  onFarApart,
  timers,
  log,
}: ComparedClockParts): ComparedClock {
  const aheadBy = (): number => {
    const there = databaseTime();
    return there === undefined ? 0 : clock.now() - there;
  };
  const fault = (): string | null => {
    const ahead = aheadBy();
    if (Math.abs(ahead) <= APART) return null;
    const seconds = (Math.abs(ahead) / SECOND).toFixed(1);
    return `the clock of this node is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's`;
  };
  let wasApart = false;
  const stopLooking = timers.every(LOOK, () => {
    if (Math.abs(aheadBy()) > FAR_APART) onFarApart();
  });
  const stopTelling = timers.every(SECOND, () => {
    const found = fault();
    if (found !== null && !wasApart) log.error({}, `${found}: it is not ready until they agree`);
    if (found === null && wasApart)
      log.info({}, "the clock of this node agrees with the database's again");
    wasApart = found !== null;
  });
  return {
    fault,
    stop() {
      stopLooking();
      stopTelling();
    },
  };
}
