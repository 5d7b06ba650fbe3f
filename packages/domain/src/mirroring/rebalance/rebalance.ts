import { type BrokerAccount, type TradedStock, heldAmount } from '../bot-account.js';
import { type Decimal, ONE, ZERO, decimalText, max, min, sum } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import { type Steps, mapInSteps } from '../../steps.js';
import { type Envelope, UNBOUND, besideReductions, stoppedToday } from '../limits/envelope.js';
import {
  type Move,
  type RebalanceOrder,
  closingPart,
  isReducing,
  orderToward,
  moveToward,
} from './order.js';
import { affordable } from './room.js';
import type { Weights } from './weights.js';

/** The orders to place now. An empty plan that does not wait has converged. */
export interface RebalancePlan {
  readonly orders: readonly RebalanceOrder[];
  /** Symbols that cannot be traded now though they should be. */
  readonly waitsFor: readonly string[];
  /** Why the broker lets the account not do the rest now, as text for users; null when it lets it. */
  readonly blocked: string | null;
  /** The skipped orders with their reasons, as text for users. */
  readonly notes: readonly string[];
}

type Stocks = ReadonlyMap<StockId, TradedStock>;

/** The holding that has no move. One that has a target is on its other side, which the broker does not cross to. */
function tooSmallToSell(held: Decimal, weight: Decimal, { symbol }: TradedStock): string[] {
  if (held.eq(ZERO)) return [];
  const text = `${decimalText(held)} ${symbol} is too small to sell and counts as flat.`;
  if (weight.eq(ZERO)) return [text];
  return [`${text} The broker opens no ${held.gt(ZERO) ? 'short' : 'long'} beside it.`];
}

function largestFirst(moves: readonly Move[]): readonly Move[] {
  const valued = moves.map((move) => ({ move, value: move.closedValue.plus(move.addedValue) }));
  valued.sort(
    (first, second) =>
      second.value.cmp(first.value) || (first.move.stockId < second.move.stockId ? -1 : 1),
  );
  return valued.map(({ move }) => move);
}

interface PlannedMoves {
  readonly moves: readonly Move[];
  readonly notes: readonly string[];
  /** Held or wanted, but nothing that this broker is known to trade. */
  readonly foreign: readonly StockId[];
}

function* plannedMoves(
  account: BrokerAccount,
  target: Weights,
  stocks: Stocks,
): Steps<PlannedMoves> {
  const stockIds = new Set([...target.keys(), ...account.positions.map(({ stockId }) => stockId)]);
  const found = yield* mapInSteps(stockIds, (stockId) => {
    const stock = stocks.get(stockId);
    const weight = target.get(stockId) ?? ZERO;
    return { stockId, stock, weight, move: stock && moveToward(account, stockId, stock, weight) };
  });
  return {
    moves: largestFirst(found.flatMap(({ move }) => move ?? [])),
    notes: found.flatMap(({ stockId, stock, weight, move }) =>
      stock && !move ? tooSmallToSell(heldAmount(account, stockId), weight, stock) : [],
    ),
    foreign: found.flatMap(({ stockId, stock }) => (stock ? [] : [stockId])),
  };
}

interface Allowed {
  readonly moves: readonly Move[];
  readonly blocked: string | null;
}

/** That the broker does not let the account do everything, as text for users; null while it does. */
export function accountBlock({
  allows,
  because,
}: Pick<BrokerAccount, 'allows' | 'because'>): string | null {
  if (allows === 'all') return null;
  const what = allows === 'closing' ? 'only close positions' : 'trade nothing';
  const why = because === null ? '' : `: ${because.replace(/\.$/, '')}`;
  return `The broker lets this account ${what}${why}.`;
}

/** What the account may do of these moves. What it may not do waits: an order would only be rejected. */
function allowedMoves(account: BrokerAccount, moves: readonly Move[]): Allowed {
  const { allows } = account;
  if (allows === 'all') return { moves, blocked: null };
  const closing = moves.flatMap((move) => closingPart(move) ?? []);
  const isWhole = moves.every((move) => move.addedValue.eq(ZERO));
  if (moves.length === 0 || (allows === 'closing' && isWhole)) return { moves, blocked: null };
  return { moves: allows === 'closing' ? closing : [], blocked: accountBlock(account) };
}

const tradableNow = ({ stock }: Move): boolean =>
  stock.rules.session === 'open' && stock.doubt === null;

function waitName({ stock: { symbol, rules, doubt } }: Move): string {
  if (rules.session === 'halted') return `${symbol} (halted)`;
  return rules.session === 'open' && doubt !== null ? `${symbol} (${doubt})` : symbol;
}

/** A limit bounds increases, never reductions: a bot with limits closes first, and opens the other side by the next plan. */
function apart(move: Move, { limits, ordersLeft, turnoverLeft, resting }: Envelope): Move {
  const isBound =
    Object.values(limits).some((limit) => limit !== null) ||
    ordersLeft !== null ||
    turnoverLeft !== null ||
    resting.has(move.stockId);
  return (isBound && closingPart(move)) || move;
}

const restName = ({ stockId, stock }: Move, { resting }: Envelope): string =>
  `${stock.symbol} (rejected three times today: ${resting.get(stockId) ?? ''})`;

/** Why the move waits for its next try; undefined when it does not. */
const pauseOf = (move: Move, { pausing }: Envelope): string | undefined =>
  (isReducing(move) ? pausing.reductions : pausing.increases).get(move.stockId);

function* planMoves(
  account: BrokerAccount,
  planned: PlannedMoves,
  slippage: Decimal,
  envelope: Envelope,
): Steps<RebalancePlan> {
  const { equity } = account;
  const moves = yield* mapInSteps(planned.moves, (whole) => {
    const move = apart(whole, envelope);
    return { move, isWorth: orderToward(move, equity) !== undefined };
  });
  const worth = moves.flatMap(({ move, isWorth }) => (isWorth ? [move] : []));
  const notes = [
    ...planned.notes,
    ...moves.flatMap(({ move: { kind, stock }, isWorth }) =>
      kind === 'open' && !isWorth
        ? [`The target of ${stock.symbol} is below the broker's minimum.`]
        : [],
    ),
  ];
  const { moves: allowed, blocked } = allowedMoves(account, worth);
  const isResting = (move: Move): boolean =>
    envelope.resting.has(move.stockId) && !isReducing(move);
  const waitsFor = allowed.flatMap((move) => {
    if (!tradableNow(move)) return [waitName(move)];
    const pause = pauseOf(move, envelope);
    if (pause !== undefined) return [`${move.stock.symbol} (${pause})`];
    return isResting(move) ? [restName(move, envelope)] : [];
  });
  const tradable = allowed.filter(
    (move) => tradableNow(move) && !isResting(move) && pauseOf(move, envelope) === undefined,
  );
  const reducing = tradable.filter(isReducing);
  const made = yield* mapInSteps(reducing, (move) => orderToward(move, equity) ?? []);
  const reductions = made.flat();
  // A reduction that comes to nothing again and again must not keep the rest from what can be done.
  const isAwaited = reducing.some(({ stockId }) => !envelope.stuck.has(stockId));
  const increasing = tradable.filter((move) => !isReducing(move));
  // An account that may not do all has none, so that nothing is blocked from here on but by its limits.
  if (isAwaited || increasing.length === 0) return { orders: reductions, waitsFor, blocked, notes };
  const left = besideReductions(envelope, {
    count: reductions.length,
    value: sum(
      reductions.map(({ amount, price, limit }) => amount.times(max(price, limit ?? price))),
    ),
  });
  const reached = stoppedToday(left);
  if (reached !== null) return { orders: reductions, waitsFor, blocked: reached, notes };
  const found = yield* affordable(account, increasing, slippage, left);
  const { orders, unpaid, notes: cuts, stopped } = found;
  const missing = unpaid.map(({ stock }) => `There is not enough cash to add ${stock.symbol}.`);
  return {
    orders: [...reductions, ...orders],
    waitsFor,
    blocked: stopped,
    notes: [...notes, ...cuts, ...missing],
  };
}

/** The account without credit that the target does not need: without margin it is paid from cash alone, and none borrows more than it asks for. */
export function onCreditOf(account: BrokerAccount, target: Weights): BrokerAccount {
  const gross = sum([...target.values()].map((weight) => weight.abs()));
  return { ...account, maxGross: min(account.maxGross, max(ONE, gross)) };
}

/**
 * The next orders from `account` toward `target`: the reduces alone while there are any, then the increases, planned
 * from the cash that is there by then. `slippage` is a fraction (contract 4). `nameOf` names stocks for people. `envelope` bounds the
 * increases (contract 10).
 * In steps: a plan of a thousand stocks takes tens of milliseconds.
 */
export function* planRebalance(
  account: BrokerAccount,
  target: Weights,
  stocks: Stocks,
  slippage: Decimal,
  nameOf: (stockId: StockId) => string,
  envelope: Envelope = UNBOUND,
): Steps<RebalancePlan> {
  if (!account.equity.gt(ZERO)) {
    const notes = ['The equity of the account is not positive; nothing is traded.'];
    return { orders: [], waitsFor: [], blocked: null, notes };
  }
  const planned = yield* plannedMoves(account, target, stocks);
  const left = planned.foreign.map(
    (stockId) => `${nameOf(stockId)} is not traded here and is left as it is.`,
  );
  const notes = [...planned.notes, ...left];
  return yield* planMoves(onCreditOf(account, target), { ...planned, notes }, slippage, envelope);
}

/**
 * The orders that close every position in these stocks. Without legs and waits none is left; `notes` name what was too small. In
 * steps.
 */
export function* planClosure(account: BrokerAccount, stocks: Stocks): Steps<RebalancePlan> {
  const planned = yield* plannedMoves(account, new Map(), stocks);
  return yield* planMoves(account, planned, ZERO, UNBOUND);
}
