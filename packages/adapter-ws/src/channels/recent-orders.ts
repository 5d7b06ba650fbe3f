import type { StrategyId } from '@slipstream/domain';
import type { OrdersChanged } from '@slipstream/ports';

/** So many changes are known, at most about 20 MB; of a busy service those of some ten seconds. */
const MOST = 10_000;

/** The latest changes of orders, for clients that go on after the last one that they were told. */
export class RecentOrders {
  /** In their order, the oldest first. */
  private readonly all = new Set<OrdersChanged>();
  private readonly byStrategy = new Map<StrategyId, Set<OrdersChanged>>();

  constructor(private readonly most = MOST) {}

  add(changed: OrdersChanged): void {
    const { strategyId } = changed;
    const known = this.byStrategy.get(strategyId) ?? new Set();
    this.byStrategy.set(strategyId, known.add(changed));
    this.all.add(changed);
    if (this.all.size > this.most) this.dropOldest();
  }

  /** Adds what was told before; of what is known already, nothing is added twice. */
  addPast(past: readonly OrdersChanged[]): void {
    const since = [...this.all];
    const firstOf = new Map(
      [...this.byStrategy].map(([strategyId, known]) => [strategyId, firstVersion(known)]),
    );
    this.all.clear();
    this.byStrategy.clear();
    for (const changed of past)
      if (changed.version < (firstOf.get(changed.strategyId) ?? Infinity)) this.add(changed);
    for (const changed of since) this.add(changed);
  }

  /**
   * The changes after a version of the strategy's book, whose version is `current` now. Undefined when it is not known whether
   * these are all.
   */
  since(
    strategyId: StrategyId,
    version: number,
    current: number,
  ): readonly OrdersChanged[] | undefined {
    const known = this.byStrategy.get(strategyId) ?? new Set();
    const isKnown = version <= current && version >= (firstVersion(known) ?? current + 1) - 1;
    return isKnown ? [...known].filter((changed) => changed.version > version) : undefined;
  }

  private dropOldest(): void {
    const [oldest] = this.all;
    if (!oldest) return;
    this.all.delete(oldest);
    const known = this.byStrategy.get(oldest.strategyId);
    known?.delete(oldest);
    if (known?.size === 0) this.byStrategy.delete(oldest.strategyId);
  }
}

function firstVersion(known: ReadonlySet<OrdersChanged>): number | undefined {
  const [first] = known;
  return first?.version;
}
