import type { Core } from '../core.js';
import { Ended } from './ended.js';

type Parts = Pick<Core, 'unitOfWork' | 'pause'>;

/**
 * Jobs that go through all strategies or users. They work in parts, each of them a transaction; after a crash they are done
 * again, so the host can end them between two parts and need not wait for the last one.
 */
export class LongJobs {
  private isOver = false;

  /** No part begins any more. */
  end(): void {
    this.isOver = true;
  }

  goesOn(): boolean {
    return !this.isOver;
  }

  /** The core for such a job: at the end its transactions, reads and pauses throw. */
  core<Needs extends Parts>(core: Needs): Needs {
    const { unitOfWork, pause } = core;
    return {
      ...core,
      unitOfWork: {
        read: async (work) => {
          this.requireGoing();
          return unitOfWork.read(work);
        },
        run: async (work, options) => {
          this.requireGoing();
          return unitOfWork.run(work, options);
        },
      } satisfies Parts['unitOfWork'],
      pause: async () => {
        await pause();
        this.requireGoing();
      },
    };
  }

  /** The job; to be ended is not a failure of it. */
  job(work: () => Promise<void>): () => Promise<void> {
    return () =>
      work().catch((error: unknown) => {
        if (!(error instanceof Ended)) throw error;
      });
  }

  private requireGoing(): void {
    if (this.isOver) throw new Ended();
  }
}
