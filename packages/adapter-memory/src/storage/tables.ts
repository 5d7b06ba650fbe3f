import type { Event } from '@slipstream/ports';
import type { State } from './state.js';

/** One map of the state as a transaction sees it, with its own changes. */
export interface Table<Key, Value> {
  get(key: Key): Value | undefined;
  keys(): Key[];
  values(): Value[];
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

type TableOf<Kept> = Kept extends ReadonlyMap<infer Key, infer Value> ? Table<Key, Value> : never;

/** The state as one transaction sees and changes it. */
export type Tables = { readonly [Name in keyof State]: TableOf<State[Name]> } & {
  /** Throws, and makes the transaction fail: it is not committed even if it swallows the error. */
  refuse(message: string): never;
  /** Keeps the event for the commit. */
  addEvent(event: Event): void;
};

/** One transaction's changes over a state that they do not modify. */
export interface Draft {
  readonly tables: Tables;
  /** The next state. Throws the error of a refused write, if there was one. */
  next(): State;
  /** In the order in which they were added. */
  readonly events: readonly Event[];
  /** From now on every use of the tables throws. */
  end(): void;
}

/** What a transaction knows of its end. */
interface Work {
  hasEnded: boolean;
}

function requireUnderWay(work: Work): void {
  if (work.hasEnded) throw new Error('the stores of a unit of work cannot be used after its end');
}

/** A table of one transaction: it copies what is kept when it is changed first. */
class DraftTable implements Table<unknown, unknown> {
  private changed: Map<unknown, unknown> | undefined;

  constructor(
    private readonly kept: ReadonlyMap<unknown, unknown>,
    private readonly work: Work,
    /** Told what it keeps when it is changed first. */
    private readonly onChange: (kept: Map<unknown, unknown>) => void,
  ) {}

  private current(): ReadonlyMap<unknown, unknown> {
    requireUnderWay(this.work);
    return this.changed ?? this.kept;
  }

  private own(): Map<unknown, unknown> {
    requireUnderWay(this.work);
    if (!this.changed) this.onChange((this.changed = new Map(this.kept)));
    return this.changed;
  }

  get(key: unknown): unknown {
    return this.current().get(key);
  }

  keys(): unknown[] {
    return [...this.current().keys()];
  }

  values(): unknown[] {
    return [...this.current().values()];
  }

  set(key: unknown, value: unknown): void {
    this.own().set(key, value);
  }

  delete(key: unknown): void {
    this.own().delete(key);
  }
}

/** A transaction over the state. */
export function draftOf(state: State): Draft {
  const work: Work = { hasEnded: false };
  let refusal: Error | undefined;
  const events: Event[] = [];
  const changed: Record<string, ReadonlyMap<unknown, unknown>> = {};

  const refuse = (message: string): never => {
    refusal ??= new Error(message);
    throw refusal;
  };

  const addEvent = (event: Event): void => {
    requireUnderWay(work);
    events.push(event);
  };

  const tables: Record<string, unknown> = { refuse, addEvent };
  for (const name in state) {
    const kept = state[name as keyof State];
    tables[name] = new DraftTable(kept, work, (map) => (changed[name] = map));
  }
  return {
    tables: tables as Tables,
    events,
    next: () => {
      if (refusal) throw refusal;
      return { ...state, ...changed };
    },
    end: () => {
      work.hasEnded = true;
    },
  };
}
