import type { Timestamp } from '@slipstream/domain';

/** When everything that the builders make was made, unless said otherwise: 2026-01-05T17:00:00Z, noon in New York. */
export const NOON: Timestamp = Date.UTC(2026, 0, 5, 17);
