import type { Timers } from '@slipstream/ports';
import { WebSocket } from 'ws';
import { LONGEST_FRAME } from './link.js';

/** What links have around them: elapsed time, timers, and a way to other nodes. */
export interface LinkHost extends Timers {
  /** Elapsed milliseconds. */
  now(): number;
  /** Calls once; the returned function cancels. */
  after(milliseconds: number, call: () => void): () => void;
  /** Opens a connection to the node of that address; gives up after so many milliseconds. */
  open(url: string, patience: number): WebSocket;
}

/** The process that the program runs in. Its timers do not keep it alive. */
export const linkHost: LinkHost = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  every(milliseconds, call) {
    const timer = setInterval(call, milliseconds).unref();
    return () => clearInterval(timer);
  },
  open: (url, patience) =>
    new WebSocket(`${url.replace(/^http/, 'ws')}/`, {
      ...{ perMessageDeflate: false, maxPayload: LONGEST_FRAME, handshakeTimeout: patience },
    }),
};
