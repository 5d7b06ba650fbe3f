import type { SendResult } from '@slipstream/domain';
import type { Ports } from '@slipstream/ports';
import type { Cores } from './cores.js';
import { sendMails } from './messages/send-mails.js';
import type { Outside } from './housekeeping/outside.js';
import { measureOwnerTrades } from './performance/owner-trades.js';
import { rankStrategies } from './performance/ranks/rank-strategies.js';
import { runEach } from './run-each.js';
import type { Services } from './services.js';

/**
 * The tasks that the host calls about once a second. They are separate, because some take long. Only `runBots` and
 * `sendEvents` may run more than once at the same time.
 */
export const createBackground = (
  { unitOfWork, clock }: Pick<Ports, 'unitOfWork' | 'clock'>,
  { shared, systemCore }: Cores,
  services: Services,
  outside: Outside,
) => ({
  /** Does the due work that takes little time. The failure of one part does not keep the others. */
  tick: (): Promise<void> =>
    runEach([
      () => services.intake.retry(),
      () => services.actions.retry(),
      () => services.announced.tick(),
      () => services.segments.tick(),
      services.saveQuotes,
      services.longJobs.job(() => services.housekeeping.tick()),
      () => services.belowZeroWatch.tick(),
      () => services.alertWatch(),
      () => shared.tokenUse.write(unitOfWork, clock.now()),
      services.longJobs.job(services.purgeExcess),
      services.longJobs.job(services.purgeExpired),
      services.longJobs.job(services.endUnconfirmed),
      () => services.denials.tick(),
    ]),
  /** Stores the latest quotes. `tick` does it too, but may be booking an announced action of many books. */
  saveQuotes: services.saveQuotes,
  /**
   * Asks the sources for corporate actions and sessions, and names the stocks that matter most to the feed. It may take long. The
   * failure of one does not keep the others.
   */
  followMarket: services.longJobs.job(async () => {
    const { announced, calendar, preferred } = services;
    const ended = await Promise.allSettled([announced.follow(), calendar.follow(), preferred()]);
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }),
  /** Runs the due bots; brokers may take long. Calls may overlap. */
  runBots: (): Promise<void> => services.reconciler.runDueBots(),
  /**
   * Begins nothing more of what takes long: bots, charges, messages and jobs over all strategies end after their present part.
   * A process with much to do then ends soon.
   */
  end(): void {
    services.longJobs.end();
    services.reconciler.end();
    services.courier.end();
  },
  /**
   * After `end`: waits for no answer from outside any more. What it was asked for stays due, as after a kill, so the process ends soon
   * whatever brokers, gateways, mail servers and receivers do.
   */
  leave: (): void => outside.leave(),
  /** Makes the due charges, renewals, refunds and payouts; the gateway may take long. */
  runBilling: (): Promise<void> => services.billing.run(),
  /** Sends the due events to endpoints; receivers may take seconds. Calls may overlap. */
  sendEvents: services.longJobs.job(() => services.courier.run()),
  /** Attempts to send an event since the start, by what came of them. */
  eventAttempts: (): Readonly<Record<SendResult, number>> => services.courier.attempts,
  /** Sends the due mails; mail servers may take long. */
  sendMails: services.longJobs.job(sendMails(systemCore('sendMails'))),
  /** Computes the ranks once a minute. */
  rankStrategies: services.longJobs.job(rankStrategies(services.longCore('rankStrategies'))),
  /** Computes once a day how much of each strategy its owner mirrors; it may take long. */
  measureOwnerTrades: services.longJobs.job(
    measureOwnerTrades(services.longCore('measureOwnerTrades')),
  ),
  /** Makes the anchors of the days that are over, and asks the authority for their stamps; it may take long. */
  makeAnchors: services.longJobs.job(() => services.anchoring.tick()),
});
