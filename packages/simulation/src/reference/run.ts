import { type ReferenceCommand, resolve } from './commands.js';
import { sameBook, sameHistory, sameReads, sameRecord, sameValues } from './compare.js';
import { sameEvents } from './compare-changes.js';
import { Difference } from './difference.js';
import { ReferenceEngine } from './engine/engine.js';
import { CLOSES_ONLY_AFTER, isAtOrBelowZero } from './engine/below-zero.js';
import { type Exact, exact, exactOf, rounded } from './engine/exact.js';
import { INSTRUMENTS, sessionOf } from './instruments.js';
import { type ModelBook, type ModelMarket, type ModelOrder, Refused } from './engine/model.js';
import type { ReferenceStory } from './story.js';
import type { Answer } from './perform.js';
import { BEGINNING, openSubject } from './subject.js';
import { type Coverage, reach } from '../world/coverage.js';
import type { OpenStorage } from '../world/storages.js';
import type { MatchingBug } from './matching-bug.js';

export type { MatchingBug } from './matching-bug.js';

/** The result of a story. */
export interface Compared {
  readonly difference: Difference | undefined;
  /** How many steps were compared. */
  readonly steps: number;
  /** The commands that were given. */
  readonly commands: readonly ReferenceCommand[];
  readonly coverage: Coverage;
}

const newMarket = (): ModelMarket => ({
  now: BEGINNING,
  session: sessionOf,
  stocks: new Map(
    INSTRUMENTS.map(([{ id, security, fee, slippage }]) => [
      id,
      {
        id,
        security,
        fee: exactOf(fee),
        slippage: exactOf(slippage),
        status: 'active',
        quote: undefined,
        splitAt: undefined,
      },
    ]),
  ),
});

/** The reference's side of a story. */
class Reference {
  readonly engine = new ReferenceEngine(newMarket(), ['stock', 'cryptocurrency']);
  readonly prices = new Map<string, Exact>(
    INSTRUMENTS.map(([{ id }, price]) => [id, exact(price)]),
  );
  /** The divisors of quotes from a feed that does not know splits. */
  private readonly ratios = new Map<string, Exact>();
  private readonly all: ModelOrder[][] = [[], []];

  constructor(private readonly feed: ReferenceStory['feed']) {}

  orders = (strategy: number): readonly ModelOrder[] => this.all[strategy] ?? [];

  remember(): void {
    for (const { strategy, changes } of this.engine.events)
      for (const { kind, order } of changes)
        if (kind === 'opened') this.all[strategy]?.unshift(order);
  }

  give(command: ReferenceCommand): Answer {
    try {
      return { refused: undefined, ...this.perform(command) };
    } catch (error) {
      if (error instanceof Refused) return { refused: error.message };
      throw error;
    }
  }

  private perform(command: ReferenceCommand): Omit<Answer, 'refused'> {
    const { engine } = this;
    const optional = (text: string | null): Exact | null => (text === null ? null : exact(text));
    switch (command.do) {
      case 'newOrder': {
        const known = this.orders(command.strategy);
        engine.newOrder(command.strategy, {
          ...command,
          price: optional(command.price),
          stopPrice: optional(command.stopPrice),
          amount: optional(command.amount),
          total: optional(command.total),
          dependsOn: command.dependsOn.flatMap((id) => known.find((one) => one.id === id) ?? []),
        });
        return {};
      }
      case 'allocate':
        engine.newOrderAllocations(
          command.strategy,
          command.targets.map(({ stockId, percent }) => ({ stockId, percent: exact(percent) })),
          exact(command.slippage),
        );
        return {};
      case 'alert':
        return {
          verdict: engine.newOrderWebhook(command.strategy, {
            ...command,
            leverage: exact(command.leverage),
            pyramiding: command.pyramiding ?? null,
            slippage: exact(command.slippage),
            marketPosition: command.marketPosition ?? null,
            size: optional(command.sizes?.[0] ?? null),
            previousSize: optional(command.sizes?.[1] ?? null),
          }),
        };
      case 'deleteOrder': {
        const order = this.orders(command.strategy).find(({ id }) => id === command.orderId);
        if (order) engine.deleteOrder(command.strategy, order);
        return {};
      }
      case 'quotes': {
        const batches = command.batches.map((batch) =>
          batch.map(({ stockId, at, ...texts }) => {
            const ratio = this.ratios.get(stockId);
            const figure = (text: string): Exact =>
              ratio ? rounded(exact(text).div(ratio)) : exact(text);
            const { bid, ask, last } = texts;
            return { stockId, at, bid: figure(bid), ask: figure(ask), last: figure(last) };
          }),
        );
        const taken = engine.quotes(batches.flat());
        const rejected = batches.map((batch) =>
          batch.flatMap((_, index) => (taken.shift() ? [] : [index])),
        );
        return this.feed === 'pushed' ? { rejected } : {};
      }
      case 'halt':
        engine.setStatus(command.stockId, 'halted');
        return {};
      case 'resume':
        engine.setStatus(command.stockId, 'active');
        return {};
      case 'split': {
        const { stockId, newShares, oldShares } = command;
        const ratio = exact(`${newShares}/${oldShares}`);
        engine.split(stockId, ratio);
        const price = this.prices.get(stockId);
        if (this.feed === 'fed_in_old_shares')
          this.ratios.set(stockId, (this.ratios.get(stockId) ?? exact('1')).mul(ratio));
        else if (price) this.prices.set(stockId, rounded(price.div(ratio)));
        return {};
      }
      case 'dividend':
        engine.dividend(command.stockId, exact(command.figure));
        return {};
      case 'delist':
        engine.delist(command.stockId, exact(command.figure));
        return {};
      case 'advance':
        engine.market.now = command.to;
        engine.tick();
        return {};
      case 'tick':
        engine.tick();
        return {};
      case 'undoEnd':
        engine.undoEnd(command.strategy);
        return {};
    }
  }
}

const isDelisted = ({ engine }: Reference, command: ReferenceCommand): boolean =>
  'stockId' in command && engine.market.stocks.get(command.stockId)?.status === 'delisted';

/** A command that no caller can give, or that does nothing. */
const isIdle = (reference: Reference, command: ReferenceCommand): boolean =>
  isDelisted(reference, command) && command.do !== 'newOrder' && command.do !== 'alert';

/** Time at or below zero is counted from check to check: the result of a step is checked before time passes. */
const isCounted = ({ books, market }: ReferenceEngine): boolean =>
  books.some(
    (book) => book.endedAt === null && (book.sunk !== undefined || isAtOrBelowZero(book, market)),
  );

const OPENING: ReferenceStory['steps'] = [
  {
    do: 'quotes',
    batches: [INSTRUMENTS.map((_, stock) => ({ stock, move: 0, spread: 1, kind: 'now' }))],
  },
];

const phaseOf = ({ sunk, belowZeroFor, endedAt }: ModelBook): string =>
  endedAt !== null
    ? 'over'
    : belowZeroFor >= CLOSES_ONLY_AFTER
      ? 'closes only'
      : sunk
        ? 'counted'
        : 'trades';

/** The request of getMaxOrderSize after a step: each stock of the strategy in turn, bought and sold. */
const askedAt = (strategy: number, step: number) => ({
  stockId: INSTRUMENTS[strategy * 3 + (step % 3)]?.[0].id ?? '',
  action: step % 4 < 2 ? ('buy' as const) : ('sell' as const),
});

/** Plays a story on the real core and on the reference engine, and compares them after every step. */
export async function compareStory(
  story: ReferenceStory,
  openStorage: OpenStorage,
  bug?: MatchingBug,
): Promise<Compared> {
  const reference = new Reference(story.feed);
  const { engine } = reference;
  const subject = await openSubject(story.feed, openStorage, bug);
  const commands: ReferenceCommand[] = [];
  const coverage: Coverage = new Map();
  subject.takeEvents();
  const phases = engine.books.map(phaseOf);
  let steps = 0;
  let difference: Difference | undefined;
  const step = async (command: ReferenceCommand): Promise<void> => {
    commands.push(command);
    engine.events.length = 0;
    const wanted = reference.give(command);
    const found = await subject.give(command);
    if ((wanted.refused === undefined) !== (found.refused === undefined))
      throw new Difference(
        `${command.do}: reference ${wanted.refused ?? 'accepts'}, core ${found.refused ?? 'accepts'}`,
      );
    reach(coverage, `${command.do}: ${found.refused === undefined ? 'done' : 'refused'}`);
    for (const what of ['rejected', 'verdict'] as const)
      if (JSON.stringify(wanted[what]) !== JSON.stringify(found[what]))
        throw new Difference(
          `${what}: reference ${JSON.stringify(wanted[what])}, core ${JSON.stringify(found[what])}`,
        );
    const events = subject.takeEvents();
    for (const [strategy, strategyId] of subject.strategies.entries()) {
      const found = events.filter((event) => event.strategyId === strategyId);
      const book = engine.book(strategy);
      const own = engine.events.filter((event) => event.strategy === strategy);
      const before = book.version - own.length;
      sameEvents(strategy, before, own, found, command.do);
      book.version = before + found.length;
      sameBook(strategy, book, await subject.book(strategy));
      // Reads cost more than the step itself, so each step reads one strategy.
      if (strategy !== steps % 2) continue;
      const asked = askedAt(strategy, steps);
      const reads = await subject.reads(strategy, asked.stockId, asked.action);
      sameReads(strategy, engine, asked, reads);
    }
    for (const { changes } of engine.events)
      for (const { kind, order } of changes) reach(coverage, `${order.type} ${kind}`);
    reference.remember();
    for (const [strategy, book] of engine.books.entries()) {
      const before = phases[strategy];
      const phase = phaseOf(book);
      if (phase !== before) reach(coverage, `below zero: ${before} to ${phase}`);
      phases[strategy] = phase;
    }
    steps += 1;
  };
  try {
    for (const each of [...OPENING, ...story.steps]) {
      const command = resolve(reference, each);
      if (!command || isIdle(reference, command)) continue;
      await step(command);
      if (isCounted(engine)) await step({ do: 'tick' });
    }
    for (const strategy of subject.strategies.keys()) {
      sameHistory(strategy, reference.orders(strategy), await subject.history(strategy));
      sameRecord(strategy, engine.book(strategy), await subject.record(strategy));
      sameValues(strategy, engine, BEGINNING, await subject.values(strategy));
    }
  } catch (error) {
    if (!(error instanceof Difference)) throw error;
    difference = error;
  } finally {
    await subject.close();
  }
  return { difference, steps, commands, coverage };
}
