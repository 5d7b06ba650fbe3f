import type { Writable } from 'node:stream';

/** With more than this waiting in one turn, a socket is not held back any longer. */
const ENOUGH = 64 * 1024;

/** Text frames to many clients: one system call a client and turn of the event loop, however many frames it gets. */
export interface CorkedWrites {
  /** `done` is called when the frame has left for the network. */
  send(socket: Writable, text: Buffer, done: () => void): void;
}

export function corkedWrites(): CorkedWrites {
  let held = new Set<Writable>();
  /** Each text is framed once for all who get it. */
  const frames = new WeakMap<Buffer, Buffer>();

  const release = (): void => {
    const all = held;
    held = new Set();
    for (const socket of all) socket.uncork();
  };

  const frameOf = (text: Buffer): Buffer => {
    const known = frames.get(text);
    if (known) return known;
    const made = Buffer.concat([head(text.length), text]);
    frames.set(text, made);
    return made;
  };

  return {
    send(socket, text, done) {
      if (!held.has(socket)) {
        if (held.size === 0) setImmediate(release);
        held.add(socket);
        socket.cork();
      }
      socket.write(frameOf(text), done);
      if (socket.writableLength > ENOUGH && held.delete(socket)) socket.uncork();
    },
  };
}

/** The head of an unmasked text frame that is complete (RFC 6455, 5.2). */
function head(length: number): Buffer {
  const isShort = length < 126;
  const isMedium = length < 65_536;
  const bytes = Buffer.alloc(isShort ? 2 : isMedium ? 4 : 10);
  bytes[0] = 0x81;
  bytes[1] = isShort ? length : isMedium ? 126 : 127;
  if (!isShort && isMedium) bytes.writeUInt16BE(length, 2);
  if (!isMedium) bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}
