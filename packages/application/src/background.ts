import type { Ports } from '@slipstream/ports';
import type { Cores } from './cores.js';
import { sendMails } from './messages/send-mails.js';
import { rankStrategies } from './performance/rank-strategies.js';
import type { Services } from './services.js';

/**
 * What the host calls about once a second. Each task by itself, because some take their time; the same one never twice at
 * once, except `runBots`.
 */
export const createBackground = (
  { unitOfWork, clock }: Pick<Ports, 'unitOfWork' | 'clock'>,
  { shared, systemCore }: Cores,
  services: Services,
) => ({
  /** What is due by now and takes little time. */
  async tick(): Promise<void> {
    await services.intake.retry();
    await services.actions.retry();
    await services.housekeeping.tick();
    await services.depletion.tick();
    await shared.tokenUse.write(unitOfWork, clock.now());
    await services.purgeExcess();
    await services.purgeExpired();
    await services.endUnconfirmed();
    await services.denials.tick();
  },
  /** Runs the bots that are due by now; brokers may take their time. Calls may overlap. */
  runBots: (): Promise<void> => services.reconciler.runDueBots(),
  /** Charges, renews, refunds and pays out what is due by now; the gateway may take its time. */
  runBilling: (): Promise<void> => services.billing.run(),
  /** Sends the mails that are due by now; mail servers take their time. */
  sendMails: sendMails(systemCore('sendMails')),
  /** Works out the ranks when a minute has passed. */
  rankStrategies: rankStrategies(systemCore('rankStrategies')),
});
