import {
  DAY,
  type Decimal,
  MINUTE,
  type StockId,
  type Timestamp,
  Refusal,
  decimal,
  isoDay,
  dayStart,
} from '@slipstream/domain';
import type { Bar, DataAction } from '../data/bar.js';
import { type BarQuote, type StockQuotes, priceIn } from './bar-quotes.js';
import { type FirstExtreme, firstExtreme } from './extremes.js';
import type { BarGroup, Moment } from './moments.js';
import type { Command, PlayerListener, Score, TimedAction } from './score.js';
import type { ReplayedService } from './service.js';
import { SilentStocks } from './silent-stocks.js';

/** A smaller split cannot be told from an ordinary move. */
const CLEAR_SPLIT = 1.25;
const OPERATOR = { kind: 'operator' } as const;

/** Plays bars, orders and corporate actions to the application, each at its moment. */
export class Player {
  private readonly firsts: FirstExtreme[] = [];
  private readonly lastClose: number[] = [];
  /** Splits whose first price in new shares has not come yet, by symbol. */
  private readonly splits = new Map<
    number,
    { readonly action: DataAction & { kind: 'split' }; readonly close: number }
  >();
  private command = 0;
  private action = 0;
  private arriving: Command[] = [];
  private waiting: { readonly command: Command; readonly day: string | undefined } | undefined;
  private closing:
    | { readonly at: Timestamp; readonly bars: Bar[]; readonly isWarmUp: boolean }
    | undefined;
  private day: string | undefined;
  /** The time of the last quotes. */
  private metAt: Timestamp = -Infinity;
  private played = 0;
  private readonly silent = new SilentStocks((symbol, isSilent) => {
    const stockId = this.score.stockIds[symbol];
    if (stockId !== undefined) this.service.halt(stockId, isSilent);
  });

  constructor(
    private readonly service: ReplayedService,
    private readonly score: Score,
    private readonly listener: PlayerListener,
  ) {}

  async play(): Promise<void> {
    for (const moment of this.score.moments) {
      if (this.closing && (moment.phase !== 'closed' || moment.at !== this.closing.at))
        await this.endBars();
      const isWarmUp = moment.group.startsAt < this.score.startAt;
      if (!isWarmUp) {
        if (moment.phase === 'open') this.beginDay(moment.at);
        await this.doBefore(moment.at);
      }
      await this.meet(moment, isWarmUp);
    }
    if (this.closing) await this.endBars();
    await this.end();
  }

  private async meet({ at, phase, group }: Moment, isWarmUp: boolean): Promise<void> {
    if (phase === 'closed') {
      this.played += group.bars.length;
      await this.listener.progressed(this.played, at);
      if (this.closing) this.closing.bars.push(...group.bars);
      else this.closing = { at, bars: [...group.bars], isWarmUp };
      return;
    }
    if (isWarmUp) return;
    this.service.clock.moveTo(at);
    if (phase === 'open') {
      this.requireSplits(group);
      this.silent.begin(group.bars);
    }
    if (phase === 'first') this.chooseExtremes(group);
    this.metAt = at;
    const quotes = group.bars.map((bar) => this.quote(bar, phase));
    const { rejected } = await this.service.application.operations.newQuotes(OPERATOR, { quotes });
    for (const { index, reason } of rejected) this.quoteRejected(group.bars[index], reason);
    if (this.waiting) await this.retry(at);
    if (this.arriving.length > 0) await this.arrive(quotes);
    // A bar of at most a minute has one value sample, at its close.
    if (phase === 'close' || group.endsAt - group.startsAt > MINUTE)
      await this.service.application.background.tick();
  }

  private quote(bar: Bar, phase: 'open' | 'first' | 'second' | 'close'): BarQuote {
    const { symbol } = bar;
    const price = priceIn(phase, this.firsts[symbol] ?? 'low');
    if (phase === 'close') this.lastClose[symbol] = bar.prices.close;
    return (this.score.quotes[symbol] as StockQuotes).of(bar, price);
  }

  private quoteRejected(bar: Bar | undefined, reason: string): never {
    throw new Error(`the service did not take the quote of line ${bar?.line ?? '?'}: ${reason}`);
  }

  /** The day before has the value of its last quotes, without what is booked before the first ones of this day. */
  private beginDay(at: Timestamp): void {
    const day = isoDay(at);
    if (this.day !== undefined && this.day !== day)
      this.listener.dayEnded(this.metAt, this.value());
    // Days on which nothing has bars make nothing silent.
    if (this.day !== day) this.silent.beginDay(this.metAt);
    this.day = day;
  }

  private requireSplits({ bars }: BarGroup): void {
    for (const bar of bars) if (this.splits.size > 0) this.requireSplit(bar);
  }

  private value(): Decimal | null {
    const { live, strategyId, clock } = this.service;
    return live.valueOf(strategyId, clock.now());
  }

  private chooseExtremes({ bars }: BarGroup): void {
    const book = this.service.live.book(this.service.strategyId);
    for (const bar of bars) {
      const { symbol, prices } = bar;
      const quotes = (extreme: FirstExtreme): BarQuote =>
        (this.score.quotes[symbol] as StockQuotes).of(bar, extreme);
      this.firsts[symbol] = book
        ? firstExtreme(book, this.score.stockIds[symbol] as StockId, prices, quotes)
        : 'low';
    }
  }

  /** A split that the prices do not show would be applied twice. */
  private requireSplit({ symbol, prices }: Bar): void {
    const split = this.splits.get(symbol);
    this.splits.delete(symbol);
    if (!split) return;
    const { newShares, oldShares, file, line, symbol: name, exDate } = split.action;
    const [seen, said] = [Math.log(split.close / prices.open), Math.log(newShares / oldShares)];
    if (Math.abs(said) < Math.log(CLEAR_SPLIT) || Math.abs(seen - said) <= Math.abs(seen)) return;
    throw new Refusal(
      'invalid_field',
      `${file}:${line}: ${name} is split ${newShares}:${oldShares} on ${exDate}, but its price goes from ${split.close} to ${prices.open}. If the prices are adjusted for splits already, leave the splits out`,
    );
  }

  /** Does what is due before a quote, in order of time; of one moment the corporate action first. */
  private async doBefore(at: Timestamp): Promise<void> {
    for (;;) {
      const [action, command] = [
        this.score.actions[this.action],
        this.score.commands[this.command],
      ];
      const [actionAt, commandAt] = [action?.at ?? Infinity, command?.at ?? Infinity];
      if (action && actionAt < at && actionAt <= commandAt) {
        this.action += 1;
        await this.book(action);
      } else if (command && commandAt < at) {
        this.command += 1;
        await this.order(command);
      } else return;
    }
  }

  private async book({ at, symbol, stockId: stock, action }: TimedAction): Promise<void> {
    const { application, clock } = this.service;
    const close = this.lastClose[symbol];
    // Before its first bar nothing is held and no price is in old shares.
    if (at < clock.now() || close === undefined) return;
    clock.moveTo(at);
    if (action.kind === 'dividend') {
      await application.operations.newStockAction(OPERATOR, {
        stock,
        kind: 'cash_dividend',
        amount: decimal(action.amount),
      });
      return;
    }
    const ratio = {
      newShares: decimal(String(action.newShares)),
      oldShares: decimal(String(action.oldShares)),
    };
    await application.operations.newStockAction(OPERATOR, { stock, kind: 'split', ratio });
    this.splits.set(symbol, { action, close });
  }

  private async order(command: Command): Promise<void> {
    const { clock } = this.service;
    clock.moveTo(command.at);
    if (this.waiting) this.refused(this.waiting.command, 'replaced before its stocks had a quote');
    this.waiting = undefined;
    this.service.forgetQuotes();
    if (command.arrivesFor && this.score.hours.sessionAt(command.arrivesFor, command.at)) {
      this.arriving.push(command);
      return;
    }
    if (this.isQuoted(command)) await this.perform(command);
    else this.waiting = { command, day: undefined };
  }

  /** Performs the commands whose stock has a quote now, in their order. */
  private async arrive(quotes: readonly BarQuote[]): Promise<void> {
    const quoted = new Set(quotes.map(({ stock }) => stock));
    const isDue = ({ arrivesFor }: Command): boolean =>
      arrivesFor !== null && quoted.has(arrivesFor.id);
    const due = this.arriving.filter(isDue);
    this.arriving = this.arriving.filter((command) => !isDue(command));
    for (const command of due) await this.perform(command);
  }

  private isQuoted({ needs }: Command): boolean {
    return needs.every((stockId) => this.service.live.quotes.get(stockId) !== undefined);
  }

  /** What had no quote to be sized with is placed at the first quotes, if they come on the first day with any. */
  private async retry(at: Timestamp): Promise<void> {
    if (!this.waiting) return;
    const { command, day = isoDay(at) } = this.waiting;
    this.waiting = { command, day };
    if (!this.isQuoted(command) && isoDay(at) === day) return;
    this.waiting = undefined;
    await this.perform(command);
  }

  private async perform(command: Command): Promise<void> {
    try {
      await command.perform();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused(command, error.message);
    }
  }

  private refused({ place }: Command, reason: string): void {
    this.listener.refused(this.service.clock.now(), place, reason);
  }

  private async endBars(): Promise<void> {
    if (!this.closing) return;
    const { at, bars, isWarmUp } = this.closing;
    this.closing = undefined;
    if (!isWarmUp) {
      await this.doBefore(at);
      this.service.clock.moveTo(at);
    }
    await this.listener.closed(at, bars, isWarmUp);
  }

  private async end(): Promise<void> {
    if (this.waiting) await this.perform(this.waiting.command);
    for (const command of this.arriving) this.refused(command, 'no quote came after it');
    for (const command of this.score.commands.slice(this.command))
      this.refused(command, 'the data ends before it');
    if (this.day === undefined) return;
    this.listener.dayEnded(this.metAt, this.value());
    // A day counts when it is over.
    this.service.clock.moveTo(dayStart(this.day) + DAY + MINUTE);
    await this.service.application.background.tick();
  }
}
