import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import { answerQuestions } from '../program.js';

/** Clients that subscribe and count their frames. */
export interface StreamLoad {
  readonly port: number;
  readonly token: string;
  readonly clients: number;
  /** The channels of each client; the server answers once, and once for each channel. */
  readonly channels: readonly string[];
  /** Instead: each client gets one of these, in turn. */
  readonly each?: readonly string[];
}

const HANDSHAKE = 'dGhlIHNhbXBsZSBub25jZQ==';
const [PING, TEXT] = [0x9, 0x1];
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** A client's frame. Frames of clients must be masked; this mask is zero. */
function textFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head =
    body.length < 126
      ? [0x81, 0x80 | body.length]
      : [0x81, 0xfe, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), body]);
}

let frames = 0;
let awaited: { readonly frames: number; readonly reached: () => void } | undefined;
let lastText = '';
const sockets: Socket[] = [];
let stalled: Socket | undefined;

function count(): void {
  frames += 1;
  if (awaited && frames >= awaited.frames) {
    const { reached } = awaited;
    awaited = undefined;
    reached();
  }
}

/** Reads the headers of frames and skips their content. */
function counter(socket: Socket, counts: boolean, remember: boolean): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let skip = 0;
  let isOpen = false;
  return (data) => {
    let chunk = rest.length > 0 ? Buffer.concat([rest, data]) : data;
    rest = Buffer.alloc(0);
    if (!isOpen) {
      const end = chunk.indexOf('\r\n\r\n');
      if (end < 0) {
        rest = chunk;
        return;
      }
      isOpen = true;
      socket.emit('opened');
      chunk = chunk.subarray(end + 4);
    }
    let at = 0;
    while (at < chunk.length) {
      if (skip > 0) {
        const passed = Math.min(skip, chunk.length - at);
        skip -= passed;
        at += passed;
        continue;
      }
      const short = (chunk[at + 1] ?? 0) & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (chunk.length - at < head) {
        rest = Buffer.from(chunk.subarray(at));
        return;
      }
      skip =
        short < 126
          ? short
          : short === 126
            ? chunk.readUInt16BE(at + 2)
            : Number(chunk.readBigUInt64BE(at + 2));
      const kind = (chunk[at] ?? 0) & 0x0f;
      at += head;
      if (kind === PING) socket.write(PONG);
      else if (kind === TEXT) {
        if (remember && chunk.length - at >= skip) lastText = chunk.toString('utf8', at, at + skip);
        if (counts) count();
      }
    }
  };
}

async function open(
  { port, token, channels }: StreamLoad,
  counts: boolean,
  remember: boolean,
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => socket.destroy());
  socket.on('data', counter(socket, counts, remember));
  const opened = once(socket, 'opened');
  socket.write(
    [
      'GET /ws HTTP/1.1',
      'Host: 127.0.0.1',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${HANDSHAKE}`,
      'Sec-WebSocket-Version: 13',
      ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
      '',
      '',
    ].join('\r\n'),
  );
  await opened;
  if (channels.length > 0)
    socket.write(textFrame(JSON.stringify({ id: 's', action: 'subscribe', channels })));
  return socket;
}

const until = (wanted: number): Promise<void> =>
  new Promise((resolve) => {
    if (frames >= wanted) resolve();
    else awaited = { frames: wanted, reached: resolve };
  });

answerQuestions({
  async open(load: StreamLoad) {
    frames = 0;
    const fresh = load.clients - sockets.length;
    const channels = load.each ? 1 : load.channels.length;
    const answers = channels === 0 ? 0 : fresh * (1 + channels);
    while (sockets.length < load.clients) {
      const some = Math.min(50, load.clients - sockets.length);
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: some }, (_, index) => {
            const place = sockets.length + index;
            const own = load.each?.[place % load.each.length];
            const channels = own === undefined ? load.channels : [own];
            return open({ ...load, channels }, true, place === 0);
          }),
        )),
      );
    }
    await until(answers);
    frames = 0;
  },
  /** Resolves when this many frames have arrived since the last call. */
  async frames(wanted: number) {
    await until(wanted);
    frames -= wanted;
  },
  /** The text of the last event. */
  text: () => lastText,
  /** Adds a client that stops reading. */
  async stall(load: StreamLoad) {
    stalled = await open(load, false, false);
    await new Promise((resolve) => setTimeout(resolve, 200));
    stalled.pause();
  },
  unstall: () => void stalled?.destroy(),
});
