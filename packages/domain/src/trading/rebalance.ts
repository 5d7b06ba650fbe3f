import { type BrokerAccount, type TradedStock, heldAmount } from '../mirroring/bot-account.js';
import {
  type Decimal,
  ONE,
  ZERO,
  decimal,
  decimalText,
  divide,
  max,
  min,
  sum,
} from '../numbers/decimal.js';
import type { StockId } from '../ids.js';
import {
  type Move,
  type RebalanceOrder,
  closingPart,
  isReducing,
  orderToward,
  moveToward,
} from './rebalance-order.js';
import type { Weights } from './rebalance-target.js';

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

const HUNDRED = decimal('100');

type Stocks = ReadonlyMap<StockId, TradedStock>;

function tooSmallToSell(account: BrokerAccount, stockId: StockId, stock: TradedStock): string[] {
  const held = heldAmount(account, stockId);
  if (held.eq(ZERO)) return [];
  return [`${decimalText(held)} ${stock.symbol} is too small to sell and counts as flat.`];
}

const value = (move: Move): Decimal => move.closedValue.plus(move.addedValue);

const largestFirst = (first: Move, second: Move): number =>
  value(second).cmp(value(first)) || (first.stockId < second.stockId ? -1 : 1);

const spreadOf = ({ bid, ask }: TradedStock): Decimal => divide(ask, bid, 'up').minus(ONE);

/** The possible extra cost of adding one unit of value: slippage, fee and spread. */
const costOf = ({ stock }: Move, slippage: Decimal): Decimal =>
  ONE.plus(slippage)
    .times(ONE.plus(stock.fee))
    .times(ONE.plus(spreadOf(stock)))
    .minus(ONE);

/** That cost on cash and on the margin that equity carries. */
function reserve(move: Move, slippage: Decimal, maxGross: Decimal): Decimal {
  // A short is sold at the bid and then valued at the ask.
  const shortCost = move.action === 'sell' ? spreadOf(move.stock) : ZERO;
  return costOf(move, slippage).times(max(ONE, maxGross)).plus(shortCost);
}

interface Scaled {
  readonly moves: readonly Move[];
  /** The share of the increases that remains; 1 when they fit. */
  readonly share: Decimal;
}

/** What moves need beside the room that there is for them. */
interface Limit {
  readonly need: Decimal;
  readonly room: Decimal;
}

/** `extra` is the cost of one unit of value that a move adds or closes; `reserved` that of one that it adds. */
function limitOf(
  moves: readonly Move[],
  free: Decimal,
  extra: (move: Move) => Decimal,
  reserved: (move: Move) => Decimal = () => ZERO,
): Limit {
  const freed = moves.map((move) => move.closedValue.times(ONE.minus(extra(move))));
  const need = moves.map((move) =>
    move.addedValue.times(ONE.plus(extra(move)).plus(reserved(move))),
  );
  return { need: sum(need), room: max(ZERO, free.plus(sum(freed))) };
}

/** The limit that leaves the smaller share. */
const tighter = (first: Limit, second: Limit): Limit =>
  second.room.times(first.need).lt(first.room.times(second.need)) ? second : first;

/** Scales increases down to cash, margin and the broker's buying power, `slippage` reserved (contract 4). */
function scaled(account: BrokerAccount, moves: readonly Move[], slippage: Decimal): Scaled {
  const { maxGross, equity, positions, buyingPower } = account;
  const gross = sum(positions.map((position) => position.value.abs()));
  const own = limitOf(moves, maxGross.times(equity).minus(gross), (move) =>
    reserve(move, slippage, maxGross),
  );
  const brokers = limitOf(
    moves,
    buyingPower,
    (move) => costOf(move, slippage),
    ({ stock }) => stock.rules.checkReserve,
  );
  const { need, room } = tighter(own, brokers);
  if (need.lte(room)) return { moves, share: ONE };
  return {
    moves: moves.map((move) => ({
      ...move,
      addedValue: divide(move.addedValue.times(room), need, 'down'),
    })),
    share: divide(room, need, 'down'),
  };
}

/** The increases that fit. One that is too small after scaling leaves its share to the others, or they would creep. */
function affordable(
  account: BrokerAccount,
  moves: readonly Move[],
  slippage: Decimal,
): {
  readonly orders: readonly RebalanceOrder[];
  readonly left: readonly Move[];
  readonly share: Decimal;
} {
  let fitting = moves;
  for (;;) {
    const { moves: scaledMoves, share } = scaled(account, fitting, slippage);
    const orders = scaledMoves.map((move) => orderToward(move, account.equity));
    const kept = fitting.filter((_, index) => orders[index]);
    if (kept.length === fitting.length) {
      return {
        orders: orders.flatMap((leg) => leg ?? []),
        left: moves.filter((move) => !kept.includes(move)),
        share,
      };
    }
    fitting = kept;
  }
}

interface PlannedMoves {
  readonly moves: readonly Move[];
  readonly notes: readonly string[];
  /** Held or wanted, but nothing that this broker is known to trade. */
  readonly foreign: readonly StockId[];
}

function plannedMoves(account: BrokerAccount, target: Weights, stocks: Stocks): PlannedMoves {
  const notes: string[] = [];
  const moves: Move[] = [];
  const foreign: StockId[] = [];
  const stockIds = new Set([...target.keys(), ...account.positions.map(({ stockId }) => stockId)]);
  for (const stockId of stockIds) {
    const stock = stocks.get(stockId);
    const move = stock && moveToward(account, stockId, stock, target.get(stockId) ?? ZERO);
    if (move) moves.push(move);
    else if (stock) notes.push(...tooSmallToSell(account, stockId, stock));
    else foreign.push(stockId);
  }
  return { moves: moves.sort(largestFirst), notes, foreign };
}

const cutTo = (share: Decimal): string =>
  `The increases are scaled down to ${decimalText(share.times(HUNDRED).round(2, 0))}% to fit into cash and margin, with slippage and costs reserved.`;

interface Allowed {
  readonly moves: readonly Move[];
  readonly blocked: string | null;
}

/** What the account may do of these moves. What it may not do waits: an order would only be rejected. */
function allowedMoves({ allows, because }: BrokerAccount, moves: readonly Move[]): Allowed {
  if (allows === 'all') return { moves, blocked: null };
  const closing = moves.flatMap((move) => closingPart(move) ?? []);
  const isWhole = moves.every((move) => move.addedValue.eq(ZERO));
  if (moves.length === 0 || (allows === 'closing' && isWhole)) return { moves, blocked: null };
  const why = because === null ? '' : `: ${because}`;
  return allows === 'closing'
    ? { moves: closing, blocked: `The broker lets this account only close positions${why}.` }
    : { moves: [], blocked: `The broker lets this account trade nothing${why}.` };
}

const tradableNow = ({ stock }: Move): boolean => stock.rules.session === 'open';

const waitName = ({ stock: { symbol, rules } }: Move): string =>
  rules.session === 'halted' ? `${symbol} (halted)` : symbol;

function planMoves(
  account: BrokerAccount,
  planned: PlannedMoves,
  slippage: Decimal,
): RebalancePlan {
  const { equity } = account;
  const notes = [...planned.notes];
  const worth: Move[] = [];
  for (const move of planned.moves) {
    if (orderToward(move, equity)) worth.push(move);
    else if (move.kind === 'open') {
      notes.push(`The target of ${move.stock.symbol} is below the broker's minimum.`);
    }
  }
  const { moves: allowed, blocked } = allowedMoves(account, worth);
  const waitsFor = allowed.filter((move) => !tradableNow(move)).map(waitName);
  const tradable = allowed.filter(tradableNow);
  const reducing = tradable.filter(isReducing);
  if (reducing.length > 0) {
    const orders = reducing.flatMap((move) => orderToward(move, equity) ?? []);
    return { orders, waitsFor, blocked, notes };
  }
  const { orders, left, share } = affordable(account, tradable, slippage);
  const unpaid = left.map(({ stock }) => `There is not enough cash to add ${stock.symbol}.`);
  if (orders.length > 0 && share.lt(ONE)) notes.push(cutTo(share));
  return { orders, waitsFor, blocked, notes: [...notes, ...unpaid] };
}

/**
 * The next orders from `account` toward `target`: the reduces alone while there are any, then the increases, planned
 * from the cash that is there by then. `slippage` is a fraction (contract 4).
 */
export function planRebalance(
  account: BrokerAccount,
  target: Weights,
  stocks: Stocks,
  slippage: Decimal,
): RebalancePlan {
  if (!account.equity.gt(ZERO)) {
    const notes = ['The equity of the account is not positive; nothing is traded.'];
    return { orders: [], waitsFor: [], blocked: null, notes };
  }
  const planned = plannedMoves(account, target, stocks);
  const left = planned.foreign.map(
    (stockId) => `${stockId} is not traded here and is left as it is.`,
  );
  // A target that needs no margin is paid from cash alone, and none borrows more than it asks for.
  const gross = sum([...target.values()].map((weight) => weight.abs()));
  const maxGross = min(account.maxGross, max(ONE, gross));
  const notes = [...planned.notes, ...left];
  return planMoves({ ...account, maxGross }, { ...planned, notes }, slippage);
}

/** The orders that close every position. Without legs and waits the account is flat; `notes` name what was too small. */
export function planClosure(account: BrokerAccount, stocks: Stocks): RebalancePlan {
  const planned = plannedMoves(account, new Map(), stocks);
  const plan = planMoves(account, planned, ZERO);
  return { ...plan, waitsFor: [...plan.waitsFor, ...planned.foreign] };
}
