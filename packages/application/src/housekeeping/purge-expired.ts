import { type Stores, isSure } from '@slipstream/ports';
import { ANSWER_KEPT_FOR } from '../idempotency.js';
import type { Core } from '../core.js';
import { DAY, HOUR, type Timestamp } from '@slipstream/domain';
import { Throttle } from './throttle.js';

/** How long an alert is stored. An executed alert with an `alert_id` stays, because its repeat may come at any time. */
const ALERT_KEPT_FOR = 90 * 24 * HOUR;

/** A plan stays for a while after its end, so that a late commit hears why it is refused. */
const PLAN_KEPT_FOR = HOUR;

/** How long events and their deliveries are stored; a delivery refers to its event. */
const EVENT_KEPT_FOR = 30 * DAY;

/** The number of rows removed in one transaction: few, so that commands run in between. */
const CHUNK = 500;

/** Transactions of one tick, which has more to do: after a stop of weeks the next ones remove what is left. */
const OF_A_TICK = 20;

/** Removes old deliveries and events, some of each. Returns the larger number. */
async function forgetEvents(
  { deliveries, endpointEvents }: Pick<Stores, 'deliveries' | 'endpointEvents'>,
  now: Timestamp,
): Promise<number> {
  const sent = await deliveries.expired(now - EVENT_KEPT_FOR, CHUNK);
  if (sent.length > 0) await deliveries.remove(sent);
  const told = await endpointEvents.expired(now - EVENT_KEPT_FOR, CHUNK);
  if (told.length > 0) await endpointEvents.remove(told);
  return Math.max(sent.length, told.length);
}

/** Once an hour removes alerts, answers, tokens, tallies, connections, plans and events for endpoints that are too old. */
export function purgeExpired({ unitOfWork, clock }: Core): () => Promise<void> {
  const throttle = new Throttle();

  const chunk = (): Promise<number> =>
    unitOfWork.run(async (stores) => {
      const { alerts, keptAnswers, tokens, tallies, connections, plans } = stores;
      const now = clock.now();
      const old = await alerts.expired(now - ALERT_KEPT_FOR, CHUNK);
      const names = await keptAnswers.expired(now - ANSWER_KEPT_FOR, CHUNK);
      if (old.length > 0) await alerts.remove(old);
      if (names.length > 0) await keptAnswers.remove(names);
      const ended = await tokens.expired(now, CHUNK);
      for (const tokenId of ended) await tokens.remove(tokenId);
      const over = await tallies.expired(now, CHUNK);
      if (over.length > 0) await tallies.remove(over);
      const unused = await connections.expired(now, CHUNK);
      for (const connectionId of unused) await connections.remove(connectionId);
      const late = await plans.expired(now - PLAN_KEPT_FOR, CHUNK);
      for (const planId of late) await plans.remove(planId);
      const told = await forgetEvents(stores, now);
      const removed = [old, names, ended, over, unused, late];
      return Math.max(told, ...removed.map(({ length }) => length));
    });

  return async () => {
    const now = clock.now();
    if (!throttle.isDue(now) || !isSure(clock)) return;
    throttle.done(now, HOUR);
    for (let count = 0; count < OF_A_TICK; count += 1) if ((await chunk()) < CHUNK) return;
    throttle.done(now, 0);
  };
}
