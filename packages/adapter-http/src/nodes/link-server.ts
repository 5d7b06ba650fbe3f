import { type EventEmitter, once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Application } from '@slipstream/application';
import type { Express } from 'express';
import type { Passport, Passports } from './passport.js';
import { NOT_SERVING, STRANGER } from './serving-node.js';

/** What a node serves while it owns the database. */
export interface LocalService {
  readonly app: Express;
  /** Takes the upgrades of clients, as a server emits them. */
  readonly upgrades: EventEmitter;
  readonly deliveries: Pick<Application['requests'], 'alertAnswered' | 'alertLost'>;
}

/** Headers of a client may be as long as elsewhere, and the passport comes to them. */
const MOST_HEADERS = 32 * 1024;

const forwarded = new WeakMap<IncomingMessage, Passport>();

/** What another node says of the request, if it forwarded it. */
export const passportOf = (request: IncomingMessage): Passport | undefined =>
  forwarded.get(request);

/** From now on the request is of the client that the other node names. */
function accept(request: IncomingMessage, passport: Passport): void {
  forwarded.set(request, passport);
  Object.defineProperty(request, 'ip', { value: passport.address });
}

/** The server at which other nodes reach this one. */
export interface LinkServer {
  readonly server: Server;
  /** Resolves when none of their requests is under way. */
  idle(): Promise<void>;
}

/** Makes that server. `service` is undefined while this node does not serve: then nothing of a request is done. */
export function linkServer(
  passports: Passports,
  service: () => LocalService | undefined,
): LinkServer {
  const underWay = new Set<Promise<unknown>>();
  /** The passport and the service, or the status of the refusal. */
  const admitted = (
    request: IncomingMessage,
  ): { readonly passport: Passport; readonly local: LocalService } | number => {
    const passport = passports.read(request);
    if (!passport) return STRANGER;
    const local = service();
    if (!local) return NOT_SERVING;
    for (const [kind, delivery] of passport.news)
      if (kind === 'answered') local.deliveries.alertAnswered(delivery);
      else local.deliveries.alertLost(delivery);
    return { passport, local };
  };

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const found = admitted(request);
    if (typeof found === 'number') {
      request.resume();
      response.writeHead(found).end();
      return;
    }
    const { passport, local } = found;
    if (passport.requestId === '') {
      response.writeHead(204).end();
      return;
    }
    const ended = once(response, 'close').finally(() => underWay.delete(ended));
    underWay.add(ended);
    accept(request, passport);
    local.app(request, response);
  };

  const server = createServer({ maxHeaderSize: MOST_HEADERS, requireHostHeader: false }, serve);
  // An idle connection that ended just as a request was sent would leave its outcome unknown.
  server.keepAliveTimeout = 0;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const found = admitted(request);
    if (typeof found === 'number') {
      socket.end(`HTTP/1.1 ${found} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    accept(request, found.passport);
    found.local.upgrades.emit('upgrade', request, socket, head);
  });
  return {
    server,
    idle: async () => {
      await Promise.all(underWay);
    },
  };
}
