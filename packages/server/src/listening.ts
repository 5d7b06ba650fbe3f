import type { Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';

/** How long running requests may take to end when a server stops, in milliseconds. */
const DRAIN = 10_000;

/** Takes connections of clients. */
export interface Listening {
  readonly at: AddressInfo;
  /** Takes no more, and resolves when every connection has ended. */
  drain(): Promise<void>;
}

/** The address for clients on this machine. */
export const urlOf = ({ port, address, family }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

/** The host of the address as a server listens at it; undefined for a name, which may lead elsewhere. */
export function hostOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/** Why a server cannot listen, as Node says it. */
export interface NotListening extends NodeJS.ErrnoException {
  readonly port?: number | undefined;
}

/** Resolves when the server listens; rejects with `NotListening` when it cannot. */
export const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

/** Resolves when every connection has ended; those that take too long are cut. */
export async function drained(server: Server, drain: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  drain();
  const impatience = setTimeout(() => server.closeAllConnections(), DRAIN);
  await closed;
  clearTimeout(impatience);
}
