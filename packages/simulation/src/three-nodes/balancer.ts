import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { type CheckTimes, RECOMMENDED, STATES, checkServers } from './checks.js';

/** Spreads connections over servers. */
export interface Balancer {
  readonly url: string;
  close(): void;
}

/** What comes is sent on at once: small parts that wait for each other would make every answer 40 ms late. */
const AT_ONCE = { noDelay: true, allowHalfOpen: true };

/** Between two tries of a connection that no server takes, in milliseconds, and how often it is tried. */
const [AGAIN_AFTER, TRIES] = [100, 50];

/**
 * Leads each connection to the next of the servers, by their addresses, that takes it, and to one that is ready if there is any:
 * nothing sticks to a server. Cuts the connections to one that falls silent. Rejects when the port is in use.
 */
export async function openBalancer(
  host: string,
  port: number,
  servers: () => readonly string[],
  times: CheckTimes = RECOMMENDED,
): Promise<Balancer> {
  const near = new Set<Socket>();
  /** The connections to servers, with the server of each. */
  const far = new Map<Socket, string>();
  const cut = (silent: string): void => {
    for (const [socket, at] of far) if (at === silent) socket.destroy(new Error('it is silent'));
  };
  const checks = checkServers(servers, cut, times);
  let turn = 0;

  const join = (client: Socket, server: Socket): void => {
    client.pipe(server).pipe(client);
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  };

  /** Tries each server once, beginning with that of the turn. */
  const lead = (client: Socket, [first, ...others]: readonly string[], tries: number): void => {
    if (client.destroyed) return;
    if (first === undefined) {
      if (tries === 0) client.destroy();
      else setTimeout(() => lead(client, inTurn(), tries - 1), AGAIN_AFTER).unref();
      return;
    }
    const { hostname, port: at } = new URL(first);
    const server = connect({ ...AT_ONCE, host: hostname, port: Number(at) });
    far.set(server, first);
    server.once('close', () => far.delete(server));
    const refused = (): void => lead(client, others, tries);
    server.once('error', refused);
    server.once('connect', () => {
      server.off('error', refused);
      server.on('error', () => undefined);
      if (client.destroyed) server.destroy();
      else join(client, server);
    });
  };

  const inTurn = (): readonly string[] => {
    turn += 1;
    return STATES.flatMap((state) => {
      const some = servers().filter((one) => checks.stateOf(one) === state);
      return some.map((_, index) => some[(turn + index) % some.length] ?? '');
    });
  };

  const server = createServer({ ...AT_ONCE, pauseOnConnect: true }, (client) => {
    near.add(client);
    client.on('error', () => undefined);
    client.once('close', () => near.delete(client));
    lead(client, inTurn(), TRIES);
  }).listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    checks.close();
    throw error;
  });
  const { address, family, port: listens } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${listens}`,
    close() {
      server.close();
      checks.close();
      for (const client of near) client.destroy();
    },
  };
}
