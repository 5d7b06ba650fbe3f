import type { RecordCache } from '../../src/storage/record-cache.js';

const noRecords = { get: () => undefined, read: () => undefined, written: () => undefined };

/** Remembers nothing, so all that is answered comes from the tables. */
export const noCache: RecordCache = {
  openGroup: () => ({
    ...noRecords,
    openWork: () => undefined,
    rollbackWork: () => undefined,
    committing: () => undefined,
    promote: () => undefined,
    forget: () => undefined,
  }),
  forRead: () => noRecords,
  isStill: () => true,
};
