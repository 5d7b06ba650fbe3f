import { setImmediate } from 'node:timers/promises';
import type { Timestamp } from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';
import type { Periods } from '../data/periods.js';
import type { MarketData } from '../data/read-data.js';
import { ModuleRunner } from '../inputs/module.js';
import { type Orders, commandsOf } from '../inputs/orders.js';
import type { ReplayOptions, ReplayProgress } from '../options.js';
import { StockQuotes, sidesOf } from './bar-quotes.js';
import type { Instruments, Traded } from './instruments.js';
import { distinct, groups, moments } from './moments.js';
import { Player } from './player.js';
import type { Command, TimedAction } from './score.js';
import type { Outputs } from './results.js';
import type { ReplayedService } from './service.js';

/** Everything that is read before the first bar is played. */
export interface Prepared {
  readonly options: ReplayOptions;
  readonly orders: Orders;
  readonly data: MarketData;
  readonly all: Instruments;
  readonly periods: Periods;
  readonly outputs: Outputs;
  readonly hours: TradingHours;
}

/** Everything that is there when the first bar is played. */
export interface Ready extends Prepared {
  readonly service: ReplayedService;
  readonly traded: Traded;
  readonly startAt: Timestamp;
  /** @throws Error when the service reported a fault: the replay ends with it. */
  readonly requireNoFault: (this: void) => void;
}

/** Signals and timers get a turn of the event loop this often, in milliseconds: a commit does not always give one. */
const TURN_EVERY = 50;

function turnsOfTheLoop(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < TURN_EVERY) return;
    await setImmediate();
    last = performance.now();
  };
}

const actionsOf = ({
  data: { actions, symbols },
  traded: { stocks },
  periods,
}: Ready): TimedAction[] =>
  actions
    .map((action): TimedAction => {
      const symbol = symbols.indexOf(action.symbol);
      const stock = stocks[symbol];
      if (!stock) throw new Error(`${action.symbol} is no stock of the data`);
      return { at: periods.bookedAt(action.exDate), symbol, stockId: stock.id, action };
    })
    // As live (contract 11): a dividend of the day of a split is paid on the old shares, in whatever order files give them.
    .sort(
      (one, other) =>
        one.at - other.at ||
        Number(one.action.kind === 'split') - Number(other.action.kind === 'split') ||
        Number(one.action.symbol > other.action.symbol) -
          Number(one.action.symbol < other.action.symbol),
    );

/** Plays every bar and order. Returns the end of each instrument's last bar. */
export async function play(ready: Ready, progress: ReplayProgress): Promise<readonly Timestamp[]> {
  const { options, orders, data, outputs, service, traded, startAt, requireNoFault } = ready;
  const lastBars: Timestamp[] = [];
  const runner =
    orders.kind === 'module'
      ? new ModuleRunner(orders.module, data.symbols, service, outputs)
      : undefined;
  const fileOf = (file: number): string => options.data[file]?.path ?? '?';
  const turn = turnsOfTheLoop();
  const isInTime = ({ at, place }: Command): boolean => {
    const isEarly = options.from !== undefined && at < startAt;
    if (isEarly) outputs.refused(at, place, 'it is before --from');
    return !isEarly;
  };
  const player = new Player(
    service,
    {
      moments: moments(groups(distinct(data.store.sorted(), fileOf, outputs.drop), data.symbols)),
      commands: commandsOf(orders, options.orders.file, traded, service, data.lastAt).filter(
        isInTime,
      ),
      actions: actionsOf(ready),
      startAt,
      hours: ready.hours,
      stockIds: traded.stocks.map(({ id }) => id),
      quotes: traded.stocks.map(
        ({ id, slippage }) => new StockQuotes(id, sidesOf(options.spread ?? slippage)),
      ),
    },
    {
      dayEnded: outputs.valued,
      refused: outputs.refused,
      closed: async (at, bars, isWarmUp) => {
        requireNoFault();
        for (const bar of bars) lastBars[bar.symbol] = bar.endsAt;
        await runner?.closed(at, bars, isWarmUp);
      },
      progressed: async (bars, at) => {
        progress.playing(bars, data.store.size, at);
        await turn();
        options.signal?.throwIfAborted();
      },
    },
  );
  await player.play();
  return lastBars;
}
