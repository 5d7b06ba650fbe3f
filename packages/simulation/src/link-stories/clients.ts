import { request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { moved } from './activity.js';
import { LONG } from './core.js';
import { CHANNEL } from './core-streams.js';
import { filling } from './filling.js';
import type { StoryNode } from './node.js';
import { PipeEnd } from './pipe.js';

/** What became of a request: the status of its answer; or its connection was cut, or its client left, perhaps as the answer came. */
export type Outcome = number | 'cut' | 'left' | 'left late';

/** A request of a client. */
export interface Asked {
  readonly target: string;
  /** What it asks to be done, by a name of its own. */
  readonly work: string | undefined;
  readonly key: string | undefined;
  /** How many works clients knew to be done when it was sent. */
  readonly least: number;
  /** When, and after how many others. */
  readonly at: number;
  readonly place: number;
  outcome: Outcome | undefined;
  /** What is wrong with the answer. */
  fault: string | undefined;
}

const LONG_TEXT = filling(LONG);

/** A client with one connection to a node; it sends one request after another. */
export class Client {
  readonly asked: Asked[] = [];
  private readonly pipe: PipeEnd;
  private isLeaving = false;
  /** The request under way. */
  private under: (Asked & { end(outcome: Outcome): void }) | undefined;

  constructor(
    readonly node: StoryNode,
    private readonly note: (line: string) => void,
  ) {
    const [own, other] = PipeEnd.pair();
    this.pipe = own;
    node.accept(other);
  }

  get isIdle(): boolean {
    return this.under === undefined && !this.pipe.destroyed && !this.pipe.readableEnded;
  }

  /** Whether nothing comes of it any more. */
  get isOver(): boolean {
    return this.under === undefined && !this.isIdle;
  }

  /** Sends a request. */
  ask(given: Omit<Asked, 'outcome' | 'fault'>): Asked {
    const { target, work, key } = given;
    const asked: Asked = { ...given, outcome: undefined, fault: undefined };
    this.asked.push(asked);
    const request = httpRequest({
      ...{ method: work === undefined ? 'GET' : 'POST', path: target },
      createConnection: () => this.pipe,
      headers: {
        ...{ Host: 'story', Connection: 'keep-alive' },
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(work !== undefined && { 'Content-Length': String(Buffer.byteLength(work)) }),
      },
    });
    const end = (outcome: Outcome): void => {
      if (asked.outcome !== undefined) return;
      moved();
      asked.outcome = outcome;
      this.note(`${target} ${work ?? ''} at ${this.node.id}: ${outcome}`);
      this.under = undefined;
      if (outcome === 'cut') this.pipe.destroy();
    };
    this.under = Object.assign(asked, { end });
    request.on('error', () => end('cut'));
    request.on('response', (response) => {
      if (this.isLeaving) this.leave('left late');
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => end('cut'));
      response.on('close', () => end('cut'));
      response.on('end', () => {
        if (!response.complete) return;
        const { statusCode = 0 } = response;
        asked.fault = faultOf(asked, statusCode, Buffer.concat(chunks).toString());
        end(statusCode);
      });
    });
    request.end(work);
    return asked;
  }

  /** Leaves at the moment at which the answer comes. */
  leaveLate(): void {
    this.isLeaving = true;
  }

  /** Leaves, whatever it waits for. */
  leave(how: Outcome = 'left'): void {
    this.under?.end(how);
    this.pipe.destroy();
  }
}

function faultOf(asked: Asked, status: number, body: string): string | undefined {
  if (status !== 200) return status === 503 ? undefined : `answered ${status}`;
  if (body.length === LONG_TEXT.length)
    return asked.work === undefined && body === LONG_TEXT ? undefined : 'other bytes';
  const told = JSON.parse(body) as { readonly id?: string; readonly known?: number };
  if (asked.work !== undefined)
    return told.id === asked.work ? undefined : `is the answer of ${told.id}`;
  if (told.known === undefined) return 'is no answer to a read';
  return told.known < asked.least
    ? `tells ${told.known} works, ${asked.least} were answered before`
    : undefined;
}

/** A stream of a client. */
export class Stream {
  /** The last change that it told. */
  last: number | undefined;
  isOver = false;
  /** Whether it ended though its client did not leave. */
  wasCut = false;
  /** Whether its own node served it when it began. */
  readonly isDirect: boolean;
  /** When it began, or went on after it was paused. */
  wentOnAt: number;
  fault: string | undefined;
  private readonly socket: WebSocket;

  constructor(
    readonly node: StoryNode,
    private readonly least: number,
    private readonly now: () => number,
  ) {
    this.wentOnAt = now();
    this.isDirect = node.core !== undefined;
    const [own, other] = PipeEnd.pair();
    node.accept(other);
    this.socket = new WebSocket('ws://story/ws', { createConnection: () => own as never });
    this.socket.on('error', () => undefined);
    this.socket.on('unexpected-response', (_, { statusCode }) => {
      if (statusCode !== 503) this.fault = `was answered ${statusCode}`;
      this.leave();
    });
    this.socket.on('open', () =>
      this.socket.send(JSON.stringify({ id: '1', action: 'subscribe', channels: [CHANNEL] })),
    );
    this.socket.on('message', (data: Buffer) => this.take(JSON.parse(String(data)) as Told));
    this.socket.on('close', () => {
      this.wasCut ||= !this.isOver && this.last !== undefined;
      this.over();
    });
  }

  get isPaused(): boolean {
    return this.socket.isPaused;
  }

  /** Reads nothing for a while, or goes on. */
  pause(): void {
    if (this.isPaused) this.socket.resume();
    else this.socket.pause();
    this.wentOnAt = this.now();
    moved();
  }

  leave(): void {
    this.over();
    this.socket.terminate();
  }

  private over(): void {
    moved();
    this.isOver = true;
  }

  private take({ event, version = 0 }: Told): void {
    moved();
    if (event === undefined || this.isOver) return;
    if (event === 'snapshot' && this.last !== undefined)
      this.fault ??= `begins anew at ${version} after ${this.last}`;
    if (this.last === undefined && version < this.least)
      this.fault ??= `begins at ${version}, ${this.least} works were answered before`;
    if (this.last !== undefined && version !== this.last + 1)
      this.fault ??= `tells ${version} after ${this.last}`;
    this.last = version;
  }
}

interface Told {
  readonly event?: string;
  readonly version?: number;
}
