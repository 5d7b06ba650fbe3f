import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A line between a browser and a server that can be cut: connections break as they do when a machine dies. */
export interface Line {
  readonly url: string;
  /** Breaks every connection; new ones are refused until it is mended. */
  cut(): void;
  /** Leads to the server at `url` from now on. */
  mend(url: string): void;
  /** Keeps new WebSockets from opening; the function lets them open. */
  holdStreams(): () => void;
  close(): Promise<void>;
}

/** Opens a line to the server at `url`. */
export async function openLine(url: string): Promise<Line> {
  let to: URL | undefined = new URL(url);
  let streamsMayOpen: Promise<void> = Promise.resolve();
  const open = new Set<Socket>();
  const hold = (socket: Socket): void => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => undefined);
  };
  const server = createServer({ noDelay: true }, (near) => {
    hold(near);
    if (!to) return void near.resetAndDestroy();
    const far = connect({ port: Number(to.port), host: to.hostname, noDelay: true });
    hold(far);
    // A browser opens a connection of its own for each WebSocket.
    near.once('data', (first: Buffer) => {
      near.pause();
      void (first.includes('GET /ws ') ? streamsMayOpen : Promise.resolve()).then(() => {
        far.write(first);
        near.pipe(far).pipe(near);
      });
    });
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      to = undefined;
      breakAll();
    },
    mend: (next) => {
      to = new URL(next);
    },
    holdStreams: () => {
      let letThem: () => void = () => undefined;
      streamsMayOpen = new Promise((resolve) => (letThem = resolve));
      return letThem;
    },
    close: () => {
      breakAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
