import type { Timestamp } from '@slipstream/domain';
import { timeText } from '@slipstream/wire';

/** An event as it is sent: text that is made once for all who get it. */
export interface EventFrame {
  readonly event: string;
  readonly version: number;
  readonly bytes: Buffer;
}

/** Contract 6, "Event". */
export const eventFrame = (
  channel: string,
  event: string,
  version: number,
  at: Timestamp,
  data: unknown,
): EventFrame => ({
  event,
  version,
  bytes: Buffer.from(JSON.stringify({ channel, event, version, at: timeText(at), data })),
});

/** Contract 6, "Answer". */
export const answerFrame = (id: string | null, success: boolean, response: unknown): Buffer =>
  Buffer.from(JSON.stringify({ id, success, response }));
