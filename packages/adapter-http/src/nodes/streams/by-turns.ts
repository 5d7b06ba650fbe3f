import type { Writable } from 'node:stream';

/** Sockets that send at the end of this turn. */
const held = new Set<Writable>();

function release(): void {
  for (const socket of held) socket.uncork();
  held.clear();
}

/** What the socket is given in this turn of the event loop leaves in one system call. */
export function byTurns(socket: Writable): void {
  if (held.has(socket)) return;
  if (held.size === 0) setImmediate(release);
  held.add(socket);
  socket.cork();
}
