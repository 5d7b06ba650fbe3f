import {
  type Bot,
  type BrokerAccount,
  FIRST_PACE,
  type Pace,
  type RebalanceOrder,
  type Timestamp,
  type Weights,
  attainableTarget,
  isoMinute,
  opensAt,
  paceAfterOrders,
  paceFrom,
  paceInLine,
  pacedTarget,
  withinLimits,
} from '@slipstream/domain';
import { finished } from '../../finished.js';
import type { BotDeps } from '../bot-deps.js';
import type { Comparison } from '../compare-account.js';

/** What a bot may bring in line now, by its rebalance (contract 10). */
export interface PacedPlan {
  readonly weights: Weights;
  /** When the stocks that are held back may be traded; null when none is. */
  readonly wakesAt: Timestamp | null;
  /** Which stocks wait, as text for users. */
  readonly notes: readonly string[];
  /** The pace while something is still to be done at once. */
  readonly pace: Pace;
  /** The pace once these orders were planned. */
  readonly after: (orders: readonly RebalanceOrder[]) => Pace;
  /** The pace once nothing is to be done now. */
  readonly rests: Pace;
}

const waitText = (symbols: readonly string[], at: Timestamp): string =>
  `Increases and drift of ${symbols.toSorted().join(', ')} wait until ${isoMinute(at)}, by rebalance.`;

/** The target as the bot may follow it now. What is held anyway stays within its limits and its broker's. */
export async function pacedPlan(
  { clock, pause, market }: Pick<BotDeps, 'clock' | 'pause' | 'market'>,
  bot: Bot,
  account: BrokerAccount,
  compared: Comparison & { readonly kind: 'compared' },
): Promise<PacedPlan> {
  const { rebalance: rule, pace, type } = bot;
  const now = clock.now();
  const { stocks, following } = compared;
  const opens = opensAt(rule, pace, type, now);
  const isOpen = opens <= now;
  const target = await finished(
    pacedTarget(compared.weights, { account, stocks, rule, pace, isOpen, following }),
    pause,
  );
  const { turning, heldBack, governed } = target;
  const attainable = attainableTarget(target.weights, stocks, account, compared.nameOf).weights;
  const isPaced = rule !== 'every_trade';
  const next = { ...pace, turning };
  const symbols = heldBack.map((stockId) => market().stock(stockId)?.symbol ?? stockId);
  return {
    weights: isPaced ? withinLimits(attainable, account.equity, bot.limits) : compared.weights,
    wakesAt: heldBack.length > 0 ? opens : null,
    notes: heldBack.length > 0 ? [waitText(symbols, opens)] : [],
    pace: next,
    after: (orders) =>
      orders.some(({ stockId }) => governed.has(stockId))
        ? paceAfterOrders(next, rule, type, now)
        : next,
    rests:
      heldBack.length > 0 ? { ...next, reducesAtOnce: false } : paceInLine(pace, rule, type, now),
  };
}

/** The pace of a bot that starts from off. */
export const startingPace = ({ rebalance, type }: Bot, now: Timestamp): Pace =>
  paceFrom(FIRST_PACE, rebalance, type, now);
