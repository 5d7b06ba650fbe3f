import type { WebSocket } from 'ws';

/** Between two questions whether the other node is there, in milliseconds. */
const BEAT = 2_500;

/** Ends the connection when the other node is silent from one question to the next: a cable may be cut, and nobody tells. */
export function keepAlive(socket: WebSocket): void {
  let isHeard = true;
  const heard = (): void => void (isHeard = true);
  const timer = setInterval(() => {
    if (!isHeard) socket.terminate();
    else if (socket.readyState === socket.OPEN) {
      isHeard = false;
      socket.ping();
    }
  }, BEAT).unref();
  socket.on('pong', heard);
  socket.on('message', heard);
  socket.once('close', () => clearInterval(timer));
}
