import type { WebSocket } from 'ws';
import type { LinkHost } from './link-host.js';

/** Between two questions whether the other node is there, in milliseconds. */
const BEAT = 2_500;
/** A connection on which nothing came for so long has been given up by the node that opened it, in milliseconds. */
export const GIVEN_UP = 2 * BEAT;

/**
 * Ends the connection when the other node is silent from one question to the next: a cable may be cut, and nobody tells. The
 * other one learns the time of this one.
 */
export function keepAlive(
  socket: WebSocket,
  { every, now }: Pick<LinkHost, 'every' | 'now'>,
): void {
  let isHeard = true;
  const heard = (): void => void (isHeard = true);
  const stop = every(BEAT, () => {
    if (!isHeard) socket.terminate();
    else if (socket.readyState === socket.OPEN) {
      isHeard = false;
      socket.ping(String(now()));
    }
  });
  socket.on('pong', heard);
  socket.on('message', heard);
  socket.once('close', stop);
}
