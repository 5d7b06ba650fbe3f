import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '@slipstream/ports';
import type { Express, Request, Response } from 'express';
import { answerFailure } from '../answers/answer-failure.js';
import { compressed } from '../answers/compressed.js';
import { setFixedHeaders } from '../answers/fixed-headers.js';
import { send } from '../answers/send.js';
import { type HttpOptions, plainApp } from '../http-handler.js';
import { operationAt } from '../operations/operation-service.js';
import { requireOneHost } from '../requests/host-names.js';
import { type ForwardOptions, forward } from './forward.js';
import { CarriedStreams } from './streams/carried-streams.js';
import { forwardUpgrade } from './streams/forward-upgrade.js';

/** Between two looks whether streams must end because this node may own the database no longer, in milliseconds. */
const LOOK = 50;

const asksFor = (path: string, { path: asked, method }: Request): boolean =>
  asked === path && (method === 'GET' || method === 'HEAD');

export interface NodeFrontOptions extends ForwardOptions {
  /** Whether the streams that it serves may go on: longer than it answers requests, because they tell no client that they are up to date. */
  readonly mayStream: () => boolean;
  /** Why this node should not be asked although it could answer; null when there is nothing. /readyz tells it. */
  readonly unready?: () => string | null;
  readonly log: Log;
  readonly newId: () => string;
  readonly trustProxy: HttpOptions['trustProxy'];
  /** Whether /healthz speaks of this process, and /readyz of the way to the one that serves; else that one answers both. */
  readonly hasHealth: boolean;
  /** Whether streams go on when another node serves; else they end with the one that served them. */
  readonly carriesStreams: boolean;
}

/** The front of a node for clients: it serves by itself while it may, else another node serves. */
export interface NodeFront {
  readonly app: Express;
  attach(server: Server): void;
  /** Ends the streams that another node serves. */
  endForwarded(): void;
  /** Looks no more whether streams must end. */
  close(): void;
}

/** Makes the front of a node. */
export function nodeFront(options: NodeFrontOptions): NodeFront {
  const { local, log, newId, serving, hasHealth, unready } = options;
  const app = plainApp(options.trustProxy);
  const [own, forwarded] = [streamSet(), streamSet()];
  const carried = options.carriesStreams ? new CarriedStreams(serving) : undefined;
  /** What this node is called among the others, once it has served. */
  let ownId: string | undefined;
  const stopLooking = serving.host.every(LOOK, () => {
    ownId = local()?.id ?? ownId;
    if (options.mayStream()) return;
    own.cut();
    if (ownId !== undefined) carried?.cut(ownId);
  });

  app.use((request, response, next) => {
    const reason = hasHealth && asksFor('/readyz', request) ? unready?.() : undefined;
    if (reason) {
      setFixedHeaders(response, newId());
      send(response, 503, 'text/plain', `not ready\n${reason}\n`);
      return;
    }
    const service = local();
    if (service) {
      // The same classes as this server's: express then changes no prototypes.
      const { app: served } = service.handler;
      [served.request, served.response] = [app.request, app.response];
      served(request, response);
    } else next();
  });
  const compress = compressed();
  /** Whether the one that serves answered. It may turn out only now that it serves no more. */
  const forwardedReadiness = async (...asked: [Request, Response, string]): Promise<boolean> => {
    try {
      await forward(options, ...asked);
      return true;
    } catch (error) {
      const [, response] = asked;
      if (serving.isFound || response.headersSent) throw error;
      return false;
    }
  };
  const answer = async (request: Request, response: Response, requestId: string): Promise<void> => {
    requireOneHost(request);
    if (hasHealth && asksFor('/healthz', request)) {
      setFixedHeaders(response, requestId);
      send(response, 200, 'text/plain', 'ok\n');
      return;
    }
    if (hasHealth && asksFor('/readyz', request)) {
      if (serving.isFound && (await forwardedReadiness(request, response, requestId))) return;
      setFixedHeaders(response, requestId);
      send(response, 503, 'text/plain', `not ready\n${serving.fault}\n`);
      return;
    }
    // Pages come as the other node compressed them.
    if (operationAt(request.path)) await new Promise((then) => compress(request, response, then));
    await forward(options, request, response, requestId);
  };
  app.use(async (request, response, next) => {
    const requestId = newId();
    response.locals['requestId'] = requestId;
    await answer(request, response, requestId).catch((error: unknown) => {
      if (!response.headersSent) setFixedHeaders(response, requestId);
      next(error);
    });
  });
  app.use(answerFailure(log));

  return {
    app,
    attach(server) {
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        const service = local();
        if (!service && carried) {
          // A fault with one client must not end the process of all.
          carried.take(request, socket, head).catch(() => socket.destroy());
          return;
        }
        if (!service) {
          forwarded.add(socket);
          void forwardUpgrade(options, request, socket, head);
          return;
        }
        own.add(socket);
        service.upgrades.emit('upgrade', request, socket, head);
      });
    },
    endForwarded() {
      carried?.close();
      forwarded.cut();
    },
    close: stopLooking,
  };
}

/** The sockets of streams that are open. */
function streamSet() {
  const open = new Set<Duplex>();
  return {
    add(socket: Duplex): void {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    cut(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
