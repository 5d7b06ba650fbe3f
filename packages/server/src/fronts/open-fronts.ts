import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import { type DropReason, type LocalService, linkServer } from '@slipstream/adapter-http';
import type { Log } from '@slipstream/ports';
import { type Listening, listen } from '../listening.js';
import type { FromFront, FrontOptions, ToFront } from './words.js';

const PROGRAM = fileURLToPath(new URL('./front.js', import.meta.url));
/** A front that ended by itself is replaced after so many milliseconds. */
const REST = 1_000;
/** Fronts that have not ended by then are killed, in milliseconds. */
const PATIENCE = 15_000;

export interface FrontsOptions {
  readonly count: number;
  readonly front: Omit<FrontOptions, 'linkUrl' | 'linkKey'>;
  /** What they let clients reach. */
  readonly service: LocalService;
  /** Variables of the environment that they must not have. */
  readonly withheld: readonly string[];
  readonly log: Log;
  readonly dropped: (reason: DropReason) => void;
}

/** One that has just ended does not hear it. */
const tell = (front: Worker, word: ToFront): void => {
  if (front.isConnected()) front.send(word, () => undefined);
};

/**
 * Starts processes that share the port: each takes connections, parses HTTP, and sends clients of streams what is for them. They ask
 * this process over a link each, as other nodes do. One that ends is replaced.
 */
export async function openFronts(options: FrontsOptions): Promise<Listening> {
  const { count, service, withheld, log, dropped } = options;
  const linkKey = randomBytes(32).toString('base64url');
  const link = linkServer(aesSecretBox([linkKey]), () => service);
  await listen(link.server, 0, '127.0.0.1');
  const { port: linkPort } = link.server.address() as AddressInfo;
  const front = { ...options.front, linkUrl: `http://127.0.0.1:${linkPort}`, linkKey };
  const environment = Object.fromEntries(withheld.map((name) => [name, '']));
  const running = new Set<Worker>();
  let [isStarted, isEnding] = [false, false];

  // Each front accepts by itself: this process has better things to do.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: PROGRAM, args: [], serialization: 'advanced' });

  /** Resolves when it listens. */
  const start = (): Promise<AddressInfo> => {
    const worker = cluster.fork(environment);
    running.add(worker);
    return new Promise((resolve, reject) => {
      worker.on('message', (word: FromFront) => {
        // A word to a process that still loads is lost.
        if (word.kind === 'ready')
          tell(worker, isEnding ? { kind: 'drain' } : { kind: 'begin', options: front });
        else if (word.kind === 'listens') resolve(word.at);
        else if (word.kind === 'dropped') dropped(word.reason);
        else reject(Object.assign(new Error(word.message), word.cause));
      });
      worker.once('exit', (code, signal) => {
        running.delete(worker);
        reject(new Error('a front ended before it listened'));
        if (isEnding || !isStarted) return;
        log.error({ code, signal }, 'a front ended: another one takes its place');
        setTimeout(replace, REST).unref();
      });
    });
  };
  const replace = (): void => {
    if (isEnding) return;
    start().catch((error: unknown) => {
      if (!isEnding) log.error({ error }, 'a front could not start');
    });
  };

  const drain = async (): Promise<void> => {
    isEnding = true;
    const gone = Promise.all([...running].map((worker) => once(worker, 'exit')));
    for (const worker of running) tell(worker, { kind: 'drain' });
    const impatience = setTimeout(() => {
      for (const worker of running) worker.process.kill('SIGKILL');
    }, PATIENCE);
    await gone;
    clearTimeout(impatience);
    await link.close();
  };

  const started = await Promise.allSettled(Array.from({ length: count }, start));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await drain();
    throw failed.reason;
  }
  const [first] = started.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (!first) throw new Error('no front was asked for');
  isStarted = true;
  for (let missing = running.size; missing < count; missing += 1) replace();
  return { at: first, drain };
}
