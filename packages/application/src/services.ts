import type { Ports } from '@slipstream/ports';
import { endUnconfirmed } from './accounts/end-unconfirmed.js';
import { watchAlerts } from './alerts/alert-watch.js';
import { createDenials } from './audit/denials.js';
import { createBilling } from './billing/billing.js';
import type { Core } from './core.js';
import type { Cores } from './cores.js';
import { Courier } from './endpoints/courier.js';
import { endWithAccess } from './endpoints/end-endpoint.js';
import { createHousekeeping } from './housekeeping/housekeeping.js';
import { LongJobs } from './housekeeping/long-jobs.js';
import { announcedActions } from './market/announced-actions.js';
import { stockActions } from './market/apply-stock-actions.js';
import { marketCalendar } from './market/market-calendar.js';
import { preferredStocks } from './market/preferred-stocks.js';
import { quoteIntake } from './market/quotes/quote-intake.js';
import { saveQuotes } from './market/quotes/save-quotes.js';
import { BotReconciler, inTurns } from './mirroring/index.js';
import { botDeps } from './mirroring/bot-operations.js';
import { purgeExcess } from './housekeeping/purge-excess.js';
import { purgeExpired } from './housekeeping/purge-expired.js';
import { Anchoring } from './performance/anchors/anchoring.js';
import { segmentStarts } from './performance/segments.js';
import { watchBelowZero } from './strategies/watch-below-zero.js';

/** The services beside the operations, one of each in a process; some operations call them. */
export function createServices(ports: Ports, { systemCore }: Cores) {
  const longJobs = new LongJobs();
  const intake = quoteIntake(systemCore('settle'));
  const actions = stockActions(systemCore('stockAction'), intake, longJobs);
  const longCore = (action: string): Core => longJobs.core(systemCore(action));
  const housekeeping = createHousekeeping(longCore('upkeep'));
  return {
    intake,
    actions,
    longJobs,
    longCore,
    saveQuotes: saveQuotes(systemCore('upkeep')),
    announced: announcedActions(systemCore('stockAction'), actions),
    preferred: preferredStocks(systemCore('runBots')),
    calendar: marketCalendar(systemCore('upkeep')),
    billing: createBilling(systemCore('runBilling'), () => longJobs.goesOn()),
    reconciler: new BotReconciler(inTurns(botDeps(systemCore('runBots')))),
    segments: segmentStarts(systemCore('startSegments')),
    alertWatch: watchAlerts(systemCore('watchAlerts')),
    belowZeroWatch: watchBelowZero(systemCore('watchBelowZero')),
    courier: new Courier(systemCore('sendEvents')),
    endEndpoints: endWithAccess(systemCore('sendEvents')),
    denials: createDenials(ports),
    housekeeping,
    purgeExpired: purgeExpired(longCore('forgetExpired')),
    purgeExcess: purgeExcess(longCore('forgetExpired')),
    anchoring: new Anchoring(longCore('makeAnchors'), housekeeping),
    endUnconfirmed: endUnconfirmed(longCore('endUnconfirmed')),
  };
}

export type Services = ReturnType<typeof createServices>;
