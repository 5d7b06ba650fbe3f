import { AUTHENTICATION_FAILED } from '@slipstream/wire/routes';
import WebSocket from 'ws';
import type { Timers } from './timers.js';

/** Why a connection ended. */
export interface Closed {
  /** Connecting again would end the same way: the token does not count. */
  readonly isFinal: boolean;
  readonly reason: string;
}

/** One WebSocket, from its beginning to its end. */
export interface LiveConnection {
  /** Resolves when it is open; never when it could not be opened. */
  readonly opened: Promise<void>;
  readonly closed: Promise<Closed>;
  isOpen(): boolean;
  send(frame: object): void;
  close(): void;
}

/** Longer than two heartbeats of the service (contract 6). */
const SILENCE = 75_000;

/** Throws for an address that is none, and for a token that no header can carry. One of a file ends with a line break. */
const socketOf = ({ url, token }: { readonly url: string; readonly token: string | undefined }) =>
  new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token.trim()}` },
  });

const neverOpened = (reason: string): LiveConnection => ({
  opened: new Promise(() => undefined),
  closed: Promise.resolve({ isFinal: true, reason }),
  isOpen: () => false,
  send: () => undefined,
  close: () => undefined,
});

export function connect(options: {
  readonly url: string;
  readonly token: string | undefined;
  readonly timers: Timers;
  readonly receive: (text: string) => void;
  /** Called with each heartbeat of the service; browsers do not show them. */
  readonly pinged: () => void;
}): LiveConnection {
  const { timers, receive, pinged } = options;
  let socket: WebSocket;
  try {
    socket = socketOf(options);
  } catch (error) {
    // The message does not show the token.
    return neverOpened((error as Error).message);
  }
  const over = new AbortController();
  let heard = true;
  let refused: number | undefined;
  let failure = '';

  /** Without this, a connection whose other end is gone would look open, or about to be, forever. */
  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      heard = false;
      await timers.wait(SILENCE, over.signal);
      if (!heard) return socket.terminate();
    }
  }

  void watch();
  socket.on('message', (data: Buffer) => {
    heard = true;
    receive(data.toString('utf8'));
  });
  socket.on('ping', () => {
    heard = true;
    pinged();
  });
  socket.on('unexpected-response', (_, answer) => {
    refused = answer.statusCode;
    socket.terminate();
  });
  socket.on('error', (error) => (failure = error.message));
  const opened = new Promise<void>((resolve) => {
    socket.once('open', () => {
      heard = true;
      resolve();
    });
  });
  const closed = new Promise<Closed>((resolve) => {
    socket.once('close', (code, closeReason) => {
      over.abort();
      const ended = failure || `closed (${code}) ${closeReason.toString('utf8')}`.trim();
      const isFinal = refused === 401;
      const answered = isFinal ? AUTHENTICATION_FAILED : `the server answered ${refused}`;
      resolve({ isFinal, reason: refused === undefined ? ended : answered });
    });
  });
  return {
    opened,
    closed,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.close(),
  };
}
