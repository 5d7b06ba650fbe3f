import { AUTHENTICATION_FAILED } from '@slipstream/wire/routes';
import type { Closed, LiveConnection } from './live-connection.js';
import type { Timers } from './timers.js';

/** The part of a browser's WebSocket that is used here. */
interface BrowserSocket {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}
declare const WebSocket: new (url: string) => BrowserSocket;

const CONNECTING = 0;
const OPEN = 1;
/** Milliseconds. Browsers do not show the heartbeats of the service, so a silent connection is asked. */
const ASK_AFTER = 30_000;
/** Milliseconds that an answer may take. */
const ANSWER_WITHIN = 15_000;
/** The id of the frame that authenticates; ids of other frames are numbers. */
const SIGN_IN = 'sign-in';
const ASKED = 'still-there';

/**
 * One WebSocket of a browser, which cannot send headers: the token goes in the first frame, and the connection is open when the
 * service has accepted it.
 */
export function connect(options: {
  readonly url: string;
  readonly token: string | undefined;
  readonly timers: Timers;
  readonly receive: (text: string) => void;
}): LiveConnection {
  const { url, token, timers, receive } = options;
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`);
  const over = new AbortController();
  let isAccepted = token === undefined;
  let heard = true;
  let end: (closed: Closed) => void = () => undefined;
  let begin: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (begin = resolve));
  const closed = new Promise<Closed>((resolve) => (end = resolve));

  const send = (frame: object): void => socket.send(JSON.stringify(frame));

  /** Ends it at once: closing waits long for another end that is gone. */
  function finish(isFinal: boolean, reason: string): void {
    if (over.signal.aborted) return;
    over.abort();
    end({ isFinal, reason });
    // A browser writes an error for a page that closes one before it is open.
    if (socket.readyState === CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      heard = false;
      await timers.wait(ASK_AFTER, over.signal);
      if (heard || over.signal.aborted) continue;
      send({ id: ASKED, action: 'ping' });
      await timers.wait(ANSWER_WITHIN, over.signal);
      if (!heard) finish(false, 'the server is silent');
    }
  }

  function accept(text: string): void {
    const { id, success, response } = JSON.parse(text) as {
      readonly id?: unknown;
      readonly success?: unknown;
      readonly response?: unknown;
    };
    if (id !== SIGN_IN) return;
    if (success !== true) return finish(response === AUTHENTICATION_FAILED, String(response));
    isAccepted = true;
    begin();
  }

  socket.onopen = () => {
    void watch();
    if (token === undefined) begin();
    else send({ id: SIGN_IN, action: 'authenticate', token });
  };
  socket.onmessage = ({ data }) => {
    if (over.signal.aborted) return;
    heard = true;
    (isAccepted ? receive : accept)(String(data));
  };
  // Its reason is kept from pages; `onclose` follows.
  socket.onerror = () => undefined;
  socket.onclose = ({ code, reason }) => finish(false, `closed (${code}) ${reason}`.trim());
  return {
    opened,
    closed,
    isOpen: () => isAccepted && socket.readyState === OPEN,
    send,
    close: () => finish(false, 'closed'),
  };
}
