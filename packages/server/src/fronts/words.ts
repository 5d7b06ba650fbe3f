import type { NotListening } from '../listening.js';
import type { AddressInfo } from 'node:net';
import type { ConnectionLimits, DropReason } from '@slipstream/adapter-http';

/** What a front needs to begin. It never has the settings: it has no part in their secrets. */
export interface FrontOptions {
  /** Where the server's link is. */
  readonly linkUrl: string;
  /** Proves that a front is this server's own; made at each start. */
  readonly linkKey: string;
  readonly host: string;
  readonly port: number;
  readonly limits: Pick<ConnectionLimits, 'total' | 'address'>;
  readonly trustProxy: number;
  readonly logLevel: string;
}

/** To a front: begin, or take no more connections and end when the present requests are answered. */
export type ToFront =
  | { readonly kind: 'begin'; readonly options: FrontOptions }
  | { readonly kind: 'drain' };

/** From a front: it can hear, it listens, it cannot listen, or it has dropped a connection. */
export type FromFront =
  | { readonly kind: 'ready' }
  | { readonly kind: 'listens'; readonly at: AddressInfo }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly cause: Pick<NotListening, 'code' | 'syscall' | 'port'>;
    }
  | { readonly kind: 'dropped'; readonly reason: DropReason };

/** The server, as its fronts call it. */
export const SERVER = 'server';
