import type { OverviewView } from '@slipstream/domain';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { feedsOf } from './service-info.js';

/** The most halts that it shows; getTradingHalts lists them all. */
const HALTS = 100;
/** The most failures of each kind that it shows. */
const FAILURES = 25;

/** The state of the whole service, for its operator (contract 17). */
export const getOverview =
  (core: Core) =>
  async (_: Caller): Promise<OverviewView> => {
    const stored = await core.unitOfWork.read(async ({ counts, halts }) => ({
      ...(await counts.all()),
      halts: await halts.list({ limit: HALTS }),
      failures: await counts.failures(FAILURES),
    }));
    return { ...stored, feeds: feedsOf(core), diskFree: core.disk?.free() ?? null };
  };
