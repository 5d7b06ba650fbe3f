import { WebSocket } from 'ws';

/** What becomes of a connection. After `closed` nothing more comes. */
export interface ConnectionEvents {
  opened(): void;
  message(text: string): void;
  /** The other side proved alive without a message. */
  alive?(): void;
  closed(reason: string): void;
}

/** An open connection to a venue. */
export interface Connection {
  send(text: string): void;
  /** Asks the other side to prove alive. */
  ping(): void;
  /** Ends it at once. */
  end(): void;
}

/** Opens a connection. Its events come after it was returned. */
export type Connect = (url: string, events: ConnectionEvents) => Connection;

/** The list of all symbols of a venue is its longest message. */
const LONGEST_MESSAGE = 16 * 1_024 * 1_024;

/** Connects over a WebSocket. */
export const connectByWebSocket: Connect = (url, { opened, message, alive, closed }) => {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: LONGEST_MESSAGE });
  let reason = 'closed by the venue';
  socket.on('open', opened);
  socket.on('message', (data, isBinary) => {
    // A socket of this kind hands over each message as one buffer.
    if (!isBinary && Buffer.isBuffer(data)) message(data.toString('utf8'));
  });
  for (const frame of ['ping', 'pong']) socket.on(frame, () => alive?.());
  socket.on('error', (error) => {
    reason = error.message;
  });
  socket.on('close', () => closed(reason));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    ping: () => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    },
    end: () => socket.terminate(),
  };
};
