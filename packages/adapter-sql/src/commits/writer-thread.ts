import { Worker } from 'node:worker_threads';
import { BatchRefused, CommitsLost } from '../storage/failures.js';
import { type BatchEnd, batchOf } from './batch.js';
import type { OwnWrite } from './own-writes.js';
import type { Carrier } from './sqlite-transaction.js';

/** Built beside this file; tests run the sources. */
const PROGRAM = new URL('../../dist/commits/writer-program.js', import.meta.url);

/** Makes whole transactions in a thread with a connection of its own, one at a time. */
export class WriterThread implements Carrier {
  private worker: Worker | undefined;
  private started: Promise<void> | undefined;
  private ready = false;
  private ended: Promise<void> | undefined;
  private underWay: ((end: BatchEnd) => void) | undefined;

  /** `pages`: how many of them fill the log now. */
  constructor(
    private readonly path: string,
    private readonly pages: () => number,
  ) {}

  isReady(isWanted: boolean): boolean {
    if (isWanted) void this.start();
    return this.ready;
  }

  /** Resolves when it can be given batches, or has ended. */
  start(): Promise<void> {
    return (this.started ??= this.open());
  }

  /** Resolves when the writes are durable. Rejects with `BatchRefused`, or `CommitsLost` when nobody knows what the disk has. */
  carry(writes: readonly OwnWrite[]): Promise<void> {
    const { worker } = this;
    if (!worker || !this.ready) return Promise.reject(new BatchRefused());
    return new Promise((resolve, reject) => {
      worker.postMessage(batchOf(writes, this.pages()));
      worker.ref();
      this.underWay = (end) => {
        this.underWay = undefined;
        worker.unref();
        if (end === 'durable') resolve();
        else reject(end === 'refused' ? new BatchRefused() : new CommitsLost(undefined));
      };
    });
  }

  /** Ends it at once, whatever is under way. */
  end(): void {
    void this.worker?.terminate();
  }

  /** Closes its connection; nothing may be under way. */
  async close(): Promise<void> {
    // A process with nothing else to do would end before.
    this.worker?.ref();
    this.worker?.postMessage(null);
    await this.ended;
  }

  private open(): Promise<void> {
    let worker: Worker;
    try {
      worker = new Worker(PROGRAM, { workerData: this.path });
    } catch {
      // No more threads can be had: all is made by the event loop.
      return Promise.resolve();
    }
    worker.unref();
    this.worker = worker;
    worker.on('error', () => undefined);
    // A thread that ends by itself takes with it whether its batch was made.
    this.ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.ready = false;
        this.underWay?.('lost');
        resolve();
      });
    });
    const ready = new Promise<void>((resolve) => {
      worker.on('message', (said: 'ready' | BatchEnd) => {
        if (said !== 'ready') return this.underWay?.(said);
        this.ready = true;
        resolve();
      });
    });
    return Promise.race([ready, this.ended]);
  }
}
