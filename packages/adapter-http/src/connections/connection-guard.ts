import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import { networkOf } from './network.js';

/** The most connections at once, including live streams. */
export interface ConnectionLimits {
  readonly total: number;
  /** Of one address (IPv6: of one /64); no limit if all connections come from a proxy. */
  readonly address: number;
}

/** The default limits. */
export const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = { total: 20_000, address: 1_000 };

/** Why a connection was refused or closed. */
export const DROP_REASONS = [
  /** The server had the most connections. */
  'total',
  /** The address had the most connections, all of them in use. */
  'address',
  /** It had sent no request yet and gave way to another one of its address. */
  'crowded_out',
  /** Its request did not come in time. */
  'timeout',
  /** Its data is not HTTP. */
  'malformed',
  /** It did not read its answer in time. */
  'unread',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

export type Dropped = (reason: DropReason, address: string) => void;

/** Knows the connections of a server that have not sent a request yet. */
export interface ConnectionGuard {
  /** The connection has sent a request, so it no longer gives way to others. */
  heard(socket: object): void;
  /** Closes the connections that never sent a byte. */
  closeSilent(): void;
}

/**
 * Limits the number of connections. Beyond the limit of its address, a new connection replaces the one that has been silent
 * longest; if all are in use, it is dropped.
 */
export function guardConnections(
  server: Server,
  limits: ConnectionLimits,
  dropped: Dropped,
): ConnectionGuard {
  const open = new Map<string, number>();
  /** The connections without a request, by network, the longest silent first; and the network of each. */
  const silent = new Map<string, Set<Socket>>();
  const networks = new Map<object, string>();

  const heard = (socket: object): void => {
    const network = networks.get(socket);
    if (network === undefined) return;
    networks.delete(socket);
    const ofNetwork = silent.get(network);
    ofNetwork?.delete(socket as Socket);
    if (ofNetwork?.size === 0) silent.delete(network);
  };
  const leave = (network: string, socket: Socket): void => {
    const left = (open.get(network) ?? 0) - 1;
    if (left > 0) open.set(network, left);
    else open.delete(network);
    heard(socket);
  };
  /** Whether there is room for one more; closes a silent connection if necessary. */
  const hasRoom = (network: string, address: string): boolean => {
    if ((open.get(network) ?? 0) < limits.address) return true;
    const [longest] = silent.get(network) ?? [];
    if (!longest) return false;
    dropped('crowded_out', address);
    heard(longest);
    longest.destroy();
    return true;
  };

  server.maxConnections = limits.total;
  server.on('drop', (drop?: DropArgument) => dropped('total', drop?.remoteAddress ?? 'unknown'));
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? 'unknown';
    const network = networkOf(address);
    if (!hasRoom(network, address)) {
      dropped('address', address);
      socket.destroy();
      return;
    }
    open.set(network, (open.get(network) ?? 0) + 1);
    const ofNetwork = silent.get(network);
    if (ofNetwork) ofNetwork.add(socket);
    else silent.set(network, new Set([socket]));
    networks.set(socket, network);
    socket.once('close', () => leave(network, socket));
  });

  return {
    heard,
    closeSilent() {
      for (const socket of [...silent.values()].flatMap((ofNetwork) => [...ofNetwork]))
        if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
