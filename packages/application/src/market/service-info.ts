import {
  type FeedView,
  type ServiceInfoView,
  basisOfKind,
  disclosureOf,
  segmentKind,
} from '@slipstream/domain';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { standingHalts } from '../mirroring/restraints/halts.js';

/** The sources of quotes, as readers see them. */
export const feedsOf = ({ marketFeed }: Pick<Core, 'marketFeed'>): FeedView[] =>
  marketFeed.health().map(({ name, age, healthy }) => ({ name, age, healthy }));

/** What anybody may know of this service before signing up (contract 17). */
export const getServiceInfo =
  (core: Core) =>
  async (_: Caller): Promise<ServiceInfoView> => {
    const { live, settings, paymentGateway, brokers } = core;
    const basis = basisOfKind(segmentKind(live.marketKind));
    const { shared } = await standingHalts(core)();
    return {
      name: 'Slipstream',
      version: settings.version,
      basis,
      feeds: feedsOf(core),
      signup: settings.signup,
      payments: paymentGateway.name === 'simulated' ? 'simulated' : 'real',
      brokers: [...brokers.values()].map(({ name, live: isLive, consent }) => ({
        name,
        live: isLive,
        connects: consent !== undefined,
      })),
      disclosure: disclosureOf(basis, settings.disclosure),
      halted: shared.some(({ scope }) => scope === 'all'),
    };
  };
