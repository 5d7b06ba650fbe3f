import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

/** A request of a client, to be sent to a node. */
export interface Sent {
  readonly request: IncomingMessage;
  readonly response: Response;
  readonly requestId: string;
  readonly body: Buffer;
  readonly waited: number;
  /** Whether a node that ended may have done it: a failure would say that nothing was done. */
  readonly isInDoubt: boolean;
}
