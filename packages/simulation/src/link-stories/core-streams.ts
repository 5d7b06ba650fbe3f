import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { filling } from './filling.js';

/** Bytes of an event that is long, as one of three is. */
const LINE = filling(20_000);

/** The channel that tells each change, as orders are told (contract 6). */
export const CHANNEL = 'wsOrders:story';

/** How a stream ends of a node that serves no more. */
const GOING_AWAY = 1001;

interface Subscribe {
  readonly id: string;
  readonly after?: Readonly<Record<string, number>>;
}

const eventFrame = (event: 'snapshot' | 'opened', version: number): string =>
  JSON.stringify({
    ...{ channel: CHANNEL, event, version, at: '' },
    data: version % 3 === 0 ? LINE : '',
  });

/** The streams of a node that serves: each change once, from a snapshot on or after the last change that a client has. */
export class CoreStreams {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    ...{ closeTimeout: 100 },
  });
  private readonly open = new Set<WebSocket>();
  private readonly subscribed = new Set<WebSocket>();

  constructor(
    /** How many changes there are. */
    private readonly known: () => number,
    /** Whether it knows what was told before it served. */
    private readonly hasPast: boolean,
    private readonly began = known(),
  ) {}

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.sockets.handleUpgrade(request, socket, head, (client) => {
      this.open.add(client);
      client.on('message', (data: Buffer) =>
        this.subscribe(client, JSON.parse(String(data)) as Subscribe),
      );
      client.on('error', () => undefined);
      client.once('close', () => {
        this.open.delete(client);
        this.subscribed.delete(client);
      });
    });
  }

  /** Tells the newest change. */
  tell(): void {
    for (const client of this.subscribed) client.send(eventFrame('opened', this.known()));
  }

  /** Ends them, as a node does that serves no more. */
  close(): void {
    for (const client of this.open) client.close(GOING_AWAY);
  }

  private subscribe(client: WebSocket, { id, after = {} }: Subscribe): void {
    client.send(JSON.stringify({ id, success: true, response: { channels: [CHANNEL] } }));
    const last = after[CHANNEL];
    const first = this.hasPast ? last : Math.max(last ?? 0, this.began);
    if (last === undefined || first === undefined)
      client.send(eventFrame('snapshot', this.known()));
    else
      for (let next = first + 1; next <= this.known(); next += 1)
        client.send(eventFrame('opened', next));
    this.subscribed.add(client);
  }
}
