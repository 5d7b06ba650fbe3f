import { type Bot, type RefusalCode, isBookkeeping } from '@slipstream/domain';
import type { Ports, Stores, TransactionOptions, UnitOfWork } from '@slipstream/ports';
import { type Actor, addAuditEntry } from './audit/actor.js';
import { CONCERNS } from './audit/concerns.js';
import type { RequestRecord } from './idempotency.js';

/** The stores of one transaction, and what a use case can say of the request that it serves. */
export interface Transaction extends Stores {
  /**
   * Said in the last transaction of a use case, with exactly what it will answer: under an Idempotency-Key the answer is then
   * kept together with the change (contract 1). Without one it does nothing.
   */
  answerWith(view: unknown): void;
  /** Said by a transaction that keeps nothing but that, and why, a request was refused; the audit log says so. */
  markRefused(code: RefusalCode): void;
}

/** A unit of work whose transactions serve one request, or one of the service's own tasks. */
export interface RequestUnitOfWork extends Pick<UnitOfWork, 'read'> {
  run<T>(work: (transaction: Transaction) => Promise<T>, terms?: TransactionOptions<T>): Promise<T>;
}

/** What goes into each transaction beside its changes: who is to be named in the audit log, and the record of a keyed request. */
export interface TransactionRecords {
  readonly audit: Pick<Ports, 'clock' | 'fingerprints'> & { readonly actor: Actor };
  readonly idempotency?: RequestRecord | undefined;
}

/**
 * Adds to each transaction that changes something its entry of the audit log, and to each of a request under an
 * Idempotency-Key the record of that request: no use case knows of them and none can forget them. One that changes nothing
 * leaves no entry.
 */
export function requestUnitOfWork(
  port: Pick<UnitOfWork, 'run' | 'read'>,
  { audit, idempotency }: TransactionRecords,
): RequestUnitOfWork {
  const { actor } = audit;
  return {
    read: (work) => port.read(work),
    run<T>(
      work: (transaction: Transaction) => Promise<T>,
      terms?: TransactionOptions<T>,
    ): Promise<T> {
      let sealedAnswer: string | null = null;
      const recorded = async (stores: Stores): Promise<T> => {
        const context = new TransactionContext(stores, actor.actor === 'system', idempotency);
        await idempotency?.begin(stores);
        const result = await work(context as unknown as Transaction);
        if (context.hasChanged) {
          const { refusedFor: code } = context;
          const outcome = code === null ? 'ok' : 'refused';
          const objects = context.objects();
          const at = audit.clock.now();
          await addAuditEntry(stores, audit, { at, ...actor, objects, outcome, code });
        }
        ({ sealedAnswer } = context);
        await idempotency?.end(stores, sealedAnswer);
        return result;
      };
      if (!idempotency) return port.run(recorded, terms);
      return port.run(recorded, {
        isWanted: terms?.isWanted,
        onCommit: (result) => {
          idempotency.committed(sealedAnswer !== null);
          terms?.onCommit?.(result);
        },
      });
    },
  };
}

type Write = 'save' | 'remove';
type Method = (...given: unknown[]) => Promise<void>;
type AnyStore = { readonly [Name in Write]?: Method };
type AnyConcerns = { readonly [Name in Write]?: (...given: unknown[]) => readonly string[] };

/** The stores of one transaction, each under its own name; they note what is changed by them. */
class TransactionContext {
  /** Why what was kept is a refusal; null when it is none. */
  refusedFor: RefusalCode | null = null;
  /** The answer, if the use case said it and it must be kept. */
  sealedAnswer: string | null = null;
  private readonly stores: Stores;
  private readonly isSystem: boolean;
  private readonly idempotency: RequestRecord | undefined;
  private readonly changed = new Set<string>();

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
          return concerns === null ? store : this.noted(store, concerns as AnyConcerns);
        },
      });
    }
  }

  /** The service looks at every active bot each minute: that it looked is told nobody. */
  get bots(): Stores['bots'] {
    const { bots } = this.stores;
    const noted = this.noted(bots as AnyStore, CONCERNS.bots as AnyConcerns) as Stores['bots'];
    if (!this.isSystem) return noted;
    const save = async (bot: Bot): Promise<void> => {
      const before = await bots.find(bot.id);
      return before && isBookkeeping(before, bot) ? bots.save(bot) : noted.save(bot);
    };
    return new Proxy(noted, {
      get: (methods, name) => (name === 'save' ? save : (Reflect.get(methods, name) as unknown)),
    });
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

  /** What was changed, as `kind:id`. */
  objects(): readonly string[] {
    return [...this.changed];
  }

  private noted<Store extends AnyStore>(store: Store, concerns: AnyConcerns): Store {
    return new Proxy(store, {
      get: (methods, name) => {
        const method: unknown = Reflect.get(methods, name);
        const objectsOf = concerns[name as Write];
        if (objectsOf === undefined) return method;
        return (...given: unknown[]) => {
          for (const object of objectsOf(...given)) this.changed.add(object);
          return (method as Method).apply(methods, given);
        };
      },
    });
  }
}
