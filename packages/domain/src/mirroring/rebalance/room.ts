import type { BrokerAccount, TradedStock } from '../bot-account.js';
import type { Envelope } from '../limits/envelope.js';
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
} from '../../numbers/decimal.js';
import { type Steps, mapInSteps } from '../../steps.js';
import { type Move, type RebalanceOrder, orderToward } from './order.js';

const HUNDRED = decimal('100');

/** The loss of buying at the ask and selling at the bid, as a fraction of the bid. */
const crossingCost = ({ bid, ask }: TradedStock): Decimal => divide(ask, bid, 'up').minus(ONE);

const cutTo = (share: Decimal): string =>
  `The increases are scaled down to ${decimalText(share.times(HUNDRED).round(2, 0))}% to fit into cash and margin, with slippage and costs reserved.`;

const CUT_LAST =
  'The last increases are scaled down until the others have filled: at their limits they may cost more.';

/** How much worse than the quote an increase is planned, as a fraction. */
type Worse = (stock: TradedStock) => Decimal;

/** The possible extra cost of adding one unit of a stock's value: a worse price, fee and spread. */
type CostOf = (stock: TradedStock) => Decimal;

/** Computed once for each stock: a plan of hundreds of stocks asks many times. */
function costsAt(worse: Worse): CostOf {
  const known = new Map<TradedStock, Decimal>();
  return (stock) => {
    let cost = known.get(stock);
    if (!cost) {
      cost = ONE.plus(worse(stock))
        .times(ONE.plus(stock.fee))
        .times(ONE.plus(crossingCost(stock)))
        .minus(ONE);
      known.set(stock, cost);
    }
    return cost;
  };
}

/** That cost on cash and on the margin that equity carries. */
function reserve(move: Move, costOf: CostOf, maxGross: Decimal): Decimal {
  const cost = costOf(move.stock).times(max(ONE, maxGross));
  // A short is sold at the bid and then valued at the ask.
  return move.action === 'sell' ? cost.plus(crossingCost(move.stock)) : cost;
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
function roomsOf(account: BrokerAccount, costOf: CostOf): readonly Room[] {
  const { maxGross, equity, positions, buyingPower } = account;
  const gross = sum(positions.map((position) => position.value.abs()));
  return [
    {
      free: maxGross.times(equity).minus(gross),
      taken: (move) => ONE.plus(reserve(move, costOf, maxGross)),
      freed: (move) => ONE.minus(reserve(move, costOf, maxGross)),
    },
    {
      free: buyingPower,
      taken: ({ stock }) => ONE.plus(costOf(stock)).times(ONE.plus(stock.rules.checkReserve)),
      freed: ({ stock }) => ONE.minus(costOf(stock)),
    },
  ];
}

/** How much there is of it, with all that the moves free. */
function roomFor(moves: readonly Move[], { free, freed }: Room): Decimal {
  const closing = moves.filter(({ closedValue }) => !closedValue.eq(ZERO));
  return max(ZERO, free.plus(sum(closing.map((move) => move.closedValue.times(freed(move))))));
}

/** Scales increases down to cash, margin and the broker's buying power, as far as they need them. */
function scaled(rooms: readonly Room[], moves: readonly Move[]): Scaled {
  const limits = rooms.map((room) => ({
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

/** An increase that was cut, and the limits of its bot that cut it; without one it was cash, margin or buying power. */
interface CutMove {
  readonly move: Move;
  readonly whole: Move;
  readonly by: readonly string[];
}

/** The value of each unit that a move adds, at its limit. */
const atLimit = ({ action, stock }: Move): Decimal =>
  ONE.plus(action === 'buy' ? stock.collar : crossingCost(stock));

type NamedRooms = readonly (readonly [name: string, room: Decimal])[];

const named = (rooms: Readonly<Record<string, Decimal | null | undefined>>): NamedRooms =>
  Object.entries(rooms).flatMap(([name, room]) => (room ? [[name, room] as const] : []));

/** The room that the limits of the bot leave for all increases together. */
function limitRooms(account: BrokerAccount, { limits, turnoverLeft }: Envelope): NamedRooms {
  const gross = sum(account.positions.map((position) => position.value.abs()));
  return named({
    max_capital: limits.maxCapital?.minus(gross),
    max_gross: limits.maxGross?.times(account.equity).minus(gross),
    max_turnover_per_day: turnoverLeft,
  });
}

/** The room that they leave for this increase alone. */
function ownRooms({ equity }: BrokerAccount, { limits }: Envelope, move: Move): NamedRooms {
  const { stock, held } = move;
  const value = held.abs().times(held.gt(ZERO) ? stock.bid : stock.ask);
  return named({
    max_order: limits.maxOrder,
    max_per_stock: limits.maxPerStock?.times(equity).minus(value),
  });
}

/**
 * The increases that pass every limit, even if each one before fills at its worst price (contract 10). The last ones are cut, not
 * all of them: the next plan then has one order for what is left, rather than many that are too small to be worth it.
 */
function* withinLimits(
  account: BrokerAccount,
  moves: readonly Move[],
  slippage: Decimal,
  envelope: Envelope,
): Steps<readonly CutMove[]> {
  const rooms = roomsOf(
    account,
    costsAt(({ collar }) => max(collar, slippage)),
  );
  let paid = rooms.map((room) => roomFor(moves, room));
  let limited = limitRooms(account, envelope);
  return yield* mapInSteps(moves, (whole) => {
    const taken = rooms.map((room) => room.taken(whole));
    const payable = paid
      .map((room, index) => divide(room, taken[index] ?? ONE, 'down'))
      .reduce(min, whole.addedValue);
    const counted = atLimit(whole);
    const mostBy = [...limited, ...ownRooms(account, envelope, whole)].map(
      ([name, room]) => [name, divide(max(ZERO, room), counted, 'down')] as const,
    );
    const addedValue = mostBy.map(([, most]) => most).reduce(min, payable);
    const by = mostBy.flatMap(([name, most]) => (most.lt(payable) ? [name] : []));
    paid = paid.map((room, index) => room.minus(addedValue.times(taken[index] ?? ONE)));
    limited = limited.map(([name, room]) => [name, room.minus(addedValue.times(counted))]);
    return { move: { ...whole, addedValue }, whole, by };
  });
}

/** A part that max_order cuts off is worth an order if the whole is: else a large move would never begin. */
const orderOf = ({ move, whole, by }: CutMove, equity: Decimal): RebalanceOrder | undefined =>
  orderToward(move, equity, by.includes('max_order') ? whole : move);

const noRoom = (names: ReadonlySet<string>): string =>
  `Increases wait: ${[...names].join(', ')} leaves no room for an order.`;

const cutBy = (names: ReadonlySet<string>): readonly string[] =>
  names.size === 0 ? [] : [`Increases are cut to ${[...names].join(', ')}.`];

interface Affordable {
  readonly orders: readonly RebalanceOrder[];
  readonly unpaid: readonly Move[];
  readonly notes: readonly string[];
  /** The limits of the bot, where they leave no room for any increase. */
  readonly stopped: string | null;
}

/**
 * The increases that fit, of moves that are each worth an order. One that is too small after scaling leaves its share to the others, or
 * they would creep.
 */
export function* affordable(
  account: BrokerAccount,
  moves: readonly Move[],
  slippage: Decimal,
  envelope: Envelope,
): Steps<Affordable> {
  // `slippage` is reserved (contract 4).
  const rooms = roomsOf(
    account,
    costsAt(() => slippage),
  );
  let fitting = moves;
  for (;;) {
    const { moves: scaledMoves, share } = scaled(rooms, fitting);
    const isScaled = share.lt(ONE);
    const isWorth = yield* mapInSteps(
      scaledMoves,
      (move) => !isScaled || orderToward(move, account.equity) !== undefined,
    );
    const kept = fitting.filter((_, index) => isWorth[index] === true);
    if (kept.length < fitting.length) {
      fitting = kept;
      continue;
    }
    const cut = yield* withinLimits(account, scaledMoves, slippage, envelope);
    const made = yield* mapInSteps(cut, (part) => orderOf(part, account.equity) ?? []);
    const all = made.flat();
    const orders = all.slice(0, envelope.ordersLeft ?? all.length);
    const limits = new Set(cut.flatMap(({ by }) => by));
    if (orders.length < all.length) limits.add('max_orders_per_day');
    const isPaid = orders.length > 0 || limits.size > 0;
    const unpaid = moves.filter((move) => !isPaid || !kept.includes(move));
    const isCut = cut.some(
      ({ move, whole, by }) => by.length === 0 && move.addedValue.lt(whole.addedValue),
    );
    const notes = [
      ...(isScaled && isPaid ? [cutTo(share)] : []),
      ...(isCut && isPaid ? [CUT_LAST] : []),
      ...cutBy(limits),
    ];
    if (orders.length === 0 && isPaid)
      return { orders, unpaid, notes: [], stopped: noRoom(limits) };
    return { orders, unpaid, notes, stopped: null };
  }
}
