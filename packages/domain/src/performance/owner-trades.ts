import type { Timestamp, TradeId } from '../ids.js';
import type { BotOrder } from '../mirroring/bot.js';
import { type Decimal, ONE, ZERO, decimal, divide, max, min, round18 } from '../numbers/decimal.js';
import { DAY } from '../time.js';
import type { Trade } from '../trading/order.js';
import { type Segmented, currentSegment } from './segments.js';

/** How much of a strategy its owner mirrors with real money (contract 8). */
export interface OwnerTrades {
  /** The mirrored part (0 to 1) of the fills' notional. */
  readonly share: Decimal;
  /** The oldest fill of which any part was mirrored. */
  readonly since: Timestamp;
  /** The number of the owner's live bots that mirrored any part. */
  readonly bots: number;
  /** When it was computed. */
  readonly at: Timestamp;
}

/** Older fills do not count. */
export const OWNER_TRADES_SPAN = 90 * DAY;
/** A smaller share is not shown. */
const LEAST_SHARE = decimal('0.9');
/** It is computed once a day. An older figure is not known to hold still. */
const KNOWN_FOR = 2 * DAY;

/** The moment from which fills count: never before the present segment. Undefined while no segment goes on. */
export function ownerTradesFrom(record: Segmented, now: Timestamp): Timestamp | undefined {
  const current = currentSegment(record);
  return current && Math.max(now - OWNER_TRADES_SPAN, current.startedAt);
}

/** The orders of one cycle share a trade; those of another cycle trade the part that was left. */
interface Followed {
  readonly cycle: number;
  readonly amount: Decimal;
  readonly filled: Decimal;
  /** The part that the other cycles left. */
  readonly left: Decimal;
}

function leftBy({ amount, filled, left }: Followed): Decimal {
  if (amount.lte(ZERO)) return left;
  const part = min(ONE, divide(filled, amount, 'down'));
  return round18(left.times(ONE.minus(part)), 'up');
}

/** The parts of trades that one bot mirrored, by its orders. */
export class MirroredTrades {
  readonly #followed = new Map<TradeId, Followed>();

  /** Adds an order; those of one cycle follow each other. */
  add({
    cycle,
    tradeIds,
    amount,
    filledAmount,
  }: Pick<BotOrder, 'cycle' | 'tradeIds' | 'amount' | 'filledAmount'>): void {
    for (const tradeId of tradeIds) {
      const before = this.#followed.get(tradeId);
      const next: Followed =
        before?.cycle === cycle
          ? {
              ...before,
              amount: before.amount.plus(amount),
              filled: before.filled.plus(filledAmount),
            }
          : { cycle, amount, filled: filledAmount, left: before ? leftBy(before) : ONE };
      this.#followed.set(tradeId, next);
    }
  }

  /** The mirrored part (0 to 1) of the trade. */
  partOf(tradeId: TradeId): Decimal {
    const followed = this.#followed.get(tradeId);
    return followed ? ONE.minus(leftBy(followed)) : ZERO;
  }
}

/** Sums the fills of a strategy beside what the bots of its owner mirrored. */
export class OwnerShare {
  #total = ZERO;
  #mirrored = ZERO;
  #since: Timestamp | undefined;
  readonly #mirroring = new Set<MirroredTrades>();

  constructor(readonly bots: readonly MirroredTrades[]) {}

  /** Adds a fill. It counts once, by the bot that mirrored the most of it. One of a delisting is settled without a quote: nobody trades it. */
  add({
    id,
    total,
    createdAt,
    market,
    quoteAt,
  }: Pick<Trade, 'id' | 'total' | 'createdAt' | 'market' | 'quoteAt'>): void {
    if (quoteAt === null && market !== 'unknown') return;
    const notional = total.abs();
    this.#total = this.#total.plus(notional);
    let most = ZERO;
    for (const bot of this.bots) {
      const part = bot.partOf(id);
      if (part.gt(ZERO)) this.#mirroring.add(bot);
      most = max(most, part);
    }
    if (most.lte(ZERO)) return;
    this.#mirrored = this.#mirrored.plus(notional.times(most));
    this.#since = Math.min(this.#since ?? createdAt, createdAt);
  }

  /** Null if no part of a fill was mirrored. */
  figure(at: Timestamp): OwnerTrades | null {
    if (this.#since === undefined || this.#total.lte(ZERO)) return null;
    const share = divide(this.#mirrored, this.#total, 'down');
    return { share, since: this.#since, bots: this.#mirroring.size, at };
  }
}

/** The figure as readers see it: from nine tenths on, while it is known, and never of fills before the present segment. */
export function shownOwnerTrades(
  record: Segmented & { readonly ownerTrades: OwnerTrades | null },
  now: Timestamp,
): OwnerTrades | null {
  const { ownerTrades: figure } = record;
  const from = currentSegment(record)?.startedAt;
  if (!figure || from === undefined || figure.since < from) return null;
  return figure.share.gte(LEAST_SHARE) && now - figure.at < KNOWN_FOR ? figure : null;
}
