import type { StrategyId } from '@slipstream/domain';
import type { OrdersChanged } from '@slipstream/ports';

/** What became of so many orders is known, 20 MB at most; of a busy service that of some ten seconds. */
const MOST = 10_000;

/** The latest changes of orders, for clients that go on after the last one that they were told. */
export class RecentOrders {
  /** In their order, the oldest first. */
  private readonly all = new Set<OrdersChanged>();
  private readonly byStrategy = new Map<StrategyId, OrdersChanged[]>();
  private orders = 0;

  constructor(private readonly most = MOST) {}

  /** Adds a change, unless it is known: it may have been read before it was heard. */
  add(changed: OrdersChanged): void {
    const { strategyId, version, changes } = changed;
    const known = this.byStrategy.get(strategyId) ?? [];
    if (version <= (known.at(-1)?.version ?? -1)) return;
    known.push(changed);
    this.byStrategy.set(strategyId, known);
    this.all.add(changed);
    this.orders += changes.length;
    while (this.orders > this.most) this.dropOldest();
  }

  /** Adds what was told before; of what is known already, nothing is added twice. */
  addPast(past: readonly OrdersChanged[]): void {
    const since = [...this.all];
    const firstOf = new Map(
      [...this.byStrategy].map(([strategyId, known]) => [strategyId, known[0]?.version]),
    );
    this.all.clear();
    this.byStrategy.clear();
    this.orders = 0;
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
    const known = this.byStrategy.get(strategyId) ?? [];
    const isKnown = version <= current && version >= (known[0]?.version ?? current + 1) - 1;
    return isKnown ? known.filter((changed) => changed.version > version) : undefined;
  }

  private dropOldest(): void {
    const [oldest] = this.all;
    if (!oldest) return;
    this.all.delete(oldest);
    this.orders -= oldest.changes.length;
    const known = this.byStrategy.get(oldest.strategyId);
    known?.shift();
    if (known?.length === 0) this.byStrategy.delete(oldest.strategyId);
  }
}
