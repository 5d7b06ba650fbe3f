import { type EventEmitter, once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Application } from '@slipstream/application';
import { type WebSocket, WebSocketServer } from 'ws';
import type { HttpHandler } from '../http-handler.js';
import { Channel } from '../link/channel.js';
import { type Proofs, answerLink } from '../link/handshake.js';
import { LONGEST_FRAME, Link } from '../link/link.js';
import { GIVEN_UP } from '../link/keep-alive.js';
import { type LinkHost, linkHost } from '../link/link-host.js';
import type { DeliveryNews, LinkedRequest, Word } from '../link/messages.js';
import { Transit } from '../link/transit.js';
import { bodyTooLarge } from '../requests/body.js';

/** What a node serves while it owns the database. */
export interface LocalService {
  readonly id: string;
  readonly handler: HttpHandler;
  /** Takes the upgrades of clients, as a server emits them. */
  readonly upgrades: EventEmitter;
  readonly deliveries: Pick<Application['requests'], 'alertAnswered' | 'alertLost'>;
}

/** How long a handshake may take, and how long other nodes may take to hang up, in milliseconds. */
const PATIENCE = 1_000;

/** For how long it is remembered that what is still on its way of a request is too late, in milliseconds: later it is known by its age. */
const FORGOTTEN = 2 * GIVEN_UP;

/** How long clients may take to read the rest of their answers when this node stops, in milliseconds: nobody else serves meanwhile. */
const READ_WITHIN = 300;

/** A longer answer comes piece by piece, in bytes. */
const SHORT = 64 * 1024;

/** What is known of the node at the other end of a link. */
interface Heard {
  readonly transit: Transit;
  /** News that the application has not been told, and how many it was told since the last acknowledgement: that goes with an answer. */
  readonly news: DeliveryNews[];
  told: number;
}

/** The server at which other nodes reach this one. */
export interface LinkServer {
  readonly server: Server;
  /** Takes a link that another node has opened; those that come to `server` are taken already. */
  accept(socket: WebSocket): void;
  /**
   * Tells them that this node serves no more; `service` says so from now on. Resolves when nothing of theirs is under way, and what is
   * answered has been read, or not soon enough.
   */
  leave(): Promise<void>;
  /** Tells them that this node owns the database no more, and closes. */
  close(): Promise<void>;
}

/** Makes that server. `service` is undefined while this node does not serve: then nothing of a request is done. */
export function linkServer(
  proofs: Proofs,
  service: () => LocalService | undefined,
  host: Pick<LinkHost, 'after' | 'now'> = linkHost,
): LinkServer {
  const links = new Set<Link>();
  /** Answers of which some is not read yet. */
  const unread = new Set<Promise<void>>();
  const untilRead = (read: Promise<void>): void => {
    unread.add(read);
    void read.finally(() => unread.delete(read));
  };
  /** Operations by the ids of their requests, and what is posted to pages. */
  const underWay = new Map<string | symbol, Promise<unknown>>();
  const during = (id: string | symbol, work: Promise<unknown>): void => {
    const over: Promise<unknown> = work.finally(() => {
      if (underWay.get(id) === over) underWay.delete(id);
    });
    underWay.set(id, over);
  };
  /** Requests whose link has ended, by their ids, with the link over which that was told: what comes of them over another is too late. */
  const settled = new Map<string, Link>();
  const settle = async (link: Link, requestId: string): Promise<void> => {
    settled.set(requestId, link);
    host.after(FORGOTTEN, () => settled.delete(requestId));
    await underWay.get(requestId);
  };

  const pages = createServer((request: IncomingMessage, response: ServerResponse) => {
    const local = service();
    if (!local) {
      request.socket.destroy();
      return;
    }
    ofClient(request);
    const read = new Promise<void>((resolve) => response.once('close', resolve));
    if (request.method === 'POST') during(Symbol('page'), read);
    else untilRead(read);
    local.handler.app(request, response);
  });
  pages.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const local = service();
    ofClient(request);
    if (local) local.upgrades.emit('upgrade', request, socket, head);
    else socket.destroy();
  });

  const acknowledge = (link: Link, heard: Heard): void => {
    if (heard.told > 0) link.send(['heard', 0, heard.told]);
    heard.told = 0;
  };

  const serve = (link: Link, heard: Heard, message: Word, body: Buffer): void => {
    const local = service();
    const { transit, news } = heard;
    const [kind, id] = message;
    if (kind === 'news') news.push(...message[2]);
    // What comes while it is not certain that this node serves must be known before the next request.
    if (local) {
      tell(local, news);
      heard.told += news.length;
      news.length = 0;
    }
    if (kind === 'serves?') {
      transit.late(message[2]);
      link.send(['serves', id, local?.id ?? null]);
    } else if (kind === 'news') return;
    else if (!local) link.send(['refused', id]);
    else if (kind === 'connect') pages.emit('connection', link.channel(id, message[2]));
    else if (kind === 'ask') {
      const { waited, sentAt, ...request } = message[2];
      const late = transit.late(sentAt);
      const known = settled.get(request.requestId) ?? link;
      // Its client was cut off long ago, and may have asked again: it must not be done after that.
      if (late > GIVEN_UP || known !== link) link.send(['refused', id]);
      else {
        const whole = { ...request, waited: waited + late };
        const answered = answer(link, local.handler, id, whole, body);
        during(
          request.requestId,
          answered.then(({ read }) => {
            untilRead(read);
            acknowledge(link, heard);
          }),
        );
      }
    } else if (kind === 'settled?')
      void settle(link, message[2]).then(() => link.send(['settled', id]));
  };

  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(404).end();
  });
  const sockets = new Set<WebSocket>();
  const accept = (socket: WebSocket): void => {
    const inTime = host.after(PATIENCE, () => socket.terminate());
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      inTime();
      sockets.delete(socket);
    });
    answerLink(socket, proofs, (keys) => {
      inTime();
      const heard: Heard = { transit: new Transit(host), news: [], told: 0 };
      socket.on('ping', (time: Buffer) => heard.transit.late(Number(time.toString())));
      const link: Link = new Link(
        ...[socket, keys],
        (message, body) => serve(link, heard, message, body),
        () => links.delete(link),
      );
      links.add(link);
    });
  };
  const upgrades = new WebSocketServer({
    ...{ server, perMessageDeflate: false, maxPayload: LONGEST_FRAME, clientTracking: false },
  });
  upgrades.on('connection', accept);
  // Whoever lets the server listen hears of it.
  upgrades.on('error', () => undefined);

  return {
    server,
    accept,
    async leave() {
      for (const link of links) link.send(['leaves', 0]);
      await Promise.all(underWay.values());
      await new Promise<void>((resolve) => {
        const inTime = host.after(READ_WITHIN, resolve);
        void Promise.all(unread).then(() => {
          inTime();
          resolve();
        });
      });
    },
    async close() {
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      for (const link of links) {
        link.send(['left', 0]);
        link.close();
      }
      const inTime = host.after(PATIENCE, () => {
        for (const socket of sockets) socket.terminate();
      });
      await closed;
      inTime();
    },
  };
}

/** From now on the request is of the client that the other node names. */
function ofClient(request: IncomingMessage): void {
  const { socket } = request as { readonly socket: unknown };
  if (!(socket instanceof Channel)) throw new Error('this request came over no link');
  Object.defineProperty(request, 'ip', { value: socket.remoteAddress });
}

function tell({ deliveries }: LocalService, news: readonly DeliveryNews[]): void {
  for (const [kind, delivery] of news)
    if (kind === 'answered') deliveries.alertAnswered(delivery);
    else deliveries.alertLost(delivery);
}

/** Resolves when the answer is on its way, with when it will be read or given up. */
async function answer(
  link: Link,
  handler: HttpHandler,
  id: number,
  { requestId, waited, ...request }: Omit<LinkedRequest, 'sentAt'>,
  whole: Buffer,
): Promise<{ readonly read: Promise<void> }> {
  const body = async (limit: number): Promise<Buffer> => {
    if (whole.length > limit) throw bodyTooLarge(limit);
    return whole;
  };
  const answered = await handler.answer({ ...request, body }, requestId, waited);
  const { status, headers } = answered;
  const pieces = typeof answered.body === 'string' ? [Buffer.from(answered.body)] : answered.body;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= SHORT) {
    link.send(['answer', id, { status, headers, isLong: false }], Buffer.concat(pieces));
    return { read: Promise.resolve() };
  }
  const channel = link.channel(id);
  const sized = { ...headers, 'Content-Length': String(length) };
  link.send(['answer', id, { status, headers: sized, isLong: true }]);
  // Its client may leave before it is read.
  return { read: pipeline(Readable.from(pieces), channel).catch(() => undefined) };
}
