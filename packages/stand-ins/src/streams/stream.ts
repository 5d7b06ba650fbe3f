import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** The client's side of a connection. After `closed` it hears nothing more. */
export interface StreamEvents {
  opened(): void;
  message(text: string): void;
  alive?(): void;
  closed(reason: string): void;
}

export interface StreamConnection {
  send(text: string): void;
  ping(): void;
  end(): void;
}

/** A client as a venue sees it. */
export interface StreamClient {
  readonly channels: Map<string, ReadonlySet<string>>;
  /** Tells it a message; the venue may number the messages of each client. */
  tell(message: Readonly<Record<string, unknown>>): void;
}

export interface VenueStream {
  /** Greets a new client. */
  opened?(client: StreamClient): void;
  /** Answers a request of a client. */
  asked(client: StreamClient, request: unknown): void;
  /** Gives a message its place among those of the client. */
  numbered(message: Readonly<Record<string, unknown>>, place: number): unknown;
}

interface Open extends StreamClient {
  readonly events: StreamEvents;
  readonly told: string[];
}

/** Connections to a venue in this process or over sockets, and faults to order. Messages come in later microtasks. */
export function streamServer(venue: VenueStream) {
  const clients = new Set<Open>();
  let isRefusing = false;
  let isSilent = false;
  let connected = 0;

  const deliver = (client: Open, text: string): void => {
    client.told.push(text);
    queueMicrotask(() => {
      if (clients.has(client) && !isSilent) client.events.message(text);
    });
  };

  const drop = (client: Open, reason: string): void => {
    if (clients.delete(client)) queueMicrotask(() => client.events.closed(reason));
  };

  const connect = (_url: string, events: StreamEvents): StreamConnection => {
    connected += 1;
    let place = 0;
    const client: Open = {
      events,
      told: [],
      channels: new Map(),
      tell: (message) => {
        if (isSilent) return;
        deliver(client, JSON.stringify(venue.numbered(message, place)));
        place += 1;
      },
    };
    if (isRefusing) queueMicrotask(() => events.closed('refused'));
    else {
      clients.add(client);
      queueMicrotask(() => {
        if (!clients.has(client)) return;
        events.opened();
        venue.opened?.(client);
      });
    }
    return {
      send: (text) => {
        if (clients.has(client) && !isSilent) venue.asked(client, JSON.parse(text));
      },
      ping: () => {
        if (clients.has(client) && !isSilent)
          queueMicrotask(() => {
            if (clients.has(client)) events.alive?.();
          });
      },
      end: () => void clients.delete(client),
    };
  };

  return {
    connect,
    clients: (): readonly StreamClient[] => [...clients],
    /** How many connections were asked for so far. */
    connected: (): number => connected,
    /** Breaks every connection. */
    kill: (): void => {
      for (const client of [...clients]) drop(client, 'killed');
    },
    /** Takes no connections, or takes them again. */
    refuse: (refuses: boolean): void => {
      isRefusing = refuses;
    },
    /** Connections stay open, and nothing is said or heard on them. */
    silence: (silent: boolean): void => {
      isSilent = silent;
    },
    /** Says this text as it is. */
    say: (text: string): void => {
      for (const client of clients) deliver(client, text);
    },
    /** Says the message before the last one, or the one so many before it, again. */
    repeat: (back = 0): void => {
      for (const client of clients) {
        const text = client.told.at(-1 - back);
        if (text !== undefined) deliver(client, text);
      }
    },
  };
}

export type StreamServer = ReturnType<typeof streamServer>;

/** Lets a venue's stream listen on 127.0.0.1, on a free port. */
export async function listenForStreams({ connect, kill }: Pick<StreamServer, 'connect' | 'kill'>) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => {
    const connection = connect('', {
      opened: () => undefined,
      message: (text) => socket.send(text),
      closed: () => socket.terminate(),
    });
    socket.on('message', (data) => {
      if (Buffer.isBuffer(data)) connection.send(data.toString('utf8'));
    });
    socket.on('close', () => connection.end());
  });
  await new Promise((ready) => server.once('listening', ready));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      kill();
      for (const socket of server.clients) socket.terminate();
      await new Promise((closed) => server.close(closed));
    },
  };
}
