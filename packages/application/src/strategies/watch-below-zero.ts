import {
  type Outcome,
  STRATEGY_ENDED_NOTIFICATION,
  type StrategyState,
  type Strategy,
  type StrategyId,
  belowZeroPhase,
  closeOnly,
  closingRequests,
  strategyState,
  submit,
  type NextId,
} from '@slipstream/domain';
import { type Stores, isSure } from '@slipstream/ports';
import { changeBook } from '../trading/change-book.js';
import type { Core } from '../core.js';
import { keepNotification } from '../messages/notify.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';
import { OVER_REASON, overText, revokeSight } from './ends.js';
import { Throttle } from '../housekeeping/throttle.js';

/** How often new strategies are searched for; the counted ones are checked each second. */
const SEARCH_EVERY = 5_000;
/** How often the counts are stored and the remaining holdings of ended strategies are checked. */
const KEEP_EVERY = 60_000;

/** Restricts strategies at or below zero to closing after one minute and ends them after fifteen (contract 7b.9). */
export interface BelowZeroWatch {
  /** Restores the stored counts at start. */
  start(): Promise<void>;
  tick(): Promise<void>;
}

/** What became of a strategy since it was checked. */
type Fate = 'kept' | 'gone' | 'recovered';

type Ending = Outcome &
  (
    | { readonly fate: 'ended'; readonly state: StrategyState }
    | { readonly fate: Exclude<Fate, 'kept'> }
  );

const CLOSING_REASON = 'closing_only: the value of the strategy was at or below zero for a minute';

export function watchBelowZero(core: Core): BelowZeroWatch {
  const { unitOfWork, clock, live, belowZero, log } = core;
  /** The stored figure of each counted strategy. */
  const kept = new Map<StrategyId, number>();
  /** Ended strategies: their holdings are closed. */
  const over = new Set<StrategyId>();
  const [searching, closing] = [new Throttle(), new Throttle()];

  const forget = (strategyId: StrategyId): void => {
    belowZero.forget(strategyId);
    kept.delete(strategyId);
  };

  const goesOn = (strategy: Strategy | undefined): strategy is Strategy =>
    strategy !== undefined && strategy.deletedAt === null && strategy.endedAt === null;

  /** Stores how long it has lasted, and restricts the book to closing when the time is reached. */
  const keep = async (strategyId: StrategyId, lasted: number): Promise<void> => {
    const phase = belowZeroPhase(lasted);
    const was = belowZeroPhase(kept.get(strategyId) ?? 0);
    const save = async (stores: Stores): Promise<Fate> => {
      const strategy = await stores.strategies.find(strategyId);
      if (!goesOn(strategy)) return 'gone';
      const updatedAt = phase === was ? strategy.updatedAt : clock.now();
      await stores.strategies.save({ ...strategy, belowZeroFor: lasted, updatedAt });
      return 'kept';
    };
    const bind = () =>
      changeBook(core, strategyId, async (book, market, stores) => {
        // An order that was placed after a quote above zero stays.
        const fate = belowZero.closesOnly(strategyId) ? await save(stores) : 'recovered';
        const outcome: Outcome =
          fate === 'kept'
            ? closeOnly(book, CLOSING_REASON, market, () => core.ids.next())
            : { book, changes: [] };
        return { ...outcome, fate };
      });
    const binds = phase === 'closes_only' && was === 'trades';
    const fate = binds ? (await bind()).fate : await unitOfWork.run(save);
    if (fate === 'recovered') return;
    if (fate === 'kept')
      core.watch.isNow(strategyId, strategyState({ belowZeroFor: lasted, endedAt: null }));
    if (fate === 'gone') forget(strategyId);
    else if (lasted === 0) kept.delete(strategyId);
    else kept.set(strategyId, lasted);
  };

  /** Notifies the owner, in the transaction of the end. */
  const notifyOwner = async (stores: Stores, strategy: Strategy): Promise<void> => {
    const { id, userId } = strategy;
    const notice = { userId, strategyId: id, text: overText(strategy) };
    const subject = 'A strategy of yours is over';
    await keepNotification(core, stores, STRATEGY_ENDED_NOTIFICATION, notice);
    await notifyOfAccount(core, stores, { subject, ...notice });
  };

  const end = async (strategyId: StrategyId): Promise<void> => {
    const { ids } = core;
    const ending = await changeBook(
      core,
      strategyId,
      async (book, market, stores): Promise<Ending> => {
        const strategy = await stores.strategies.find(strategyId);
        if (!goesOn(strategy)) return { book, changes: [], fate: 'gone' };
        const now = market.now;
        const { lasted } = belowZero.check(strategyId);
        if (belowZeroPhase(lasted) !== 'over') return { book, changes: [], fate: 'recovered' };
        const ended = {
          ...strategy,
          belowZeroFor: lasted,
          endedAt: now,
          endUnderWay: { after: null },
          updatedAt: now,
        };
        await stores.strategies.save(ended);
        await notifyOwner(stores, strategy);
        await revokeSight(stores, strategyId, OVER_REASON);
        const requests = closingRequests({ ...book, openOrders: [] }, market, () => ids.next());
        const outcome = submit(book, requests, market, () => ids.next(), OVER_REASON);
        return { ...outcome, fate: 'ended', state: strategyState(ended) };
      },
      {
        onCommit: (decided) => {
          if (decided.fate === 'ended') core.watch.isNow(strategyId, decided.state);
        },
      },
    );
    if (ending.fate !== 'recovered') forget(strategyId);
    if (ending.fate !== 'ended') return;
    over.add(strategyId);
    await core.ends.finishIfPossible(strategyId);
  };

  /** Closes holdings of ended strategies that no open order closes, for example after a temporary delisting or a corporate action. */
  const closeWhatIsLeft = async (): Promise<void> => {
    for (const strategyId of over) {
      const book = live.book(strategyId);
      const market = live.market(clock.now());
      const nextId: NextId = () => core.ids.next();
      if (!book || closingRequests(book, market, nextId).length === 0) continue;
      await changeBook(core, strategyId, async (current, seen, stores): Promise<Outcome> => {
        const strategy = await stores.strategies.find(strategyId);
        if (!strategy || strategy.endedAt === null || strategy.deletedAt !== null) {
          over.delete(strategyId);
          return { book: current, changes: [] };
        }
        return submit(current, closingRequests(current, seen, nextId), seen, nextId);
      });
    }
  };

  const process = async (strategyId: StrategyId): Promise<void> => {
    const { lasted } = belowZero.check(strategyId);
    const before = kept.get(strategyId) ?? 0;
    const phase = belowZeroPhase(lasted);
    // The end refunds what is left of paid months, which a clock in doubt does not know: until then it can only close.
    if (phase === 'over' && isSure(clock)) await end(strategyId);
    else if (phase !== belowZeroPhase(before) || lasted - before >= KEEP_EVERY)
      await keep(strategyId, lasted);
  };

  /** Finds strategies at or below zero that are not counted yet. Ended and deleted ones are never counted. */
  const search = async (): Promise<void> => {
    const counted = new Set(belowZero.counted());
    const found = [...live.strategiesAtOrBelowZero()].filter((id) => !counted.has(id));
    if (found.length === 0) return;
    const strategies = await unitOfWork.read((stores) => stores.strategies.list(found));
    for (const strategy of strategies) if (goesOn(strategy)) belowZero.check(strategy.id);
  };

  return {
    async start() {
      const strategies = await unitOfWork.read((stores) => stores.strategies.belowZero());
      for (const strategy of strategies) {
        core.watch.isNow(strategy.id, strategyState(strategy));
        if (strategy.endedAt !== null) {
          over.add(strategy.id);
          continue;
        }
        belowZero.restore(strategy.id, strategy.belowZeroFor);
        kept.set(strategy.id, strategy.belowZeroFor);
      }
    },
    async tick() {
      const now = clock.now();
      if (searching.isDue(now)) {
        await search();
        searching.done(now, SEARCH_EVERY);
      }
      // Recovered ones too: their recovery is stored.
      for (const strategyId of new Set([...belowZero.counted(), ...kept.keys()])) {
        try {
          await process(strategyId);
        } catch (error) {
          log.error({ strategyId, error }, 'could not process a strategy below zero; will retry');
        }
      }
      if (closing.isDue(now)) {
        await closeWhatIsLeft();
        closing.done(now, KEEP_EVERY);
      }
    },
  };
}
