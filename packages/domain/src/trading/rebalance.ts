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

/** The loss of buying at the ask and selling at the bid, as a fraction of the bid. */
const crossingCost = ({ bid, ask }: TradedStock): Decimal => divide(ask, bid, 'up').minus(ONE);

const cutTo = (share: Decimal): string =>
  `The increases are scaled down to ${decimalText(share.times(HUNDRED).round(2, 0))}% to fit into cash and margin, with slippage and costs reserved.`;

const CUT_LAST =
  'The last increases are scaled down until the others have filled: at their limits they may cost more.';

/** How much worse than the quote an increase is planned, as a fraction. */
type Worse = (stock: TradedStock) => Decimal;

/** The possible extra cost of adding one unit of value: a worse price, fee and spread. */
const costOf = ({ stock }: Move, worse: Worse): Decimal =>
  ONE.plus(worse(stock))
    .times(ONE.plus(stock.fee))
    .times(ONE.plus(crossingCost(stock)))
    .minus(ONE);

/** That cost on cash and on the margin that equity carries. */
function reserve(move: Move, worse: Worse, maxGross: Decimal): Decimal {
  // A short is sold at the bid and then valued at the ask.
  const shortCost = move.action === 'sell' ? crossingCost(move.stock) : ZERO;
  return costOf(move, worse).times(max(ONE, maxGross)).plus(shortCost);
}

interface Scaled {
  readonly moves: readonly Move[];
  /** The share of the increases that remains; 1 when they fit. */
  readonly share: Decimal;
}

/** Something that increases take and that there is only so much of. */
interface Room {
  /** Before anything is freed. */
  readonly free: Decimal;
  /** Taken by each unit of value that a move adds. */
  readonly taken: (move: Move) => Decimal;
  /** Freed by each unit of value that a move closes. */
  readonly freed: (move: Move) => Decimal;
}

/** Cash and margin, and the broker's buying power. */
function roomsOf(account: BrokerAccount, worse: Worse): readonly Room[] {
  const { maxGross, equity, positions, buyingPower } = account;
  const gross = sum(positions.map((position) => position.value.abs()));
  return [
    {
      free: maxGross.times(equity).minus(gross),
      taken: (move) => ONE.plus(reserve(move, worse, maxGross)),
      freed: (move) => ONE.minus(reserve(move, worse, maxGross)),
    },
    {
      free: buyingPower,
      taken: (move) => ONE.plus(costOf(move, worse)).times(ONE.plus(move.stock.rules.checkReserve)),
      freed: (move) => ONE.minus(costOf(move, worse)),
    },
  ];
}

/** How much there is of it, with all that the moves free. */
const roomFor = (moves: readonly Move[], { free, freed }: Room): Decimal =>
  max(ZERO, free.plus(sum(moves.map((move) => move.closedValue.times(freed(move))))));

/** Scales increases down to cash, margin and the broker's buying power, `slippage` reserved (contract 4). */
function scaled(account: BrokerAccount, moves: readonly Move[], slippage: Decimal): Scaled {
  const limits = roomsOf(account, () => slippage).map((room) => ({
    need: sum(moves.map((move) => move.addedValue.times(room.taken(move)))),
    room: roomFor(moves, room),
  }));
  // The limit that leaves the smallest share.
  const { need, room } = limits.reduce((first, second) =>
    second.room.times(first.need).lt(first.room.times(second.need)) ? second : first,
  );
  if (need.lte(room)) return { moves, share: ONE };
  return {
    moves: moves.map((move) => ({
      ...move,
      addedValue: divide(move.addedValue.times(room), need, 'down'),
    })),
    share: divide(room, need, 'down'),
  };
}

/**
 * The increases that could be paid if every one before filled at its limit (contract 10). The last ones are cut, not all of
 * them: the next plan then has one order for what is left, rather than many that are too small to be worth it.
 */
function withinCollars(
  account: BrokerAccount,
  moves: readonly Move[],
  slippage: Decimal,
): readonly Move[] {
  const rooms = roomsOf(account, ({ collar }) => max(collar, slippage));
  let left = rooms.map((room) => roomFor(moves, room));
  return moves.map((move) => {
    const taken = rooms.map((room) => room.taken(move));
    const most = left.map((room, index) => divide(room, taken[index] ?? ONE, 'down'));
    const addedValue = most.reduce(min, move.addedValue);
    left = left.map((room, index) => room.minus(addedValue.times(taken[index] ?? ONE)));
    return { ...move, addedValue };
  });
}

interface Affordable {
  readonly orders: readonly RebalanceOrder[];
  readonly unpaid: readonly Move[];
  readonly notes: readonly string[];
}

/** The increases that fit. One that is too small after scaling leaves its share to the others, or they would creep. */
function affordable(account: BrokerAccount, moves: readonly Move[], slippage: Decimal): Affordable {
  let fitting = moves;
  for (;;) {
    const { moves: scaledMoves, share } = scaled(account, fitting, slippage);
    const kept = fitting.filter((_, index) => {
      const move = scaledMoves[index];
      return move && orderToward(move, account.equity);
    });
    if (kept.length < fitting.length) {
      fitting = kept;
      continue;
    }
    const payable = withinCollars(account, scaledMoves, slippage);
    const orders = payable.flatMap((move) => orderToward(move, account.equity) ?? []);
    const unpaid = moves.filter((move) => orders.length === 0 || !kept.includes(move));
    if (orders.length === 0) return { orders, unpaid, notes: [] };
    const isCut = payable.some(({ addedValue }, index) =>
      addedValue.lt(scaledMoves[index]?.addedValue ?? ZERO),
    );
    const notes = [...(share.lt(ONE) ? [cutTo(share)] : []), ...(isCut ? [CUT_LAST] : [])];
    return { orders, unpaid, notes };
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

const tradableNow = ({ stock }: Move): boolean =>
  stock.rules.session === 'open' && stock.doubt === null;

function waitName({ stock: { symbol, rules, doubt } }: Move): string {
  if (rules.session === 'halted') return `${symbol} (halted)`;
  return rules.session === 'open' && doubt !== null ? `${symbol} (${doubt})` : symbol;
}

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
  const { orders, unpaid, notes: cuts } = affordable(account, tradable, slippage);
  const missing = unpaid.map(({ stock }) => `There is not enough cash to add ${stock.symbol}.`);
  return { orders, waitsFor, blocked, notes: [...notes, ...cuts, ...missing] };
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
