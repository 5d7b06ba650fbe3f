import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import { CLIENT_FRAMES, tokenOf } from '@slipstream/wire';
import { type WebSocket, WebSocketServer } from 'ws';
import { recordDenial } from '../channels/record-denial.js';
import type { LiveStreamsOptions } from '../options.js';
import type { FailedAuthentications } from '../streams.js';
import type { StreamTimers } from '../timers.js';
import { UpgradeRefused, refuse } from './refused-upgrade.js';
import type { Roster } from './roster.js';

/** A client whose socket is open. */
export interface Client {
  readonly socket: WebSocket;
  /** The transport of the socket; undefined when the host opened it. */
  readonly to: Duplex | undefined;
  readonly from: { readonly address: string; readonly network: string };
  readonly caller: Caller;
  /** Undefined while anonymous. */
  readonly token: string | undefined;
  /** How many revocations of tokens were known when it was looked up. */
  readonly revocations: number;
}

/** The parts of the streams that upgrades use. */
interface Host {
  readonly roster: Roster;
  readonly timers: StreamTimers;
  readonly failures: FailedAuthentications;
  /** How many revocations of tokens are known. */
  readonly revocations: () => number;
  readonly accepted: (client: Client) => void;
}

/** Turns HTTP upgrades into open sockets: those that ask for streams, of clients that may connect. */
export class Upgrades {
  private readonly sockets = new WebSocketServer({
    ...{ noServer: true, perMessageDeflate: false, clientTracking: false },
    ...CLIENT_FRAMES,
  });
  private readonly requestIds = new WeakMap<IncomingMessage, string>();
  private readonly origins: ReadonlySet<string>;
  private isDraining = false;

  constructor(
    private readonly options: LiveStreamsOptions,
    private readonly host: Host,
  ) {
    this.origins = new Set(options.origins);
    this.sockets.on('headers', (headers, request) => {
      headers.push(`X-Request-Id: ${this.requestIds.get(request) ?? ''}`);
    });
    // Thrown within `handleUpgrade`, which would answer with HTML.
    this.sockets.on('wsClientError', ({ message }) => {
      throw new UpgradeRefused(400, 'invalid_request', `this is no WebSocket: ${message}`);
    });
  }

  /** Takes over upgrades; only those that ask for streams are accepted. */
  attach(server: EventEmitter): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      void this.upgrade(request, socket, head);
    });
  }

  /** Accepts no more. */
  stop(): void {
    this.isDraining = true;
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { newId, application, log, addressOf = addressOfSocket } = this.options;
    const { roster, timers, accepted } = this.host;
    const revocations = this.host.revocations();
    const requestId = newId();
    try {
      this.requireOpen(request);
      const address = addressOf(request);
      const token = tokenOf(request.headers.authorization);
      const caller = await this.identify(token, address);
      if (roster.isFull) throw isFull();
      const from = { address, network: this.options.networkOf?.(address) ?? address };
      roster.requireRoom(caller, from.network);
      this.requestIds.set(request, requestId);
      this.sockets.handleUpgrade(request, socket, head, (client) =>
        accepted({ socket: client, to: socket, from, caller, token, revocations }),
      );
    } catch (error) {
      const asked = { caller: ANONYMOUS, address: addressOf(request), requestId };
      if (error instanceof Refusal) recordDenial(application, asked, error);
      const status = refuse(socket, error, requestId, { log, timers });
      this.options.refused?.(status);
    }
  }

  private requireOpen(request: IncomingMessage): void {
    if (!asksForStreams(request)) {
      throw new UpgradeRefused(404, 'unknown_path', 'there is no such path');
    }
    if (this.isDraining || this.host.roster.isFull) throw isFull();
    const { origin, host } = request.headers;
    if (host !== undefined && this.options.answersTo?.(host) === false) {
      throw new UpgradeRefused(400, 'invalid_request', 'this server does not go by this name');
    }
    if (origin !== undefined && !this.origins.has(origin) && !isOwn(origin, host)) {
      throw new UpgradeRefused(400, 'invalid_request', 'this origin may not connect');
    }
  }

  /** Authenticates the client of an upgrade. An address that guesses tokens is slowed down. */
  private async identify(token: string | undefined, address: string): Promise<Caller> {
    try {
      return await this.options.application.requests.authenticate(token);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const seconds = await this.host.failures.failed(address);
      if (seconds === undefined) throw error;
      throw new UpgradeRefused(429, 'rate_limited', 'too many requests, slow down', seconds);
    }
  }
}

const isFull = (): UpgradeRefused =>
  new UpgradeRefused(503, 'unavailable', 'no further connection, try again later');

/** True for the upgrades that are taken over here; all others are not this package's to answer. */
export const asksForStreams = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url?.split('?')[0] === '/ws' &&
  headers.upgrade?.trim().toLowerCase() === 'websocket';

/** Pages of this very server may always connect. */
function isOwn(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

const addressOfSocket = ({ socket }: IncomingMessage): string => socket.remoteAddress ?? 'unknown';

const ANONYMOUS: Caller = { kind: 'anonymous' };
