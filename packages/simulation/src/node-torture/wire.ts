import { once } from 'node:events';
import {
  type AddressInfo,
  type NetConnectOpts,
  type Socket,
  connect,
  createServer,
} from 'node:net';

/** The way of connections through this process, on which they can be held up or cut. */
export interface Wire {
  readonly port: number;
  /** From now on nothing passes, and nobody is told: as when a cable is pulled. */
  freeze(): void;
  /** What was held up passes. */
  thaw(): void;
  /** Cuts every connection. */
  reset(): void;
  close(): void;
}

/** What comes is sent on at once: small parts that wait for each other would make every answer 40 ms late. */
const AT_ONCE = { noDelay: true, allowHalfOpen: true };

/** A port of 127.0.0.1 whose connections lead to the target. */
export async function openWire(target: (port: number) => NetConnectOpts): Promise<Wire> {
  /** Ends both sides of a connection. */
  const pairs = new Map<Socket, Socket>();
  let isFrozen = false;
  /** What happens at the thaw. */
  let later: (() => void)[] = [];
  const whenThawed = (work: () => void): void => {
    if (isFrozen) later.push(work);
    else work();
  };

  const server = createServer({ ...AT_ONCE, pauseOnConnect: true }, (near) => {
    near.on('error', () => undefined);
    pairs.set(near, near);
    near.once('close', () => whenThawed(() => pairs.delete(near)));
    whenThawed(() => {
      if (near.destroyed) return;
      const far = connect({ ...target(port), ...AT_ONCE });
      far.on('error', () => undefined);
      pairs.set(near, far);
      near.once('close', () => whenThawed(() => far.destroy()));
      far.once('close', () => whenThawed(() => near.destroy()));
      whenThawed(() => join(near, far));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const cut = (): void => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    pairs.clear();
  };

  return {
    port,
    freeze() {
      isFrozen = true;
      for (const [near, far] of pairs)
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const)
          if (from !== to) from.unpipe(to).pause();
    },
    thaw() {
      isFrozen = false;
      for (const [near, far] of pairs) if (near !== far) join(near, far);
      const works = later;
      later = [];
      for (const work of works) work();
    },
    reset: cut,
    close() {
      server.close();
      cut();
    },
  };
}

function join(near: Socket, far: Socket): void {
  near.pipe(far).pipe(near);
}
