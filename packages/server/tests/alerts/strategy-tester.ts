/**
 * What a charting platform's strategy tester does to a position, written from its public documentation
 * (tradingview.com/pine-script-docs/concepts/strategies and /concepts/alerts): orders fill on the way open, nearer extreme,
 * further extreme, close of a bar; an opposite entry is one order that also closes; exits only reduce; entries beyond the
 * pyramiding limit are not filled; each fill is one alert. Sizes are whole lots.
 */

/** One fill, with what the placeholders of its alert tell. */
export interface Fill {
  readonly action: 'buy' | 'sell';
  readonly contracts: number;
  readonly price: number;
  readonly id: string;
  /** Signed, after the fill and before it. */
  readonly position: number;
  readonly previous: number;
  readonly bar: number;
  /** Equal for fills at one price of one bar, whose alerts leave at the same moment. */
  readonly moment: number;
}

interface Order {
  readonly id: string;
  readonly kind: 'entry' | 'order' | 'exit';
  readonly side: 1 | -1;
  readonly lots: number;
  readonly limit?: number;
  readonly stop?: number;
}

/** The declaration of a script. */
export interface Script {
  readonly pyramiding: number;
  readonly size: 'fixed' | 'cash' | 'percent_of_equity';
  /** Market orders fill at the close of their bar instead of the next open. */
  readonly onClose: boolean;
}

const isMarket = ({ limit, stop }: Order): boolean => limit === undefined && stop === undefined;

const SIDE = { 1: 'buy', [-1]: 'sell' } as const;

/** Plays a random script over random prices; `random` gives numbers from 0 to 1. */
export function playScript(script: Script, bars: number, random: () => number): readonly Fill[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const cents = (value: number): number => Math.round(value * 100) / 100;
  const fills: Fill[] = [];
  let [position, entries, moment, price, cash] = [0, 0, 0, 100, 100_000];
  let waiting: Order[] = [];

  const fill = (order: Order, at: number, bar: number): void => {
    const isEntry = order.kind === 'entry';
    const isOpposite = position * order.side < 0;
    if (order.kind === 'exit' && !isOpposite) return;
    if (isEntry && !isOpposite && position !== 0 && entries >= script.pyramiding) return;
    const held = Math.abs(position);
    const closing = isEntry && isOpposite ? held : 0;
    const contracts = order.kind === 'exit' ? Math.min(order.lots, held) : order.lots + closing;
    if (contracts === 0) return;
    const previous = position;
    position += order.side * contracts;
    cash -= order.side * contracts * at;
    if (position === 0) entries = 0;
    else if (position * previous <= 0) entries = 1;
    else if (!isOpposite) entries += 1;
    if (position * previous <= 0) waiting = waiting.filter(({ kind }) => kind !== 'exit');
    const { id, side } = order;
    const action = SIDE[side];
    fills.push({ action, contracts, price: at, id, position, previous, bar, moment });
  };

  /** The orders that fill on the way to a price, those of the market first. */
  const moveTo = (next: number, bar: number, isOpening: boolean): void => {
    const way = Math.sign(next - price);
    const isPast = (level: number): boolean =>
      (level - price) * way >= 0 && (next - level) * way >= 0;
    const levelOf = ({ side, limit, stop }: Order): number | undefined => {
      if (limit !== undefined && (next - limit) * side <= 0) return isPast(limit) ? limit : next;
      if (stop !== undefined && (next - stop) * side >= 0) return isPast(stop) ? stop : next;
      return undefined;
    };
    const reached = waiting
      .flatMap((order) => {
        const level = isMarket(order) ? next : levelOf(order);
        return level === undefined ? [] : [{ order, level: isOpening ? next : level }];
      })
      .sort((one, other) => (one.level - other.level) * way);
    let last: number | undefined;
    for (const { order, level } of reached) {
      if (!waiting.includes(order)) continue;
      waiting = waiting.filter((one) => one !== order);
      if (level !== last) moment += 1;
      last = level;
      fill(order, level, bar);
    }
    price = next;
  };

  const sized = (): number => {
    if (script.size === 'fixed') return 10;
    const equity = cash + position * price;
    const spent = script.size === 'cash' ? 5_000 : Math.max(0, equity) * 0.5;
    return Math.max(1, Math.floor(spent / price));
  };
  const place = (order: Order): void => {
    waiting = [...waiting.filter(({ id }) => id !== order.id), order];
  };
  /** What the script does at a close. */
  const calculate = (): void => {
    const side = pick([1, -1] as const);
    const name = side > 0 ? 'Long' : 'Short';
    const held = Math.abs(position);
    const against = position > 0 ? (-1 as const) : (1 as const);
    const near = (way: number, by: number): number => cents(price * (1 + way * by));
    const chosen = random();
    if (chosen < 0.3) place({ id: name, kind: 'entry', side, lots: sized() });
    else if (chosen < 0.4)
      place({ id: name, kind: 'entry', side, lots: sized(), limit: near(-side, 0.001) });
    else if (chosen < 0.5)
      place({ id: name, kind: 'entry', side, lots: sized(), stop: near(side, 0.001) });
    else if (chosen < 0.55 && held > 0)
      place({ id: 'less', kind: 'order', side: against, lots: Math.ceil(held / 3) });
    else if (chosen < 0.65 && held > 0)
      place({ id: 'close', kind: 'exit', side: against, lots: pick([held, Math.ceil(held / 2)]) });
    else if (chosen < 0.72 && held > 0) {
      // strategy.close and strategy.entry in one calculation: two orders, so two alerts at one moment.
      place({ id: 'close', kind: 'exit', side: against, lots: held });
      const other = against > 0 ? 'Long' : 'Short';
      place({ id: other, kind: 'entry', side: against, lots: sized() });
    } else if (chosen < 0.9 && held > 0) {
      const parts = [Math.ceil(held / 3), Math.ceil(held / 4), held];
      for (const [at, lots] of parts.entries())
        place({
          ...{ id: `TP${at}`, kind: 'exit', side: against, lots },
          limit: near(-against, 0.001 * (at + 1)),
        });
      place({ id: 'SL', kind: 'exit', side: against, lots: held, stop: near(against, 0.002) });
    } else if (chosen < 0.93) waiting = [];
  };

  for (let bar = 0; bar < bars; bar += 1) {
    const open = cents(price * (1 + (random() - 0.5) * 0.002));
    const [up, down] = [random() * 0.002, random() * 0.002];
    const [high, low] = [cents(open * (1 + up)), cents(open * (1 - down))];
    const close = cents(low + (high - low) * random());
    moveTo(open, bar, true);
    for (const next of up < down ? [high, low, close] : [low, high, close])
      moveTo(next, bar, false);
    calculate();
    if (script.onClose) {
      const isMarket = ({ limit, stop }: Order): boolean =>
        limit === undefined && stop === undefined;
      moment += 1;
      for (const order of waiting.filter(isMarket)) {
        waiting = waiting.filter((one) => one !== order);
        fill(order, close, bar);
      }
    }
  }
  return fills;
}

/** The platform's word for a position. */
export const sideOf = (position: number): string =>
  position === 0 ? 'flat' : position > 0 ? 'long' : 'short';

/** The message of a fill: the template with its placeholders filled, a lot being `lot` contracts. */
export function messageOf(template: string, fill: Fill, lot = 1): string {
  const size = (lots: number): string => String(Number((Math.abs(lots) * lot).toPrecision(12)));
  const values: Readonly<Record<string, string>> = {
    'strategy.order.action': fill.action,
    'strategy.order.contracts': size(fill.contracts),
    'strategy.order.price': String(fill.price),
    'strategy.order.id': fill.id,
    'strategy.position_size': `${fill.position < 0 ? '-' : ''}${size(fill.position)}`,
    'strategy.market_position': sideOf(fill.position),
    'strategy.market_position_size': size(fill.position),
    'strategy.prev_market_position': sideOf(fill.previous),
    'strategy.prev_market_position_size': size(fill.previous),
  };
  return template.replace(/\{\{([\w.]+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}
