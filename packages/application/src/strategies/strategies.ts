import {
  type Decimal,
  MAX_ALERT_WATCH,
  ONE,
  Refusal,
  type Security,
  type Strategy,
  type Subscription,
  type UserId,
  decimal,
  firstSegments,
  id,
  inputMultiplier,
  newBook,
  requireAboveZero,
  requireWhole,
  strategyState,
  type Timeframe,
  type StrategyValueView,
  type StrategyView,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { ownStrategy, requireUser, visibleStrategies } from './access.js';
import { ownUser } from '../accounts/users.js';
import { alertWatchOf } from '../alerts/alert-watch.js';
import { requireBelowCap, requireStorage } from '../caps.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import type { Transaction } from '../transaction.js';
import { endStrategy } from './end-strategy.js';
import { type ViewCore, forOwner, viewStrategies } from './strategy-views.js';

/** The owner's initial value in currency, unless they give one (contract 2). */
const DEFAULT_INPUT_VALUE = decimal('10000');

export interface StrategyFields {
  readonly name: string;
  readonly description?: string | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly private?: boolean | undefined;
  /** Whole USD a month. */
  readonly price?: number | undefined;
  readonly inputValue?: Decimal | undefined;
  readonly invitedUserIds?: readonly string[] | undefined;
  /** Trading hours; null ends the watch. */
  readonly alertWatch?: number | null | undefined;
}

/** Dearer ones are mistyped. */
const MAX_PRICE = 1_000_000;

/** Refuses figures that no strategy may have. */
function requireFigures({
  price = 0,
  inputValue = DEFAULT_INPUT_VALUE,
  alertWatch = null,
}: Omit<StrategyFields, 'name'>): void {
  requireWhole('price', price, 0, MAX_PRICE);
  requireAboveZero('input_value', inputValue);
  if (alertWatch !== null) requireWhole('alert_watch', alertWatch, 1, MAX_ALERT_WATCH);
}

async function requireUsers(
  stores: Stores,
  userIds: readonly string[],
): Promise<Strategy['invitedUserIds']> {
  const asked = [...new Set(userIds)].map((userId) => id<'user'>(userId));
  const known = new Set((await stores.users.list(asked)).map((user) => user.id));
  const unknown = asked.find((userId) => !known.has(userId));
  if (unknown !== undefined) throw new Refusal('not_found', `user ${unknown} does not exist`);
  return asked;
}

/** Makes a strategy, its book with cash 1 and its owner's subscription, which always has a multiplier. */
export const newStrategy =
  (core: Core) =>
  async (
    caller: Caller,
    command: StrategyFields & { readonly type: Security },
  ): Promise<StrategyView> => {
    const { unitOfWork, ids, clock, live } = core;
    const { userId } = requireUser(caller);
    const now = clock.now();
    requireFigures(command);
    const inputValue = command.inputValue ?? DEFAULT_INPUT_VALUE;
    const strategyId = ids.next<'strategy'>();
    const book = newBook(strategyId);
    const shown = await unitOfWork.run(
      async (stores) => {
        await ownUser(stores, userId);
        const made: Strategy = {
          id: strategyId,
          productId: core.paymentGateway.productId(strategyId),
          userId,
          type: command.type,
          private: command.private ?? false,
          name: command.name,
          description: command.description ?? '',
          categories: command.categories ?? [],
          price: command.price ?? 0,
          invitedUserIds: await requireUsers(stores, command.invitedUserIds ?? []),
          createdAt: now,
          updatedAt: now,
          belowZeroFor: 0,
          endedAt: null,
          deletedAt: null,
          endUnderWay: null,
          ownerTrades: null,
          claimed: null,
          ...alertWatchOf(core, command, {
            type: command.type,
            alertWatch: null,
            alertDueAt: null,
          }),
          ...firstSegments(live.marketKind, now),
        };
        const figures = await stores.users.figures([userId]);
        requireBelowCap(core.settings.caps, 'strategies', figures.get(userId)?.strategies ?? 0);
        await requireStorage(core, stores, userId);
        await stores.strategies.save(made);
        await stores.books.save(book, []);
        await stores.subscriptions.save({
          id: ids.next(),
          strategyId,
          userId,
          relation: 'owner',
          status: 'active',
          statusReason: null,
          price: 0,
          inputValue,
          inputDate: now,
          inputMultiplier: inputMultiplier(inputValue, ONE),
          renewsAt: null,
          endsAt: null,
          createdAt: now,
          updatedAt: now,
        });
        const view = await ownView({ ...core, live: { valueOf: () => ONE } }, stores, made);
        stores.answerWith(view);
        return view;
      },
      {
        onCommit: (view) => {
          live.load(book);
          core.catalogue.put(view);
        },
      },
    );
    return shown;
  };

/** The strategy as its owner sees it. */
export const ownView = async (
  core: ViewCore,
  stores: Stores,
  strategy: Strategy,
): Promise<StrategyView> => {
  const [view] = await viewStrategies(core, stores, [strategy]);
  return forOwner(view as StrategyView);
};

/** Whose access the streams must check again: everybody's (null) or one user's. */
interface LostSight {
  readonly userId: UserId | null;
  readonly reason: string;
}

/** The users who may see less of the strategy than before. Nearly every change takes nothing from anybody. */
function lostSight(before: Strategy, after: Strategy): readonly LostSight[] {
  if (!after.private) return [];
  if (!before.private) return [{ userId: null, reason: 'the strategy became private' }];
  const invited = new Set(after.invitedUserIds);
  return before.invitedUserIds
    .filter((userId) => !invited.has(userId))
    .map((userId) => ({ userId, reason: 'the invitation was withdrawn' }));
}

export const updateStrategy =
  (core: Core) =>
  async (
    caller: Caller,
    command: Omit<StrategyFields, 'name'> & {
      readonly strategyId: string;
      readonly name?: string | undefined;
    },
  ): Promise<StrategyView> => {
    const { unitOfWork, clock, live } = core;
    requireFigures(command);
    const now = clock.now();
    const change = async (stores: Transaction): Promise<StrategyView> => {
      const before = await ownStrategy(stores, caller, command.strategyId);
      const after: Strategy = {
        ...before,
        name: command.name ?? before.name,
        description: command.description ?? before.description,
        categories: command.categories ?? before.categories,
        private: command.private ?? before.private,
        price: command.price ?? before.price,
        invitedUserIds: command.invitedUserIds
          ? await requireUsers(stores, command.invitedUserIds)
          : before.invitedUserIds,
        ...alertWatchOf(core, command, before),
        updatedAt: now,
      };
      await stores.strategies.save(after);
      if (command.inputValue) {
        const row = await stores.subscriptions.findCurrent(before.id, before.userId);
        const multiplier = inputMultiplier(command.inputValue, live.valueOf(before.id, now));
        if (!row || !multiplier) {
          throw new Refusal(
            'value_unavailable',
            'input_value needs a positive strategy_value, which is unavailable now',
          );
        }
        const next: Subscription = {
          ...row,
          inputValue: command.inputValue,
          inputDate: now,
          inputMultiplier: multiplier,
          updatedAt: now,
        };
        await stores.subscriptions.save(next);
      }
      const view = await ownView(core, stores, after);
      stores.answerWith(view);
      for (const lost of lostSight(before, after))
        await stores.events.add({ kind: 'access_changed', strategyId: after.id, ...lost });
      return view;
    };
    return unitOfWork.run(change, { onCommit: (view) => core.catalogue.put(view) });
  };

export const deleteStrategy =
  (core: Core) =>
  (caller: Caller, { strategyId }: { readonly strategyId: string }): Promise<void> =>
    endStrategy(core, caller, strategyId, (transaction) => transaction.answerWith(undefined));

export const getStrategies =
  (core: Core) =>
  async (
    caller: Caller,
    command: {
      readonly strategyIds: readonly string[];
      readonly timeframe?: Timeframe | undefined;
    },
  ): Promise<StrategyView[]> =>
    core.unitOfWork.read(async (stores) => {
      const strategies = await visibleStrategies(stores, caller, command.strategyIds);
      const views = await viewStrategies(core, stores, strategies, command.timeframe);
      if (caller.kind !== 'user') return views;
      return views.map((view) => (view.strategy.userId === caller.userId ? forOwner(view) : view));
    });

export const getStrategyValues =
  ({ unitOfWork, live, clock }: Core) =>
  async (
    caller: Caller,
    { strategyIds }: { readonly strategyIds: readonly string[] },
  ): Promise<StrategyValueView[]> => {
    const strategies = await unitOfWork.read((stores) =>
      visibleStrategies(stores, caller, strategyIds),
    );
    return strategies.map((strategy) => ({
      strategyId: strategy.id,
      strategyValue: live.valueOf(strategy.id, clock.now()),
      state: strategyState(strategy),
    }));
  };
