import { type Bot, type RefusalCode, isBookkeeping } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { KEEP_ANSWER, type KeepAnswer } from '../keep-answer.js';
import { CONCERNS } from './concerns.js';
import { SAY_REFUSED } from './say-refused.js';

type Write = 'save' | 'remove';
type Method = (...given: unknown[]) => Promise<void>;
type AnyStore = { readonly [Name in Write]?: Method };
type AnyConcerns = { readonly [Name in Write]?: (...given: unknown[]) => readonly string[] };

/** The stores of one work, which note what is changed by them. Each is a property of the stores' own name. */
export class NotedStores {
  /** Why what was kept is a refusal; null when it is none. */
  refused: RefusalCode | null = null;
  readonly #stores: Stores & { readonly [KEEP_ANSWER]?: KeepAnswer };
  readonly #isSystem: boolean;
  readonly #objects = new Set<string>();

  constructor(stores: Stores, isSystem: boolean) {
    this.#stores = stores;
    this.#isSystem = isSystem;
  }

  static {
    for (const [name, concerns] of Object.entries(CONCERNS)) {
      if (name in this.prototype) continue;
      Object.defineProperty(this.prototype, name, {
        get(this: NotedStores) {
          const store = this.#stores[name as keyof Stores] as AnyStore;
          return concerns === null ? store : this.#noted(store, concerns as AnyConcerns);
        },
      });
    }
  }

  /** The service looks at every active bot each minute: that it looked is told nobody. */
  get bots(): Stores['bots'] {
    const { bots } = this.#stores;
    const noted = this.#noted(bots as AnyStore, CONCERNS.bots as AnyConcerns) as Stores['bots'];
    if (!this.#isSystem) return noted;
    const save = async (bot: Bot): Promise<void> => {
      const before = await bots.find(bot.id);
      return before && isBookkeeping(before, bot) ? bots.save(bot) : noted.save(bot);
    };
    return Object.create(noted, { save: { value: save } }) as Stores['bots'];
  }

  get [KEEP_ANSWER](): KeepAnswer | undefined {
    return this.#stores[KEEP_ANSWER];
  }

  [SAY_REFUSED](code: RefusalCode): void {
    this.refused = code;
  }

  get hasChanged(): boolean {
    return this.#objects.size > 0;
  }

  /** What was changed, as `kind:id`. */
  objects(): readonly string[] {
    return [...this.#objects];
  }

  #noted<Store extends AnyStore>(store: Store, concerns: AnyConcerns): Store {
    return new Proxy(store, {
      get: (methods, name) => {
        const method: unknown = Reflect.get(methods, name);
        const objectsOf = concerns[name as Write];
        if (objectsOf === undefined) return method;
        return (...given: unknown[]) => {
          for (const object of objectsOf(...given)) this.#objects.add(object);
          return (method as Method).apply(methods, given);
        };
      },
    });
  }
}
