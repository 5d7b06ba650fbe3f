import type { StockId } from '../../ids.js';
import { type Decimal, PLACES, ZERO, divide } from '../../numbers/decimal.js';
import { type Steps, mapInSteps } from '../../steps.js';
import { type Move, moveToward, orderToward } from '../rebalance/order.js';
import type { Weights } from '../rebalance/weights.js';
import { type BrokerAccount, type TradedStock, heldValue } from '../bot-account.js';
import type { Following } from '../followed-trades.js';
import type { Pace } from './pace.js';
import type { RebalanceRule } from './rebalance-rule.js';

/** The target as its pace lets the bot follow it now. */
export interface PacedTarget {
  readonly weights: Weights;
  /** Stocks beyond the band that wait. */
  readonly heldBack: readonly StockId[];
  /** Stocks beyond the band whose increase or drift may be ordered now. */
  readonly governed: ReadonlySet<StockId>;
  /** Stocks that turn to the other side in two orders. */
  readonly turning: readonly StockId[];
}

interface Paced {
  readonly account: BrokerAccount;
  readonly stocks: ReadonlyMap<StockId, TradedStock>;
  readonly rule: RebalanceRule;
  readonly pace: Pace;
  /** Whether increases and corrections of drift may be ordered now. */
  readonly isOpen: boolean;
  readonly following: Following;
}

/** Whether the move follows its strategies' reduction, exit or reversal, or the owner's word: it is never held back. */
function isAtOnce({ kind, stockId, action }: Move, { pace, following }: Paced): boolean {
  switch (kind) {
    case 'close':
    case 'reverse':
      return true;
    case 'reduce':
      return pace.reducesAtOnce || following.open.get(stockId)?.actions.includes(action) === true;
    case 'open':
    case 'increase':
      return pace.turning.includes(stockId);
  }
}

/** The present weight of a holding; zero where the move would open one. */
const presentWeight = ({ equity, ...held }: BrokerAccount, { kind, stockId }: Move): Decimal =>
  kind === 'open' ? ZERO : divide(heldValue(held, stockId), equity, 'down', 2 * PLACES);

type Verdict = 'at_once' | 'now' | 'within_band' | 'held_back';

function verdictOf(move: Move, weight: Decimal, paced: Paced): Verdict {
  const { account, rule, isOpen } = paced;
  if (rule === 'every_trade' || isAtOnce(move, paced)) return 'at_once';
  const distance = account.equity.times(weight).minus(heldValue(account, move.stockId)).abs();
  if (rule.band && distance.lte(account.equity.times(rule.band))) return 'within_band';
  return isOpen ? 'now' : 'held_back';
}

/**
 * Holds increases and corrections of drift back (contract 10, `rebalance`): the stock then keeps its present weight. A reduction, an
 * exit and a reversal of the strategies is in the target at once, whatever the rule. In steps.
 */
export function* pacedTarget(target: Weights, paced: Paced): Steps<PacedTarget> {
  const { account, stocks, rule, pace } = paced;
  if (rule === 'every_trade' || !account.equity.gt(ZERO))
    return { weights: target, heldBack: [], governed: new Set(), turning: [] };
  const stockIds = new Set([...target.keys(), ...account.positions.map(({ stockId }) => stockId)]);
  const found = yield* mapInSteps(stockIds, (stockId) => {
    const weight = target.get(stockId) ?? ZERO;
    const stock = stocks.get(stockId);
    const move = stock && moveToward(account, stockId, stock, weight);
    if (!move || !orderToward(move, account.equity)) return { stockId, weight, verdict: null };
    const turns = heldValue(account, stockId).times(weight).lt(ZERO);
    const verdict = verdictOf(move, weight, paced);
    const waits = verdict === 'within_band' || verdict === 'held_back';
    return { stockId, weight: waits ? presentWeight(account, move) : weight, verdict, turns };
  });
  const idsOf = (verdict: Verdict): StockId[] =>
    found.flatMap((one) => (one.verdict === verdict ? [one.stockId] : []));
  return {
    weights: new Map(
      found.flatMap(({ stockId, weight }) => (weight.eq(ZERO) ? [] : [[stockId, weight]])),
    ),
    heldBack: idsOf('held_back'),
    governed: new Set(idsOf('now')),
    turning: found.flatMap(({ stockId, verdict, turns }) =>
      verdict !== null && (turns === true || pace.turning.includes(stockId)) ? [stockId] : [],
    ),
  };
}
