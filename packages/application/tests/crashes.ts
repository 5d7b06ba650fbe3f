import { expect } from '@jest/globals';
import type { MemoryPorts } from '@slipstream/adapter-memory/testing';
import { type UnitOfWork, eventBus } from '@slipstream/ports';
import type { Settings } from '../src/index.js';
import { type App, createApp } from './app.js';
import { Moments, SYNCHRONOUS, withOutside } from './moments.js';

const never = <Answer>(): Promise<Answer> => new Promise(() => undefined);

/** A process that dies at one moment of a flow. What it asked of its ports before has taken effect; it hears no answer any more. */
class Crash {
  readonly moments: Moments;
  private isDead = false;
  private died: () => void = () => undefined;

  constructor(moment: number) {
    this.moments = new Moments(moment);
  }

  /** The ports as this process has them. */
  ports(given: MemoryPorts): MemoryPorts {
    return {
      ...withOutside(given, (port) => this.outside(port)),
      events: eventBus(() => undefined),
      unitOfWork: this.storage(given.unitOfWork),
    };
  }

  /** Runs the flow until it ends or the process dies. */
  async amid(flow: () => Promise<unknown>): Promise<void> {
    const death = new Promise<void>((resolve) => {
      this.died = resolve;
    });
    const dies = (): Promise<never> => {
      this.isDead = true;
      this.died();
      return never();
    };
    await Promise.race([this.moments.amid(dies, flow), death]);
    this.isDead = true;
  }

  private async answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.isDead) return never();
    try {
      const answer = await ask();
      return this.isDead ? await never<Answer>() : answer;
    } catch (error) {
      if (this.isDead) return never();
      throw error;
    }
  }

  /** A transaction that is open at the death is rolled back. What is only read is no moment: nothing has changed since the one before. */
  private storage(storage: UnitOfWork): UnitOfWork {
    const requireAlive = (): void => {
      if (this.isDead) throw new Error('the process is dead');
    };
    const { run } = this.moments.watched<Pick<UnitOfWork, 'run'>>({
      run: (work, options) =>
        this.answered(() =>
          storage.run(async (stores) => {
            requireAlive();
            const answer = await work(stores);
            requireAlive();
            return answer;
          }, options),
        ),
    });
    return {
      run,
      read: (work) => this.answered(() => storage.read(work)),
      subscribe: (listener) =>
        storage.subscribe((event) => {
          if (!this.isDead) listener(event);
        }),
    };
  }

  private outside<Port extends object>(port: Port): Port {
    const mortal = new Proxy(port, {
      get: (target, name): unknown => {
        const found: unknown = Reflect.get(target, name);
        if (name === 'consent' && found) return this.outside(found);
        if (typeof found !== 'function' || SYNCHRONOUS.has(name)) return found;
        return (...given: unknown[]) =>
          this.answered(async () => (await Reflect.apply(found, target, given)) as unknown);
      },
    });
    return this.moments.watched(mortal);
  }
}

/** What a story of moments begins with. */
export interface World {
  readonly app: App;
  readonly ports: MemoryPorts;
}

export interface CrashStory<Begun extends World> {
  /** The world before the flow. */
  begin(): Promise<Begun>;
  flow(app: App, world: Begun): Promise<unknown>;
  /** What became of it, once the next process has done all that is due. */
  outcome(next: App, world: Begun): Promise<unknown>;
  readonly settings?: Settings | undefined;
}

/**
 * Plays the story once for each moment of a process that starts and does the flow: then it dies, and another one goes on over the
 * same stores, clock and others outside; and once without a crash, at last. Returns the different outcomes, in the order in which
 * they came.
 */
export async function outcomesOf<Begun extends World>({
  begin,
  flow,
  outcome,
  settings,
}: CrashStory<Begun>): Promise<readonly unknown[]> {
  const outcomes = new Map<string, unknown>();
  for (let moment = 1; ; moment += 1) {
    const crash = new Crash(moment);
    const world = await begin();
    await world.app.stop();
    const process = createApp(crash.ports(world.ports), settings);
    await crash.amid(async () => {
      await process.start();
      await flow(process, world);
    });
    const next = createApp(world.ports, settings);
    await next.start();
    const became = await outcome(next, world);
    outcomes.set(JSON.stringify(became), became);
    if (crash.moments.hasCome) continue;
    expect(moment).toBeGreaterThan(2);
    return [...outcomes.values()];
  }
}
