import {
  DAY,
  type Decimal,
  Refusal,
  type Strategy,
  type Subscription,
  type Timestamp,
  type UserId,
  id,
  inputMultiplier,
  requireAboveZero,
  resumeSubscription,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { requireGoesOn, requireUser, visibleStrategy } from './access.js';
import type { Billing } from '../billing/billing.js';
import {
  billFirstMonth,
  endPaidSubscription,
  requireNoEndOf,
} from '../billing/subscription-terms.js';
import { requireBelowCap } from '../caps.js';
import type { Caller } from '../caller.js';
import { requireConfirmed } from '../accounts/confirmed-address.js';
import { ownUser } from '../accounts/users.js';
import type { Core } from '../core.js';
import { type PageRequest, everyItem, itemsAfter, pageOf } from '../page.js';
import { afterEnds } from './ends-under-way.js';
import { addEnd } from '../billing/billed.js';
import { requireSureClock } from '../billing/settled-up.js';
import { excludeFollower } from './exclude-follower.js';
import { valueAtInputDate } from './input-date.js';
import { notifyOfSubscriber } from '../messages/notify-of-subscriber.js';

export interface SubscriptionInput {
  readonly inputValue?: Decimal | undefined;
  readonly inputDate?: Timestamp | undefined;
}

export interface NewSubscription extends SubscriptionInput {
  readonly strategyId: string;
  /** Whole USD a month: the price that the caller knows. */
  readonly price?: number | undefined;
}

/**
 * Follows a free strategy at once. A strategy with a price is charged first and followed when the charge is paid. If the
 * subscription is about to end, revokes that end at its present price. Without `inputValue` the multiplier stays unknown (null).
 */
export const newStrategySubscription =
  (core: Core, billing: Billing) =>
  async (caller: Caller, command: NewSubscription): Promise<Subscription> => {
    const { userId } = requireUser(caller);
    const now = core.clock.now();
    if (command.inputDate !== undefined && !command.inputValue) {
      throw new Refusal('invalid_field', 'input_date needs input_value, which it is the date of');
    }
    const { made, invoiceId } = await core.unitOfWork.run(async (stores) => {
      await ownUser(stores, userId);
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      requireGoesOn(strategy);
      const current = await stores.subscriptions.findCurrent(strategy.id, userId);
      if (strategy.price > 0) await requireConfirmed(core, stores, userId);
      if (strategy.price > 0) requireSureClock(core.clock);
      if (current) requireResumable(current, now);
      requireAgreedPrice(current ?? strategy, command.price);
      const input = await inputOf(core, stores, strategy, command, now);
      if (current) {
        const resumed = { ...resumeSubscription(current, now), ...input };
        await stores.subscriptions.save(resumed);
        stores.answerWith(resumed);
        return { made: resumed };
      }
      const { length } = await stores.subscriptions.following(userId);
      requireBelowCap(core.settings.caps, 'subscriptions', length);
      const begun = await leftToday(stores, userId, strategy, now);
      const subscription: Subscription = {
        id: begun?.id ?? core.ids.next(),
        strategyId: strategy.id,
        userId,
        relation: 'subscriber',
        status: strategy.price > 0 ? 'pending' : 'active',
        statusReason: null,
        price: strategy.price,
        inputValue: null,
        inputDate: null,
        inputMultiplier: null,
        ...input,
        renewsAt: null,
        endsAt: null,
        createdAt: begun?.createdAt ?? now,
        updatedAt: now,
      };
      await stores.subscriptions.save(subscription);
      if (strategy.price > 0) {
        const first = await billFirstMonth(core, stores, subscription, strategy);
        return { made: subscription, invoiceId: first.id };
      }
      stores.answerWith(subscription);
      await notifyOfSubscriber(core, stores, strategy, userId);
      return { made: subscription };
    });
    if (invoiceId === undefined) return made;
    await billing.process(invoiceId);
    const tried = await core.unitOfWork.read((stores) => stores.subscriptions.find(made.id));
    return tried ?? made;
  };

/**
 * The user's last subscription to a free strategy, if it began within a day: who follows and leaves again and again makes no row each time.
 * Rows stay for ever, and every computation of ranks reads those of a strategy.
 */
async function leftToday(
  { subscriptions }: Pick<Stores, 'subscriptions'>,
  userId: UserId,
  { id: strategyId, price }: Strategy,
  now: Timestamp,
): Promise<Subscription | undefined> {
  if (price > 0) return undefined;
  const [last] = await subscriptions.listOfUser(userId, { limit: 1 }, [strategyId]);
  return last?.price === 0 && now - last.createdAt < DAY ? last : undefined;
}

function requireResumable({ status, endsAt }: Subscription, now: Timestamp): void {
  if (status === 'active' && endsAt !== null && endsAt > now) return;
  throw new Refusal('conflict', 'you follow or own this strategy already');
}

/** Nobody pays a price that is not in their request (contract 16). */
function requireAgreedPrice(
  { price }: { readonly price: number },
  agreed: number | undefined,
): void {
  if (agreed === price || (agreed === undefined && price === 0)) return;
  if (agreed === undefined) {
    const message = `price is required: this strategy costs ${price} USD a month`;
    throw new Refusal('invalid_field', message);
  }
  throw new Refusal('price_changed', `the price is ${price} USD a month now, not ${agreed}`);
}

/** The caller's own input value and date, if they gave any. */
async function inputOf(
  core: Core,
  stores: Stores,
  strategy: Strategy,
  { inputValue, inputDate: asked }: SubscriptionInput,
  now: Timestamp,
): Promise<Pick<Subscription, 'inputValue' | 'inputDate' | 'inputMultiplier'> | undefined> {
  if (!inputValue) return undefined;
  requireAboveZero('input_value', inputValue);
  const { inputDate, value } = await valueAtInputDate(core, stores, strategy, { asked, now });
  return { inputValue, inputDate, inputMultiplier: inputMultiplier(inputValue, value) };
}

/**
 * A free subscription ends at once, a paid one at the end of the paid period (contract 5, "Billing"). With `userId`, the owner of
 * a private strategy ends that user's subscription at once, and the rest of a paid month is refunded.
 */
export const deleteStrategySubscription =
  (core: Core) =>
  async (
    caller: Caller,
    command: { readonly strategyId: string; readonly userId?: string | undefined },
  ): Promise<void> => {
    const { unitOfWork, clock } = core;
    const own = requireUser(caller).userId;
    if (command.userId !== undefined && command.userId !== own) {
      await excludeFollower(core, caller, command.strategyId, command.userId);
      return;
    }
    await afterEnds(core, () =>
      unitOfWork.run(async (stores) => {
        const strategyId = id<'strategy'>(command.strategyId);
        const current = await stores.subscriptions.findCurrent(strategyId, own);
        if (!current || current.relation === 'owner') {
          await visibleStrategy(stores, caller, strategyId);
          throw new Refusal('not_found', 'you have no subscription to this strategy');
        }
        await requireNoEndOf(stores, current);
        stores.answerWith(undefined);
        const ended = await endPaidSubscription(stores, current, clock.now());
        await addEnd(stores, current, ended, 'the subscription ended');
      }),
    );
  };

/** The caller's own subscriptions, newest first; with strategy ids only those to them, in the order of the ids. */
export const getStrategySubscriptions =
  ({ unitOfWork }: Core) =>
  async (
    caller: Caller,
    command: PageRequest & { readonly strategyIds?: readonly string[] | undefined },
  ): Promise<Subscription[]> => {
    const { userId } = requireUser(caller);
    const strategyIds = command.strategyIds?.map((text) => id<'strategy'>(text));
    const page = pageOf(command);
    return unitOfWork.read(async ({ subscriptions }) => {
      if (!strategyIds) return subscriptions.listOfUser(userId, page);
      const rows = await everyItem((part) => subscriptions.listOfUser(userId, part, strategyIds));
      const inAskedOrder = [...new Set(strategyIds)].flatMap((strategyId) =>
        rows.filter((row) => row.strategyId === strategyId),
      );
      return itemsAfter(inAskedOrder, page.cursor).slice(0, page.limit);
    });
  };
