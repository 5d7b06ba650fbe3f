import type { ReadStores, Stores, UnitOfWork } from '@slipstream/ports';

interface Call {
  readonly store: string;
  readonly method: string;
  readonly given: readonly unknown[];
  readonly answer: unknown;
  readonly isFailed: boolean;
}

/** One transaction of the core: its calls of the stores and their answers. */
export interface Work {
  readonly kind: 'run' | 'read';
  readonly calls: Call[];
  /** Whether it was committed. */
  isKept: boolean;
  /** Whether all that it read was committed or its own. */
  readonly isCompared: boolean;
}

type Write = 'add' | 'save' | 'remove';
const WRITES: readonly string[] = ['add', 'save', 'remove'] satisfies Write[];

const writes = ({ calls }: Work): boolean => calls.some(({ method }) => WRITES.includes(method));

/** The transactions of a run, in order. */
export class StorageLog {
  private readonly done: Work[] = [];
  private group: Work[] = [];

  /** A transaction of the database begins; an unfinished one before it is lost. */
  begin(): void {
    const isIdle = !this.group.some(writes);
    for (const work of this.group)
      this.done.push(isIdle ? work : { ...work, isKept: false, isCompared: false });
    this.group = [];
  }

  commit(): void {
    this.done.push(...this.group);
    this.group = [];
  }

  /** The transactions since the last call. */
  take(): readonly Work[] {
    return this.done.splice(0);
  }

  /** The same storage; every transaction is logged. */
  recorded<Recorded extends UnitOfWork>(storage: Recorded): Recorded {
    const write =
      <AnyStores extends object>(
        kind: Work['kind'],
        work: (stores: AnyStores) => Promise<unknown>,
      ) =>
      async (stores: AnyStores) => {
        const one: Work = { kind, calls: [], isKept: false, isCompared: true };
        this.group.push(one);
        const answer = await work(heard(stores, one.calls));
        one.isKept = !one.calls.some(({ isFailed, method }) => isFailed && WRITES.includes(method));
        return answer;
      };
    return {
      ...storage,
      run: <T>(work: (stores: Stores) => Promise<T>, options?: object) =>
        storage.run(write('run', work) as typeof work, options),
      read: <T>(work: (stores: ReadStores) => Promise<T>) =>
        storage.read(write('read', work) as typeof work),
    };
  }
}

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** Stores whose every call is logged. */
const heard = <AnyStores extends object>(stores: AnyStores, calls: Call[]): AnyStores =>
  new Proxy(stores, {
    get: (all, store: string) => {
      const methods = Reflect.get(all, store) as object | undefined;
      if (!methods) return methods;
      return new Proxy(methods, {
        get: (one, method: string) => {
          const call = Reflect.get(one, method) as Method;
          return async (...given: unknown[]) => {
            const entry = { store, method, given };
            try {
              const answer = await call.apply(one, given);
              calls.push({ ...entry, answer, isFailed: false });
              return answer;
            } catch (error) {
              calls.push({ ...entry, answer: undefined, isFailed: true });
              throw error;
            }
          };
        },
      });
    },
  });

/** A JSON replacer: values that JSON lacks become objects, and fields have one order. */
function sayable(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return { map: [...value] };
  if (value instanceof Set) return { set: [...value] };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const textOf = (value: unknown): string => JSON.stringify(value, sayable) ?? 'nothing';

/** A user without counts may be absent or counted as zero: the port allows both. */
const counted = (figures: ReadonlyMap<unknown, object>): unknown =>
  new Map([...figures].filter(([, one]) => Object.values(one).some((count) => count !== 0)));

/** The answer as text, without the differences that the port allows. */
const said = ({ store, method }: Call, answer: unknown): string =>
  textOf(
    store === 'users' && method === 'figures' && answer instanceof Map ? counted(answer) : answer,
  );

const SHOWN = 1_000;
const different = (what: string, was: string, wanted: string): string =>
  `${what} ${was.slice(0, SHOWN)}, SQLite ${wanted.slice(0, SHOWN)}`;

class NotKept extends Error {}

/** Repeats the transactions on another storage. Returns the first different answer, or undefined. */
export async function repeatOn(
  other: UnitOfWork,
  works: readonly Work[],
): Promise<string | undefined> {
  const events: unknown[] = [];
  const stop = other.subscribe((event) => events.push(event));
  let found: string | undefined;
  const perform = async (stores: object, { calls, isKept, isCompared }: Work): Promise<void> => {
    for (const call of calls) {
      const { store, method, given, answer, isFailed } = call;
      if (isFailed) continue;
      const methods = Reflect.get(stores, store) as Readonly<Record<string, Method>>;
      const other = await methods[method]?.(...given).catch((error: unknown) => {
        // It may depend on writes of another transaction that were rolled back with it.
        if (isCompared) throw error;
      });
      const [wanted, was] = [said(call, answer), said(call, other)];
      if (isCompared && wanted !== was)
        found ??= different(`${store}.${method}(${textOf(given)}) answers`, was, wanted);
    }
    if (!isKept) throw new NotKept('taken back');
  };
  try {
    for (const work of works) {
      events.length = 0;
      const done =
        work.kind === 'run'
          ? other.run((all) => perform(all, work))
          : other.read((all) => perform(all, work));
      await done.catch((error: unknown) => {
        if (!(error instanceof NotKept)) throw error;
      });
      const added = work.calls.filter(
        ({ store, method }) => store === 'events' && method === 'add',
      );
      const wanted = textOf(work.isKept ? added.map(({ given: [event] }) => event) : []);
      const was = textOf(events);
      if (wanted !== was) found ??= different('a commit tells', was, wanted);
      if (found !== undefined) return found;
    }
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    stop();
  }
}
