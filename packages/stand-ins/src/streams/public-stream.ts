import type { StreamServer } from './stream.js';

/** Prices as the venue writes them. */
export interface Prices {
  readonly bid: string;
  readonly ask: string;
  readonly last?: string;
}

/** A stand-in of a public stream of quotes. Its client connects by `connect`, or over a socket (`listenForStreams`). */
export interface PublicStream extends StreamServer {
  /** The symbol is on the venue's list from now on. */
  list(symbol: string, state?: string): void;
  /** Changes the state of a listed symbol and tells it. */
  state(symbol: string, state: string): void;
  /** Quotes a symbol; `at` is the venue's time. */
  quote(symbol: string, prices: Prices, at?: number): void;
  /** Proves the connections alive. */
  heartbeat(): void;
  /** Refuses to subscribe the symbol, or no longer. */
  refuseSymbol(symbol: string, refuses: boolean): void;
}
