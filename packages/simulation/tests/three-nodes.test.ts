import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openDatabase } from '../src/node-torture/database.js';
import { type Balancer, openBalancer } from '../src/three-nodes/balancer.js';

const program = join(import.meta.dirname, '../dist/three-nodes/main.js');

describe('the balancer', () => {
  const servers = new Map<string, Server>();
  let balancer: Balancer | undefined;
  afterEach(() => {
    balancer?.close();
    for (const server of servers.values()) server.close();
    servers.clear();
  });

  /** A server that says its name to each connection, when the other side has ended; answers its address. */
  async function named(name: string): Promise<string> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.resume().on('end', () => socket.end(name));
    }).listen(0, '127.0.0.1');
    servers.set(name, server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const heard = (): Promise<string> => {
    const socket = connect(Number(new URL(balancer?.url ?? '').port), '127.0.0.1');
    socket.end();
    return text(socket);
  };

  it('leads each connection to the next server, and past one that takes none', async () => {
    const urls = [await named('one'), await named('two'), await named('three')];
    balancer = await openBalancer('127.0.0.1', 0, () => urls);
    const first = [await heard(), await heard(), await heard()];
    expect([...first].sort()).toEqual(['one', 'three', 'two']);
    servers.get('two')?.close();
    const later = [await heard(), await heard(), await heard(), await heard()];
    expect([...new Set(later)].sort()).toEqual(['one', 'three']);
  });

  it('holds a connection until a server takes it', async () => {
    const urls: string[] = [];
    balancer = await openBalancer('127.0.0.1', 0, () => urls);
    const early = heard();
    urls.push(await named('late'));
    expect(await early).toBe('late');
  });

  it('prefers servers that are ready, and cuts the connections to one that falls silent', async () => {
    const states = new Map<string, 'ready' | 'not ready' | 'waits' | 'silent'>();
    /** A server whose checks are answered by its state; another request gets its name, and none when it is silent. */
    const stated = async (name: string): Promise<string> => {
      const server = createHttpServer(({ url }, response) => {
        const state = states.get(name) ?? 'ready';
        const isOfReadiness = url === '/readyz';
        if (state === 'silent' || (isOfReadiness && state === 'waits')) return;
        response.writeHead(isOfReadiness && state === 'not ready' ? 503 : 200).end(name);
        if (isOfReadiness) checked.emit(name);
      }).listen(0, '127.0.0.1');
      servers.set(name, server);
      await once(server, 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const checked = new EventEmitter();
    /** Its next check was answered, and heard before the one after it. */
    const twice = async (name: string): Promise<void> => {
      for (let times = 0; times < 2; times += 1) await once(checked, name);
    };
    const urls = [await stated('one'), await stated('two')];
    balancer = await openBalancer('127.0.0.1', 0, () => urls, { every: 10, within: 500 });
    const { url } = balancer;
    const reached = async (): Promise<string> =>
      (await fetch(url, { headers: { connection: 'close' } })).text();

    await Promise.all([twice('one'), twice('two')]);
    expect([await reached(), await reached()].sort()).toEqual(['one', 'two']);
    states.set('one', 'not ready');
    await twice('one');
    expect([await reached(), await reached()]).toEqual(['two', 'two']);
    states.set('two', 'not ready');
    await twice('two');
    expect([await reached(), await reached()].sort()).toEqual(['one', 'two']);

    states.clear();
    await Promise.all([twice('one'), twice('two')]);
    states.set('two', 'silent');
    const cut = await Promise.allSettled([fetch(url), fetch(url)]);
    expect(cut.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    // It cannot tell whether it is ready while the one that serves is silent.
    states.set('one', 'waits');
    expect([await reached(), await reached()]).toEqual(['one', 'one']);
  });

  it('says that its port is in use', async () => {
    balancer = await openBalancer('127.0.0.1', 0, () => []);
    const taken = openBalancer('127.0.0.1', Number(new URL(balancer.url).port), () => []);
    await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('the PostgreSQL of the tests', () => {
  it('leaves no folder at its end, also when it was killed before', async () => {
    const database = await openDatabase();
    const folder = dirname(dirname(database.socket));
    expect(existsSync(folder)).toBe(true);
    await database.kill();
    await database.end();
    expect(existsSync(folder)).toBe(false);
  });
});

/** The program over three nodes, and what it says. Without a database it makes the demo. */
function runNodes(databaseUrl?: string) {
  const nodes = spawn(process.execPath, [program], {
    env: {
      ...{ PATH: process.env['PATH'], PORT: '0', LEASE_SECONDS: '2' },
      ...(databaseUrl === undefined
        ? {}
        : { DATABASE_URL: databaseUrl, SECRET_KEY: 'the master key of three tested nodes' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', told: '' };
  nodes.stdout.on('data', (data: Buffer) => (said.out += data.toString()));
  nodes.stderr.on('data', (data: Buffer) => (said.told += data.toString()));
  const ended = once(nodes, 'close') as Promise<[code: number | null]>;
  const over = ended.then(([code]): never => {
    throw new Error(`it ended with ${code}: ${said.told}`);
  });
  over.catch(() => undefined);
  const when = (isSo: () => boolean): Promise<unknown> =>
    Promise.race([
      over,
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (isSo()) resolve();
        };
        for (const stream of [nodes.stdout, nodes.stderr]) stream.on('data', look);
        look();
      }),
    ]);
  return { nodes, said, ended, when };
}

function isThere(pid: string | undefined): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

describe('three nodes behind the balancer', () => {
  it('end when their program is killed, one that is paused too', async () => {
    const database = await openDatabase();
    const { nodes, said, ended, when } = runNodes(database.url);
    try {
      await when(() => said.out.includes('Ctrl-C'));
      const pids = [...said.told.matchAll(/listens at \S+ \(process (\d+)\)/g)].map(
        ([, pid]) => pid,
      );
      expect(pids.map(isThere)).toEqual([true, true, true]);
      process.kill(Number(pids[0]), 'SIGSTOP');
      nodes.kill('SIGKILL');
      await ended;
      while (pids.some(isThere)) await turn();
    } finally {
      nodes.kill('SIGKILL');
      await database.end();
    }
  });

  it('make a demo of their own, answer again when the one that serves was killed, and all end at one signal', async () => {
    const { nodes, said, ended, when } = runNodes();
    try {
      await when(() => said.out.includes('Ctrl-C'));
      const [, url = ''] = /Open +(\S+)\/strategies\/\S+#token=/.exec(said.out) ?? [];
      const answered = async (): Promise<boolean> => {
        const headers = { connection: 'close' };
        const answer = await fetch(`${url}/getServiceInfo`, { headers }).catch(() => undefined);
        return answer?.status === 200;
      };
      expect(await Promise.all([answered(), answered(), answered()])).toEqual([true, true, true]);
      const found = await (await fetch(`${url}/findStocks?query=NVDA`)).text();
      expect(found).toContain(`"slipstream":"${url}/`);
      const serving = (): string[] =>
        [...said.told.matchAll(/serves \(process (\d+)/g)].map(String);
      await when(() => serving().length > 0);
      const [, pid = ''] = /serves \(process (\d+)/.exec(said.told) ?? [];
      process.kill(Number(pid), 'SIGKILL');
      await when(() => serving().length > 1);
      while (!(await answered()));
      await when(() => said.told.includes('ended with SIGKILL and starts again'));
      nodes.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    } finally {
      nodes.kill('SIGTERM');
      await ended;
    }
  });
});
