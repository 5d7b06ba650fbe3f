import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems give their programs no ports from there, neither to listen at nor to connect from: who asks for one by number has it. None of
 * them is one that browsers and `fetch` refuse, as they do 10080.
 */
const [FIRST, COUNT] = [11_000, 20_000];

/** Processes that run at once begin apart from each other. */
let asked = process.pid * 97;

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** A port that nobody uses now, and that nobody is given until a program is started that listens there. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    asked += 1;
    const port = FIRST + (asked % COUNT);
    if (await isFree(port, host)) return port;
  }
}
