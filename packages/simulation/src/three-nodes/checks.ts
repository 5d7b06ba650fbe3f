import { type ClientRequest, get } from 'node:http';

export interface CheckTimes {
  /** Between two checks of a server, in milliseconds. */
  readonly every: number;
  /** So long it may take to answer one, in milliseconds. */
  readonly within: number;
}

/** As docs/several-nodes.md recommends. */
export const RECOMMENDED: CheckTimes = { every: 1_000, within: 3_000 };

/** What is known of a server, the best first: one that is paused is silent. */
export const STATES = ['ready', 'answers', 'silent'] as const;
export type State = (typeof STATES)[number];

/** Asks servers again and again how they are. */
export interface Checks {
  stateOf(server: string): State;
  close(): void;
}

/**
 * Checks each of the servers, by their addresses, and tells those that fall silent. Each answers `/healthz` itself; for `/readyz` it
 * may wait for the one that serves, so that says only which are preferred.
 */
export function checkServers(
  servers: () => readonly string[],
  fellSilent: (server: string) => void,
  { every, within }: CheckTimes,
): Checks {
  const ready = new Set<string>();
  const silent = new Set<string>();
  const asked = new Map<string, ClientRequest>();

  /** Tells the status, 0 when the connection failed, or null when nothing came in time. Asks nothing while the same question is open. */
  const ask = (url: string, told: (status: number | null) => void): void => {
    if (asked.has(url)) return;
    let status: number | null = 0;
    const request = get(url, { agent: false });
    asked.set(url, request);
    const impatience = setTimeout(() => {
      status = null;
      request.destroy();
    }, within);
    request.on('response', (answer) => {
      status = answer.statusCode ?? 0;
      answer.resume().on('error', () => undefined);
    });
    request.on('error', () => undefined);
    request.once('close', () => {
      clearTimeout(impatience);
      asked.delete(url);
      told(status);
    });
  };

  const round = setInterval(() => {
    const all = servers();
    for (const known of [ready, silent])
      for (const server of known) if (!all.includes(server)) known.delete(server);
    for (const server of all) {
      ask(`${server}/readyz`, (status) => {
        if (status === 200) ready.add(server);
        else ready.delete(server);
      });
      ask(`${server}/healthz`, (status) => {
        if (status !== null) return void silent.delete(server);
        silent.add(server);
        fellSilent(server);
      });
    }
  }, every);
  return {
    stateOf: (server) => (silent.has(server) ? 'silent' : ready.has(server) ? 'ready' : 'answers'),
    close() {
      clearInterval(round);
      for (const request of asked.values()) request.destroy();
    },
  };
}
