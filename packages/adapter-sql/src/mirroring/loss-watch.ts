import { type Breach, type LossWatch, type StockId, decimal } from '@slipstream/domain';
import type { Codec } from '../storage/codec.js';

interface StoredBreach extends Pick<Breach, 'limit' | 'at'> {
  readonly equity: string;
  readonly from: string;
}

/** A breach of a limit of losses, as one text. */
export const breach: Codec<Breach, string> = {
  store: ({ limit, at, equity, from }) =>
    JSON.stringify({
      limit,
      at,
      equity: equity.toFixed(),
      from: from.toFixed(),
    } satisfies StoredBreach),
  load: (kept) => {
    const { limit, at, equity, from } = JSON.parse(kept) as StoredBreach;
    return { limit, at, equity: decimal(equity), from: decimal(from) };
  },
};

type StoredHolding = readonly [StockId, amount: string, price: string];

const storedHoldings = (holdings: LossWatch['holdings']): readonly StoredHolding[] =>
  [...holdings].map(([stockId, { amount, price }]) => [stockId, amount.toFixed(), price.toFixed()]);

const loadedHoldings = (stored: readonly StoredHolding[]): LossWatch['holdings'] =>
  new Map(
    stored.map(([stockId, amount, price]) => [
      stockId,
      { amount: decimal(amount), price: decimal(price) },
    ]),
  );

interface StoredWatch extends Pick<LossWatch, 'readAt' | 'day' | 'restarts'> {
  readonly cash: string;
  readonly dayStart: string;
  readonly peak: string;
  readonly holdings: readonly StoredHolding[];
  /** Absent in what was kept before brokers reported activities. */
  readonly since?: number;
  readonly counted?: readonly string[];
  /** What is lost is absent in what was kept before it was known apart: as much as went. */
  readonly unreported?: readonly [since: number, came: string, went: string, lost?: string];
  readonly keptShorts?: readonly StoredHolding[];
  readonly leftToOwner?: readonly StoredHolding[];
  readonly resumes?: boolean;
}

/** What the losses of an account are counted from, as one text. */
export const lossWatch: Codec<LossWatch, string> = {
  store: ({ cash, dayStart, peak, holdings, unreported, leftToOwner, keptShorts, ...rest }) =>
    JSON.stringify({
      ...rest,
      cash: cash.toFixed(),
      dayStart: dayStart.toFixed(),
      peak: peak.toFixed(),
      holdings: storedHoldings(holdings),
      ...(keptShorts && { keptShorts: storedHoldings(keptShorts) }),
      ...(leftToOwner && { leftToOwner: storedHoldings(leftToOwner) }),
      unreported: [
        unreported.since,
        unreported.came.toFixed(),
        unreported.went.toFixed(),
        unreported.lost.toFixed(),
      ],
    } satisfies StoredWatch),
  load: (kept) => {
    const stored = JSON.parse(kept) as StoredWatch;
    const { readAt, day, cash, dayStart, peak, holdings } = stored;
    const { since = readAt, counted = [], unreported, resumes = false } = stored;
    const { leftToOwner, keptShorts, restarts } = stored;
    const [firstAt, came, went, lost = went] = unreported ?? [readAt, '0', '0'];
    return {
      since,
      readAt,
      day,
      cash: decimal(cash),
      dayStart: decimal(dayStart),
      peak: decimal(peak),
      holdings: loadedHoldings(holdings),
      ...(keptShorts && { keptShorts: loadedHoldings(keptShorts) }),
      ...(leftToOwner && { leftToOwner: loadedHoldings(leftToOwner) }),
      counted,
      unreported: {
        since: firstAt,
        came: decimal(came),
        went: decimal(went),
        lost: decimal(lost),
      },
      resumes,
      ...(restarts && { restarts }),
    };
  },
};
