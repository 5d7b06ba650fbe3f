import { presentTrackRecord } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const trackRecordHandlers: HandlersOf<'getTrackRecord'> = {
  getTrackRecord: async (application, { strategy_id: strategyId, limit, cursor }, caller) =>
    presentTrackRecord(
      await application.getTrackRecord(caller, { strategyId, limit, after: cursor }),
    ),
};
