import { type Bot, type RefusalCode, type StrategyId, id, isBookkeeping } from '@slipstream/domain';
import type { Ports, Stores, TransactionOptions, UnitOfWork } from '@slipstream/ports';
import { type Actor, addAuditEntry } from './audit/actor.js';
import { CONCERNS } from './audit/concerns.js';
import { SAYINGS, type Said } from './endpoints/said.js';
import type { RequestRecord } from './idempotency.js';
import type { PerformanceCache } from './performance/performance-cache.js';
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
  run<T>(
    work: (transaction: Transaction) => Promise<T>,
    options?: TransactionOptions<T>,
  ): Promise<T>;
}

/** The additions to each transaction: the actor for the audit log, and the record of a keyed request. */
export interface TransactionRecords {
  readonly audit: Pick<Ports, 'clock' | 'fingerprints'> & { readonly actor: Actor };
  readonly idempotency?: RequestRecord | undefined;
  /** Takes the strategies whose figures a commit changed. */
  readonly rankChanges?: RankChanges | undefined;
  /** Takes the buckets of values that a commit saved. */
  readonly performances?: Pick<PerformanceCache, 'saved'> | undefined;
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
  { audit, idempotency, rankChanges, performances, tell }: TransactionRecords,
): RequestUnitOfWork {
  const { actor } = audit;
  return {
    read: (work) => port.read(work),
    run<T>(
      work: (transaction: Transaction) => Promise<T>,
      options?: TransactionOptions<T>,
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
          await addAuditEntry(stores, audit, { at, objects, outcome, code, ...actor });
        }
        ({ sealedAnswer } = context);
        await idempotency?.end(stores, sealedAnswer);
        changed = context;
        return result;
      };
      return port.run(recorded, {
        isWanted: options?.isWanted,
        onCommit: (result) => {
          if (rankChanges) changed?.addTo(rankChanges);
          if (performances)
            for (const saved of changed?.buckets ?? []) performances.saved(...saved);
          idempotency?.committed(sealedAnswer !== null);
          options?.onCommit?.(result);
        },
      });
    },
  };
}

type Write = 'add' | 'save' | 'remove';
type Method = (...given: unknown[]) => Promise<void>;
type Saying = (stores: Stores, ...given: unknown[]) => Promise<readonly Said[]>;
type AnyStore = { readonly [Name in Write]?: Method };
type AnyConcerns = { readonly [Name in Write]?: (...given: unknown[]) => readonly string[] };

const STRATEGY = 'strategy:';

/** The stores of one transaction by name; they record their changes. */
class TransactionContext {
  /** The reason if the transaction only stored a refusal; otherwise null. */
  refusedFor: RefusalCode | null = null;
  /** The answer, if the use case stated it and it must be stored. */
  sealedAnswer: string | null = null;
  /** In the order of the writes. */
  readonly said: Said[] = [];
  /** The buckets of values that were saved, each with the last one before it, in the order of the writes. */
  readonly buckets: Parameters<PerformanceCache['saved']>[] = [];
  private readonly stores: Stores;
  private readonly isSystem: boolean;
  private readonly idempotency: RequestRecord | undefined;
  private readonly changed = new Set<string>();
  private readonly valued = new Set<StrategyId>();
  /** The stores that were used. */
  private readonly wrapped: Partial<Record<string, AnyStore>> = {};

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
          return (this.wrapped[name] ??= this.noted(
            this.heard(name, this.stores[name as keyof Stores] as AnyStore),
            concerns as AnyConcerns | null,
            this.changed,
          ));
        },
      });
    }
  }

  /** The service checks every active bot each minute; such a check is not recorded. */
  get bots(): Stores['bots'] {
    return (this.wrapped['bots'] ??= this.notedBots()) as Stores['bots'];
  }

  /** The audit log does not name values, but ranks follow from them. */
  get valueHistory(): Stores['valueHistory'] {
    return (this.wrapped['valueHistory'] ??= this.notedValues()) as Stores['valueHistory'];
  }

  /** Adds the strategies whose figures the transaction changed. */
  addTo({ records, histories }: RankChanges): void {
    for (const strategyId of this.valued) histories.add(strategyId);
    for (const object of this.changed)
      if (object.startsWith(STRATEGY)) records.add(id(object.slice(STRATEGY.length)));
  }

  answerWith(view: unknown): void {
    this.sealedAnswer = this.idempotency?.seal(view) ?? null;
  }

  markRefused(code: RefusalCode): void {
    this.refusedFor = code;
  }

  private notedValues(): AnyStore {
    const { valueHistory } = this.stores;
    const heard = this.heard('valueHistory', valueHistory as AnyStore) as Stores['valueHistory'];
    const save: Stores['valueHistory']['save'] = async (strategyId, bucket) => {
      this.valued.add(strategyId);
      this.buckets.push([strategyId, await heard.last(strategyId), bucket]);
      await heard.save(strategyId, bucket);
    };
    const remove: Stores['valueHistory']['remove'] = (strategyId, starts) => {
      this.valued.add(strategyId);
      return heard.remove(strategyId, starts);
    };
    return withMethods(heard as AnyStore, { save: save as Method, remove: remove as Method });
  }

  private notedBots(): AnyStore {
    const { bots } = this.stores;
    const heard = this.heard('bots', bots as AnyStore);
    const noted = this.noted(heard, CONCERNS.bots as AnyConcerns, this.changed) as Stores['bots'];
    if (!this.isSystem) return noted as AnyStore;
    const save = async (bot: Bot): Promise<void> => {
      const before = await bots.find(bot.id);
      return before && isBookkeeping(before, bot) ? bots.save(bot) : noted.save(bot);
    };
    return withMethods(noted as AnyStore, { save: save as Method });
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
    const telling =
      (write: Write): Method =>
      async (...given) => {
        this.said.push(...(await saying(this.stores, ...given)));
        await (store[write] as Method).apply(store, given);
      };
    return withMethods(store, { add: telling('add'), save: telling('save') });
  }

  /** The store, whose writes add the objects that they concern to `into`. */
  private noted(store: AnyStore, concerns: AnyConcerns | null, into: Set<string>): AnyStore {
    if (!concerns) return store;
    const noting = (write: Write): Method | undefined => {
      const objectsOf = concerns[write];
      return (
        objectsOf &&
        ((...given) => {
          for (const object of objectsOf(...given)) into.add(object);
          return (store[write] as Method).apply(store, given);
        })
      );
    };
    return withMethods(store, {
      add: noting('add'),
      save: noting('save'),
      remove: noting('remove'),
    });
  }
}

const isWrite = (name: string | symbol): name is Write =>
  name === 'add' || name === 'save' || name === 'remove';

/** The store with these methods in place of its own. */
const withMethods = (
  store: AnyStore,
  own: { readonly [Name in Write]?: Method | undefined },
): AnyStore =>
  new Proxy(store, {
    get: (methods, name) =>
      (isWrite(name) ? own[name] : undefined) ?? (Reflect.get(methods, name) as unknown),
  });
