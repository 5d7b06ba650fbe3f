import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { AUTHENTICATION_FAILED, envelope, requestFailed } from '@slipstream/wire';
import type { StreamTimers } from '../timers.js';

/** Why a connection is not upgraded, as it is answered over HTTP (contract 1, "Failures"). */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** When to try again, in seconds. */
    readonly retryAfter: number | undefined = status === 503 ? 1 : undefined,
  ) {
    super(message);
  }
}

/** When a caller with too many connections may try again, in seconds. */
const TRY_AGAIN_AFTER = 30;

/** How long the client may take to read the reason. */
const FAREWELL = 1000;

/** Answers a refused upgrade with the envelope, and closes the socket whether the client reads it or not. Returns the status. */
export function refuse(
  socket: Duplex,
  error: unknown,
  requestId: string,
  { log, timers }: { readonly log: Log; readonly timers: StreamTimers },
): number {
  const refused = refusedBy(error);
  const { status, code, retryAfter } = refused;
  const fields = { status, request_id: requestId };
  if (refused === error || error instanceof Refusal) log.info(fields, 'upgrade refused');
  else log.error({ ...fields, error: String(error) }, 'upgrade failed');

  const response = status === 401 ? AUTHENTICATION_FAILED : requestFailed(refused.message);
  const body = envelope(false, response);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `X-Error-Code: ${code}`,
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const cancel = timers.after(FAREWELL, () => socket.destroy());
  socket.once('close', cancel);
  socket.resume();
  return status;
}

function refusedBy(error: unknown): UpgradeRefused {
  if (error instanceof UpgradeRefused) return error;
  if (error instanceof Refusal && error.code === 'too_many')
    return new UpgradeRefused(429, error.code, error.message, TRY_AGAIN_AFTER);
  return error instanceof Refusal
    ? new UpgradeRefused(401, 'unauthenticated', error.message)
    : new UpgradeRefused(503, 'unavailable', 'nothing was done, try again');
}
