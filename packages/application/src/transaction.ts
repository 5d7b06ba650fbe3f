import { type Bot, type RefusalCode, id, isBookkeeping } from '@slipstream/domain';
import type { Ports, Stores, TransactionOptions, UnitOfWork } from '@slipstream/ports';
import { type Actor, addAuditEntry } from './audit/actor.js';
import { CONCERNS } from './audit/concerns.js';
import { SAYINGS, type Said } from './endpoints/said.js';
import type { RequestRecord } from './idempotency.js';
import type { RankChanges } from './performance/ranks/rank-changes.js';

/** The stores of one transaction, and the statements of a use case about its request. */
export interface Transaction extends Stores {
  /**
   * A use case calls this in its last transaction with its exact answer. With an Idempotency-Key the answer is then stored
   * together with the change (contract 1). Without one it does nothing.
   */
  answerWith(view: unknown): void;
  /** Called by a transaction that only stores that a request was refused, and why; the audit log then has `refused`. */
  markRefused(code: RefusalCode): void;
}

/** A unit of work whose transactions serve one request, or one of the service's own tasks. */
export interface RequestUnitOfWork extends Pick<UnitOfWork, 'read'> {
  run<T>(work: (transaction: Transaction) => Promise<T>, terms?: TransactionOptions<T>): Promise<T>;
}

/** The additions to each transaction: the actor for the audit log, and the record of a keyed request. */
export interface TransactionRecords {
  readonly audit: Pick<Ports, 'clock' | 'fingerprints'> & { readonly actor: Actor };
  readonly idempotency?: RequestRecord | undefined;
  /** Takes the strategies whose figures a commit changed. */
  readonly rankChanges?: RankChanges | undefined;
  /** Keeps what the writes said for endpoints. */
  readonly tell?: ((stores: Stores, said: readonly Said[]) => Promise<void>) | undefined;
}

/**
 * Adds an audit entry to each transaction with a change, and the request's record to each transaction of a request with an
 * Idempotency-Key. Use cases do not know of them, so none can forget them. A transaction without a change
 * leaves no entry.
 */
export function requestUnitOfWork(
  port: Pick<UnitOfWork, 'run' | 'read'>,
  { audit, idempotency, rankChanges, tell }: TransactionRecords,
): RequestUnitOfWork {
  const { actor } = audit;
  return {
    read: (work) => port.read(work),
    run<T>(
      work: (transaction: Transaction) => Promise<T>,
      terms?: TransactionOptions<T>,
    ): Promise<T> {
      let sealedAnswer: string | null = null;
      let changed: TransactionContext | undefined;
      const recorded = async (stores: Stores): Promise<T> => {
        const context = new TransactionContext(stores, actor.actor === 'system', idempotency);
        await idempotency?.begin(stores);
        const result = await work(context as unknown as Transaction);
        if (context.said.length > 0) await tell?.(stores, context.said);
        if (context.hasChanged) {
          const { refusedFor: code } = context;
          const outcome = code === null ? 'ok' : 'refused';
          const objects = context.objects();
          const at = audit.clock.now();
          await addAuditEntry(stores, audit, { at, ...actor, objects, outcome, code });
        }
        ({ sealedAnswer } = context);
        await idempotency?.end(stores, sealedAnswer);
        changed = context;
        return result;
      };
      return port.run(recorded, {
        isWanted: terms?.isWanted,
        onCommit: (result) => {
          if (rankChanges) changed?.addTo(rankChanges);
          idempotency?.committed(sealedAnswer !== null);
          terms?.onCommit?.(result);
        },
      });
    },
  };
}

type Write = 'save' | 'remove';
type Method = (...given: unknown[]) => Promise<void>;
type Saying = (stores: Stores, ...given: unknown[]) => Promise<readonly Said[]>;
type AnyStore = { readonly [Name in Write]?: Method };
type AnyConcerns = { readonly [Name in Write]?: (...given: unknown[]) => readonly string[] };

const STRATEGY = 'strategy:';
const VALUES = {
  save: (strategyId: string): readonly string[] => [strategyId],
  remove: (strategyId: string): readonly string[] => [strategyId],
};

/** The stores of one transaction by name; they record their changes. */
class TransactionContext {
  /** The reason if the transaction only stored a refusal; otherwise null. */
  refusedFor: RefusalCode | null = null;
  /** The answer, if the use case stated it and it must be stored. */
  sealedAnswer: string | null = null;
  /** In the order of the writes. */
  readonly said: Said[] = [];
  private readonly stores: Stores;
  private readonly isSystem: boolean;
  private readonly idempotency: RequestRecord | undefined;
  private readonly changed = new Set<string>();
  private readonly valued = new Set<string>();

  constructor(stores: Stores, isSystem: boolean, idempotency: RequestRecord | undefined) {
    this.stores = stores;
    this.isSystem = isSystem;
    this.idempotency = idempotency;
  }

  static {
    for (const [name, concerns] of Object.entries(CONCERNS)) {
      if (name in this.prototype) continue;
      Object.defineProperty(this.prototype, name, {
        get(this: TransactionContext) {
          const store = this.stores[name as keyof Stores] as AnyStore;
          const heard = this.heard(name, store);
          return concerns === null
            ? heard
            : this.noted(heard, concerns as AnyConcerns, this.changed);
        },
      });
    }
  }

  /** The service checks every active bot each minute; such a check is not recorded. */
  get bots(): Stores['bots'] {
    const { bots } = this.stores;
    const heard = this.heard('bots', bots as AnyStore);
    const concerns = CONCERNS.bots as AnyConcerns;
    const noted = this.noted(heard, concerns, this.changed) as Stores['bots'];
    if (!this.isSystem) return noted;
    const save = async (bot: Bot): Promise<void> => {
      const before = await bots.find(bot.id);
      return before && isBookkeeping(before, bot) ? bots.save(bot) : noted.save(bot);
    };
    return new Proxy(noted, {
      get: (methods, name) => (name === 'save' ? save : (Reflect.get(methods, name) as unknown)),
    });
  }

  /** The audit log does not name values, but ranks follow from them. */
  get valueHistory(): Stores['valueHistory'] {
    const heard = this.heard('valueHistory', this.stores.valueHistory as AnyStore);
    return this.noted(heard, VALUES as AnyConcerns, this.valued) as Stores['valueHistory'];
  }

  /** Adds the strategies whose figures the transaction changed. */
  addTo({ records, histories }: RankChanges): void {
    for (const strategyId of this.valued) histories.add(id(strategyId));
    for (const object of this.changed)
      if (object.startsWith(STRATEGY)) records.add(id(object.slice(STRATEGY.length)));
  }

  answerWith(view: unknown): void {
    this.sealedAnswer = this.idempotency?.seal(view) ?? null;
  }

  markRefused(code: RefusalCode): void {
    this.refusedFor = code;
  }

  get hasChanged(): boolean {
    return this.changed.size > 0;
  }

  /** The changed objects, as `kind:id`. */
  objects(): readonly string[] {
    return [...this.changed];
  }

  /** The store, whose writes are asked first what they say to endpoints. */
  private heard(name: string, store: AnyStore): AnyStore {
    const saying = SAYINGS[name as keyof typeof SAYINGS] as Saying | undefined;
    if (!saying) return store;
    const save = async (...given: unknown[]): Promise<void> => {
      this.said.push(...(await saying(this.stores, ...given)));
      await (store.save as Method).apply(store, given);
    };
    return new Proxy(store, {
      get: (methods, method) =>
        method === 'save' ? save : (Reflect.get(methods, method) as unknown),
    });
  }

  private noted<Store extends AnyStore>(
    store: Store,
    concerns: AnyConcerns,
    into: Set<string>,
  ): Store {
    return new Proxy(store, {
      get: (methods, name) => {
        const method: unknown = Reflect.get(methods, name);
        const objectsOf = concerns[name as Write];
        if (objectsOf === undefined) return method;
        return (...given: unknown[]) => {
          for (const object of objectsOf(...given)) into.add(object);
          return (method as Method).apply(methods, given);
        };
      },
    });
  }
}
