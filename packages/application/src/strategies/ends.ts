import {
  type Notification,
  STRATEGY_ENDED_NOTIFICATION,
  type Strategy,
  type StrategyId,
  type Subscription,
  cancelled,
} from '@slipstream/domain';
import type { Ports, Stores } from '@slipstream/ports';
import { bookRefunds, refundsOf } from '../billing/refund-unused.js';
import { notifyEnded } from '../billing/notify-money.js';
import type { StrategyEnds } from './strategy-ends.js';
import { keepNotification, publishNotifications } from '../messages/notify.js';

/** Followers per transaction: few, so that other transactions run in between. */
const AT_ONCE = 25;

export const DELETED_REASON = 'the strategy was deleted';
export const OVER_REASON = 'the strategy is over: its value was at or below zero';

export const overText = (strategyId: StrategyId): string =>
  `Strategy ${strategyId} is over: its value was at or below zero for fifteen minutes. What it holds is closed; its record stays.`;

type Needs = Pick<Ports, 'unitOfWork' | 'ids' | 'clock' | 'secretBox' | 'events' | 'log'>;

export function strategyEnds(needs: Needs): StrategyEnds {
  const { unitOfWork, events, log } = needs;

  const settleSome = (strategyId: StrategyId) =>
    unitOfWork.run(async (stores) => {
      const told: Notification[] = [];
      const strategy = await stores.strategies.find(strategyId);
      if (!strategy?.endUnderWay) return { told, isLast: true, isSeen: false };
      const { after } = strategy.endUnderWay;
      const some = await stores.subscriptions.currentOf(strategyId, { after, limit: AT_ONCE });
      for (const follower of some)
        told.push(...(await settleFollower(needs, stores, strategy, follower)));
      const last = some.at(-1);
      const endUnderWay = last && some.length === AT_ONCE ? { after: last.userId } : null;
      await stores.strategies.save({ ...strategy, endUnderWay });
      return { told, isLast: endUnderWay === null, isSeen: strategy.deletedAt === null };
    });

  const settle = async (strategyId: StrategyId): Promise<void> => {
    for (let goesOn = true; goesOn;) {
      const { told, isLast, isSeen } = await settleSome(strategyId);
      publishNotifications(needs, told);
      // Paying followers no longer see it.
      if (isLast && isSeen)
        events.publish({ kind: 'access_changed', userId: null, strategyId, reason: OVER_REASON });
      goesOn = !isLast;
    }
  };

  const settleIfPossible = async (strategyId: StrategyId): Promise<void> => {
    try {
      await settle(strategyId);
    } catch (error) {
      log.warn({ strategyId, error }, 'not all followers could be settled; it is tried again');
    }
  };

  return {
    settle,
    settleIfPossible,
    async resume() {
      const strategies = await unitOfWork.read((stores) => stores.strategies.endsUnderWay());
      for (const { id } of strategies) await settleIfPossible(id);
    },
  };
}

/** Charges nothing more, refunds unused days and notifies the follower. A follower of a free strategy goes on following its record. */
async function settleFollower(
  needs: Needs,
  stores: Stores,
  { id: strategyId, deletedAt, endedAt }: Strategy,
  follower: Subscription,
): Promise<Notification[]> {
  const at = deletedAt ?? endedAt;
  if (at === null) throw new Error(`strategy ${strategyId} has not ended`);
  const told: Notification[] = [];
  if (deletedAt !== null || follower.price > 0) {
    const reason = deletedAt === null ? OVER_REASON : DELETED_REASON;
    const ended = cancelled(follower, reason, at);
    await bookRefunds(stores, await refundsOf(needs, stores, follower, at));
    await stores.subscriptions.save(ended);
    told.push(...(await notifyEnded(needs, stores, follower, ended)));
  }
  if (deletedAt === null && follower.relation === 'subscriber') {
    const notice = { userId: follower.userId, strategyId, text: overText(strategyId) };
    told.push(await keepNotification(needs, stores, STRATEGY_ENDED_NOTIFICATION, notice));
  }
  return told;
}
