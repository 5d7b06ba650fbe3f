import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** Stands between a server and somebody outside, who falls silent. */
export interface QuietRelay {
  readonly url: string;
  /**
   * From the first message on that fits nothing comes back any more, though everything arrives. Resolves at that message; without
   * `asks` at the first connection.
   */
  silence(asks?: RegExp): Promise<void>;
  /** Leads connections again; those from before stay silent. */
  speak(): void;
  close(): void;
}

/** Leads connections to `target`; without one they are accepted and nobody answers. */
export async function quietRelay(target?: string): Promise<QuietRelay> {
  const open = new Set<Socket>();
  let isSilent = false;
  let begins: { readonly asks: RegExp | undefined; readonly resolve: () => void } | undefined;
  const begin = (): void => {
    isSilent = true;
    begins?.resolve();
    begins = undefined;
  };
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
  };
  const server = createServer({ noDelay: true }, (client) => {
    keep(client);
    if (begins && !begins.asks) begin();
    if (target === undefined) return void client.resume();
    const { hostname, port } = new URL(target);
    const far = connect({ port: Number(port), host: hostname, noDelay: true });
    keep(far);
    let isCut = isSilent;
    client.on('data', (part: Buffer) => {
      if (begins?.asks?.test(part.toString('latin1'))) begin();
      isCut ||= isSilent;
      far.write(part);
    });
    far.on('data', (part: Buffer) => void (isCut || client.write(part)));
    client.once('close', () => far.destroy());
    far.once('close', () => void (isCut || client.destroy()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence: (asks) => new Promise((resolve) => (begins = { asks, resolve })),
    speak: () => void (isSilent = false),
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
