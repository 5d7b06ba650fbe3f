import {
  type Decimal,
  Refusal,
  type StrategyId,
  type Subscription,
  type Timestamp,
  inputMultiplier,
  pastValue,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { requireUser, visibleStrategy } from '../access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';

export interface SubscriptionInput {
  readonly inputValue?: Decimal | undefined;
  readonly inputDate?: Timestamp | undefined;
}

/** The multiplier of a figure given for a date: the last sample at or before it counts (contract 2, "Calculation"). */
async function multiplierAt(
  { floor }: Core,
  stores: Stores,
  strategyId: StrategyId,
  inputValue: Decimal,
  inputDate: Timestamp,
  now: Timestamp,
): Promise<Decimal | null> {
  const value =
    inputDate === now
      ? floor.valueOf(strategyId, now)
      : pastValue(await stores.valueHistory.list(strategyId, inputDate), inputDate);
  return inputMultiplier(inputValue, value);
}

/** Follows a free strategy at once. Without `inputValue` the multiplier stays unknown (null). */
export const newStrategySubscription =
  (core: Core) =>
  async (
    caller: Caller,
    command: { readonly strategyId: string } & SubscriptionInput,
  ): Promise<Subscription> => {
    const { userId } = requireUser(caller);
    const now = core.clock.now();
    return core.unitOfWork.run(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      if (await stores.subscriptions.findCurrent(strategy.id, userId)) {
        throw new Refusal('conflict', 'you follow or own this strategy already');
      }
      if (strategy.price > 0) {
        throw new Refusal(
          'payment_required',
          'the strategy has a price, and this server takes no payments',
        );
      }
      const { inputValue = null } = command;
      const inputDate = inputValue ? (command.inputDate ?? now) : null;
      if (inputDate !== null && (inputDate < strategy.createdAt || inputDate > now)) {
        throw new Refusal(
          'invalid_field',
          'input_date must lie between the start of the strategy and now',
        );
      }
      const subscription: Subscription = {
        id: core.ids.next(),
        strategyId: strategy.id,
        userId,
        relation: 'subscriber',
        status: 'active',
        price: strategy.price,
        inputValue,
        inputDate,
        inputMultiplier:
          inputValue && inputDate !== null
            ? await multiplierAt(core, stores, strategy.id, inputValue, inputDate, now)
            : null,
        renewsAt: null,
        endsAt: null,
        createdAt: now,
        updatedAt: now,
      };
      await stores.subscriptions.save(subscription);
      return subscription;
    });
  };

/** A free one ends at once. */
export const deleteStrategySubscription =
  ({ unitOfWork, clock, events }: Core) =>
  async (caller: Caller, command: { readonly strategyId: string }): Promise<void> => {
    const { userId } = requireUser(caller);
    const ended = await unitOfWork.run(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      const current = await stores.subscriptions.findCurrent(strategy.id, userId);
      if (!current || current.relation === 'owner') {
        throw new Refusal('not_found', 'you have no subscription to this strategy');
      }
      const now = clock.now();
      await stores.subscriptions.save({
        ...current,
        status: 'cancelled',
        endsAt: now,
        updatedAt: now,
      });
      return current;
    });
    events.publish({
      kind: 'access_changed',
      userId,
      strategyId: ended.strategyId,
      reason: 'the subscription ended',
    });
  };

/** The caller's own rows, newest first; only of those strategies when they are named. */
export const getStrategySubscriptions =
  ({ unitOfWork }: Core) =>
  async (
    caller: Caller,
    { strategyIds }: { readonly strategyIds?: readonly string[] | undefined },
  ): Promise<Subscription[]> => {
    const { userId } = requireUser(caller);
    const rows = await unitOfWork.read((stores) => stores.subscriptions.listOfUser(userId));
    if (!strategyIds) return rows;
    return [...new Set(strategyIds)].flatMap((strategyId) =>
      rows.filter((row) => row.strategyId === strategyId),
    );
  };
