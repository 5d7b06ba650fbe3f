import type { Timestamp } from '@slipstream/domain';
import type { SourceHealth } from '@slipstream/ports';

/** The health of a source inside this process: it has no connection to lose. */
export const steadySource = (
  name: string,
  saidAt: Timestamp | undefined,
  now: Timestamp,
): SourceHealth => ({
  name,
  age: saidAt === undefined ? null : Math.max(0, now - saidAt),
  healthy: saidAt !== undefined,
  reconnects: 0,
  drops: {},
});
