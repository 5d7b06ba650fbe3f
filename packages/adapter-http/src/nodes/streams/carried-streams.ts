import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLIENT_FRAMES } from '@slipstream/wire';
import { WebSocketServer } from 'ws';
import { release } from '../../connections/http-server.js';
import { LOOKED_FOR, type ServingNode } from '../serving-node.js';
import { type InTurn, aFewAtATime } from './a-few-at-a-time.js';
import { CarriedStream } from './carried-stream.js';
import { UNAVAILABLE, forwardUpgrade } from './forward-upgrade.js';
import { CLOSING_TIME, type Opened, openUpstream } from './upstream.js';

/** As `ws` takes them (RFC 6455, 4.1). */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSIONS = ['8', '13'];
const NOTHING = Buffer.alloc(0);

/** A client that asks for streams rightly; the node that serves says to all others what is wrong. */
const isWhole = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url?.split('?')[0] === '/ws' &&
  headers.upgrade?.trim().toLowerCase() === 'websocket' &&
  KEY.test(headers['sec-websocket-key'] ?? '') &&
  VERSIONS.includes(headers['sec-websocket-version'] ?? '');

/** The clients whose streams another node serves, and that stay connected when that node ends. */
export class CarriedStreams {
  private readonly open = new Set<CarriedStream>();
  /** Clients that wait until theirs is opened. */
  private readonly opening = new Set<Duplex>();
  private readonly inTurn: InTurn;
  private isOver = false;
  private readonly requestIds = new WeakMap<IncomingMessage, string>();
  private readonly sockets = new WebSocketServer({
    ...{ noServer: true, perMessageDeflate: false, clientTracking: false },
    ...{ ...CLIENT_FRAMES, closeTimeout: CLOSING_TIME },
  });

  constructor(private readonly serving: ServingNode) {
    this.inTurn = aFewAtATime(serving.host);
    this.sockets.on('headers', (headers, request) => {
      headers.push(`X-Request-Id: ${this.requestIds.get(request) ?? ''}`);
    });
    // About its subprotocols: the node that serves says what is wrong.
    this.sockets.on('wsClientError', (_, socket, request) => {
      void forwardUpgrade({ serving }, request, socket, NOTHING);
    });
  }

  /** Takes the upgrade of a client. */
  async take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { serving } = this;
    if (this.isOver) return turnAway(socket, UNAVAILABLE);
    this.opening.add(socket);
    socket.once('close', () => this.opening.delete(socket));
    if (!isWhole(request)) return forwardUpgrade({ serving }, request, socket, head);
    socket.on('error', () => socket.destroy());
    const opened = await this.openFor(request, socket);
    if (opened?.kind === 'refused') turnAway(socket, opened.answer);
    else if (opened?.kind !== 'open') turnAway(socket, UNAVAILABLE);
    else if (socket.destroyed) opened.socket.terminate();
    else {
      socket.once('close', () => opened.socket.terminate());
      this.requestIds.set(request, opened.requestId);
      this.sockets.handleUpgrade(request, socket, head, (client) => {
        this.opening.delete(socket);
        const stream = new CarriedStream(serving, request, socket, client, this.inTurn, opened);
        this.open.add(stream);
        client.once('close', () => this.open.delete(stream));
      });
    }
  }

  /** Cuts those that the node of that id serves. */
  cut(id: string): void {
    for (const stream of this.open) stream.cut(id);
  }

  /** Closes all of them: this node stops. */
  close(): void {
    this.isOver = true;
    for (const socket of this.opening) socket.destroy();
    for (const stream of this.open) stream.close();
  }

  private async openFor(request: IncomingMessage, socket: Duplex): Promise<Opened | undefined> {
    const { serving } = this;
    const until = serving.host.now() + LOOKED_FOR;
    for (;;) {
      const peer = await serving.find(until - serving.host.now());
      if (!peer || socket.destroyed) return undefined;
      const opened = await openUpstream(peer, request);
      if (opened.kind !== 'not taken') return opened;
      serving.left(peer);
    }
  }
}

/** Answers the client, and waits no longer for it to hang up. */
function turnAway(socket: Duplex, answer: Buffer | string): void {
  socket.end(answer);
  release(socket);
}
