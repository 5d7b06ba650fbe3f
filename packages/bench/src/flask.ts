import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NotAvailable } from './measure/benchmark.js';

const RECEIVER = fileURLToPath(new URL('../baselines/flask_receiver.py', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`);
    return true;
  } catch {
    return false;
  }
}

/** Starts the Flask receiver of P4; it needs `python3` with `flask`. */
export async function startFlask(
  file: string,
): Promise<{ readonly port: number; end(): Promise<void> }> {
  const port = await freePort();
  const child: ChildProcess = spawn('python3', [RECEIVER, file, String(port)], { stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  let isOver = false;
  void gone.then(() => (isOver = true));
  for (let tries = 0; tries < 100 && !isOver; tries += 1) {
    if (await answers(port))
      return {
        port,
        async end() {
          child.kill();
          await gone;
        },
      };
    await delay(100);
  }
  child.kill();
  throw new NotAvailable('needs python3 with flask');
}
