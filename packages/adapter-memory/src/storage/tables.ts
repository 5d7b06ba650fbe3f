import type { Event } from '@slipstream/ports';
import { type State, emptyState } from './state.js';

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

/** The tables of one transaction, each made at its first use: most transactions use a few of them. */
class DraftTables {
  constructor(
    private readonly tableOf: (name: keyof State) => unknown,
    readonly refuse: Tables['refuse'],
    readonly addEvent: Tables['addEvent'],
  ) {}

  static {
    for (const name of Object.keys(emptyState) as (keyof State)[])
      Object.defineProperty(this.prototype, name, {
        get(this: DraftTables) {
          return this.tableOf(name);
        },
      });
  }
}

/** A transaction over the state. */
export function draftOf(state: State): Draft {
  const work: Work = { hasEnded: false };
  let refusal: Error | undefined;
  const events: Event[] = [];
  const made: Partial<Record<keyof State, DraftTable>> = {};
  const changed: Record<string, ReadonlyMap<unknown, unknown>> = {};

  const refuse = (message: string): never => {
    refusal ??= new Error(message);
    throw refusal;
  };

  const addEvent = (event: Event): void => {
    requireUnderWay(work);
    events.push(event);
  };

  const tableOf = (name: keyof State): DraftTable =>
    (made[name] ??= new DraftTable(state[name], work, (map) => (changed[name] = map)));

  return {
    tables: new DraftTables(tableOf, refuse, addEvent) as unknown as Tables,
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
