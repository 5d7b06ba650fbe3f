import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpHandler, LocalService } from '@slipstream/adapter-http';
import { CoreStreams } from './core-streams.js';
import { filling } from './filling.js';
import type { Store, Work } from './store.js';

type Plain = Parameters<HttpHandler['answer']>[0];
type Answer = Awaited<ReturnType<HttpHandler['answer']>>;

/** The longest body that is read, in bytes. */
const MOST = 1024 * 1024;
/** Bytes of a long answer. */
export const LONG = 300_000;

/** An alert that has waited for longer is refused, as the server does, in milliseconds. */
const DEADLINE = 2_500;

const LONG_TEXT = filling(LONG);

/** A work that waits for its commit. */
export interface Pending {
  readonly work: Work;
  readonly committed: (isDone: boolean) => void;
}

/** An alert that was done. */
interface KnownAlert {
  readonly work: Work;
  /** The requests that got its answer. */
  readonly deliveries: Set<string>;
  /** Those whose sender has it: then the same text is another alert. */
  readonly arrived: Set<string>;
}

/**
 * What a node serves while it owns the database: changes that a commit makes, reads of its memory, pages, and streams that tell
 * each change. It takes resends as the application does (contract 3).
 */
export class Core {
  readonly pending: Pending[] = [];
  /** How many changes it knows of. */
  private known: number;
  private readonly keys: Map<string, Promise<Answer>>;
  private readonly alerts: Map<string, KnownAlert>;
  /** The works that requests for alerts got the answer of. */
  private readonly sentTo = new Map<string, Work>();
  private readonly underWay = new Map<string, Promise<Answer>>();
  private readonly streams: CoreStreams;
  private requests = 0;
  readonly service: LocalService;

  constructor(id: string, store: Store, hasPast: boolean) {
    this.known = store.done.length;
    this.streams = new CoreStreams(() => this.known, hasPast);
    this.keys = new Map(
      store.done.flatMap((work) =>
        work.key === undefined ? [] : [[work.key, Promise.resolve(this.told(work))]],
      ),
    );
    this.alerts = new Map(
      store.done.map((work) => [work.id, { work, deliveries: new Set(), arrived: new Set() }]),
    );
    const upgrades = new EventEmitter();
    upgrades.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.streams.accept(request, socket, head),
    );
    this.service = {
      ...{ id, upgrades },
      handler: {
        app: this.app() as unknown as HttpHandler['app'],
        answer: (request, requestId, waited) => this.answer(request, requestId, waited),
      },
      deliveries: {
        alertAnswered: (delivery) => this.mark(delivery, true),
        alertLost: (delivery) => this.mark(delivery, false),
      },
    };
  }

  /** Lets one of the works that wait be committed, or learn that it cannot be. */
  commit(one: Pending, isDone: boolean): void {
    this.pending.splice(this.pending.indexOf(one), 1);
    one.committed(isDone);
    if (!isDone) return;
    this.known += 1;
    this.streams.tell();
  }

  /** Ends the streams, as a node does that serves no more. */
  retire(): void {
    this.streams.close();
  }

  /** Requests of clients that are connected with this node, and pages. */
  private app() {
    return (request: IncomingMessage, response: ServerResponse): void => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = 'GET', url: target = '/', headers } = request;
        const key = headers['idempotency-key'];
        const plain = {
          ...{ method, target, address: 'own', body: async () => Buffer.concat(chunks) },
          headers: typeof key === 'string' ? { 'idempotency-key': key } : {},
        };
        const requestId = `${this.service.id}-own-${(this.requests += 1)}`;
        void this.answer(plain, requestId, 0).then(({ status, headers: sent, body }) => {
          response.writeHead(status, sent);
          response.end(body);
          if (target !== ALERT || status !== 200) return;
          response.once('finish', () => {
            this.mark(requestId, true);
            setImmediate(() =>
              setImmediate(() => {
                const { readableEnded, destroyed } = request.socket;
                if (readableEnded || destroyed) this.mark(requestId, false);
              }),
            );
          });
        });
      });
    };
  }

  private async answer(
    { target, headers, body }: Plain,
    requestId: string,
    waited: number,
  ): Promise<Answer> {
    const text = String(await body(MOST));
    switch (target) {
      case READ:
        return answered(200, { known: this.known });
      case LONG_READ:
        return { status: 200, headers: {}, body: LONG_TEXT };
      case PAGE:
        return {
          status: 200,
          headers: { 'Content-Length': String(LONG_TEXT.length) },
          body: LONG_TEXT,
        };
      case ALERT:
        return waited < DEADLINE ? this.alert(text, requestId) : REFUSED;
      default:
        return this.keyed(headers['idempotency-key'], { id: text, requestId });
    }
  }

  private keyed(key: string | undefined, work: Work): Promise<Answer> {
    if (key === undefined) return this.perform(work);
    const known = this.keys.get(key);
    if (known) return known;
    const answer = this.perform({ ...work, key });
    this.keys.set(key, answer);
    void answer.then(({ status }) => {
      if (status !== 200) this.keys.delete(key);
    });
    return answer;
  }

  /** One of the same text that was done, and whose sender may not know so, is the same one; so is the same request. */
  private async alert(text: string, requestId: string): Promise<Answer> {
    const same = this.sentTo.get(requestId);
    if (same) return this.told(same);
    const known = this.alerts.get(text);
    if (known && known.arrived.size === 0) {
      this.sentTo.set(requestId, known.work);
      known.deliveries.add(requestId);
      return this.told(known.work);
    }
    const first = this.underWay.get(text);
    const answer = first ?? this.perform({ id: text, requestId });
    this.underWay.set(text, answer);
    const { status } = await answer;
    if (!first) {
      this.underWay.delete(text);
      if (status === 200)
        this.alerts.set(text, {
          ...{ work: { id: text, requestId }, deliveries: new Set(), arrived: new Set() },
        });
    }
    const done = this.alerts.get(text);
    done?.deliveries.add(requestId);
    if (done && status === 200) this.sentTo.set(requestId, done.work);
    return answer;
  }

  private mark(delivery: string, isAnswered: boolean): void {
    for (const { deliveries, arrived } of this.alerts.values())
      if (!deliveries.has(delivery)) continue;
      else if (isAnswered) arrived.add(delivery);
      else arrived.delete(delivery);
  }

  private perform(work: Work): Promise<Answer> {
    return new Promise((resolve) =>
      this.pending.push({
        work,
        committed: (isDone) => resolve(isDone ? this.told(work) : REFUSED),
      }),
    );
  }

  private told({ id }: Work): Answer {
    return answered(200, { id });
  }
}

const answered = (status: number, body: object): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const REFUSED = answered(503, { error: 'nothing was done' });

/** What clients ask for. */
export const [ALERT, ORDER, POST, READ, LONG_READ, PAGE] = [
  ...['/newOrderWebhook', '/newOrder', '/newPost', '/getPositions', '/getOrders', '/guide/some'],
] as const;
