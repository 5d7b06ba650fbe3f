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
/** The page; there is none in a worker. */
declare const document:
  | {
      readonly hidden: boolean;
      addEventListener(
        event: string,
        listener: () => void,
        options: { readonly signal: AbortSignal },
      ): void;
    }
  | undefined;

const CONNECTING = 0;
const OPEN = 1;
/** Milliseconds. Browsers do not show the heartbeats of the service, so a silent connection is asked. */
const ASK_AFTER = 30_000;
/** Milliseconds that an answer may take. */
const ANSWER_WITHIN = 15_000;
/** The same for a reader who comes back to the page: the machine may have slept, and old figures are looked at. */
const ANSWER_SOON = 3_000;
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
  /** How many frames came. */
  let heard = 0;
  let end: (closed: Closed) => void = () => undefined;
  let begin: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (begin = resolve));
  const closed = new Promise<Closed>((resolve) => (end = resolve));

  const isOpen = (): boolean => isAccepted && socket.readyState === OPEN;
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

  /** Whether nothing comes for that many milliseconds. */
  async function isSilent(milliseconds: number): Promise<boolean> {
    const before = heard;
    await timers.wait(milliseconds, over.signal);
    return heard === before && !over.signal.aborted;
  }

  async function ask(within: number): Promise<void> {
    send({ id: ASKED, action: 'ping' });
    if (await isSilent(within)) finish(false, 'the server is silent');
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) if (await isSilent(ASK_AFTER)) await ask(ANSWER_WITHIN);
  }

  const back = (): void => {
    if (isOpen() && !document?.hidden) void ask(ANSWER_SOON);
  };

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
    if (typeof document !== 'undefined')
      document.addEventListener('visibilitychange', back, { signal: over.signal });
    if (token === undefined) begin();
    else send({ id: SIGN_IN, action: 'authenticate', token });
  };
  socket.onmessage = ({ data }) => {
    if (over.signal.aborted) return;
    heard += 1;
    (isAccepted ? receive : accept)(String(data));
  };
  // Its reason is kept from pages; `onclose` follows.
  socket.onerror = () => undefined;
  socket.onclose = ({ code, reason }) => finish(false, `closed (${code}) ${reason}`.trim());
  return {
    opened,
    closed,
    isOpen,
    send,
    close: () => finish(false, 'closed'),
  };
}
