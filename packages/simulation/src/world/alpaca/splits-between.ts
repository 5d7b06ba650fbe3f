import { type Decimal, ZERO, divide } from '@slipstream/domain';

/** How long after a split shares may come. */
const SHARES_LATER = 600_000;

/** A split that the venue applied before the service. */
interface SplitAhead {
  readonly stockId: string;
  readonly ratio: Decimal;
}

/** A split whose shares come later: of what was held when it took effect. */
interface SplitBehind extends SplitAhead {
  readonly dueAt: number;
  /** By account. */
  readonly held: ReadonlyMap<string, Decimal>;
}

/** What splits need of the venue. */
interface Holdings {
  /** The time at the venue. */
  readonly now: () => number;
  /** By account, what is held of the stock; its open orders end. */
  readonly beginSplit: (stockId: string) => ReadonlyMap<string, Decimal>;
  /** New shares come for what was held. */
  readonly split: (stockId: string, ratio: Decimal, held: ReadonlyMap<string, Decimal>) => void;
}

/** The splits that have reached the venue or the service alone. */
export interface SplitsBetween {
  /** The splits that only the venue has, oldest first. */
  ahead(): readonly SplitAhead[];
  /** Applies a split that nobody else has yet. */
  splitsFirst(stockId: string, ratio: Decimal): void;
  /** Shares come some minutes later than the next split of the stock. */
  splitsLast(stockId: string): void;
  /** Whether the venue is still to apply a split that the service has to a holding of the account. */
  isBehind(stockId: string, accountId: string): boolean;
  /** Whether a split of the stock has reached one side alone, for that account if it is named. */
  isBetween(stockId: string, accountId?: string): boolean;
}

/** Keeps them. */
export function splitsBetween({ now, beginSplit, split }: Holdings) {
  let ahead: readonly SplitAhead[] = [];
  let behind: readonly SplitBehind[] = [];
  const comesLater = new Set<string>();

  const stillToCome = (stockId: string): readonly SplitBehind[] =>
    behind.filter((one) => one.stockId === stockId && one.dueAt > now());
  const isBehind = (stockId: string, accountId: string): boolean =>
    stillToCome(stockId).some(({ held }) => held.get(accountId)?.eq(ZERO) === false);

  const seen: SplitsBetween = {
    ahead: () => ahead,
    splitsFirst(stockId, ratio) {
      split(stockId, ratio, beginSplit(stockId));
      ahead = [...ahead, { stockId, ratio }];
    },
    splitsLast: (stockId) => void comesLater.add(stockId),
    isBehind,
    isBetween: (stockId, accountId) =>
      ahead.some((one) => one.stockId === stockId) ||
      (accountId === undefined ? stillToCome(stockId).length > 0 : isBehind(stockId, accountId)),
  };
  return {
    seen,
    /** The venue's price, where the market has one of old shares. */
    inNewShares: (stockId: string, price: Decimal): Decimal =>
      ahead
        .filter((one) => one.stockId === stockId)
        .reduce((found, { ratio }) => divide(found, ratio), price),
    /** Brings the shares that are due. */
    bringShares(): void {
      for (const { stockId, ratio, held } of behind.filter(({ dueAt }) => dueAt <= now()))
        split(stockId, ratio, held);
      behind = behind.filter(({ dueAt }) => dueAt > now());
    },
    /** The service has the split. */
    booked(stockId: string, ratio: Decimal): void {
      const known = ahead.find((one) => one.stockId === stockId && one.ratio.eq(ratio));
      if (known) return void (ahead = ahead.filter((one) => one !== known));
      const held = beginSplit(stockId);
      const dueAt = now() + (comesLater.delete(stockId) ? SHARES_LATER : 0);
      if (dueAt > now()) behind = [...behind, { stockId, ratio, dueAt, held }];
      else split(stockId, ratio, held);
    },
    /** The stock is gone, and its splits with it. */
    forget(stockId: string): void {
      behind = behind.filter((one) => one.stockId !== stockId);
      ahead = ahead.filter((one) => one.stockId !== stockId);
    },
  };
}
