import {
  STRATEGY_ENDED_NOTIFICATION,
  type Strategy,
  type StrategyId,
  type Subscription,
  cancelSubscription,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { bookRefunds, refundOf, refundsOf } from '../billing/refund-unused.js';
import { notifyEnded } from '../billing/notify-money.js';
import type { Core } from '../core.js';
import type { StrategyEnds } from './strategy-ends.js';
import { keepNotification } from '../messages/notify.js';

/** The streams of the strategy check everybody's access again. */
export const revokeSight = (
  { events }: Pick<Stores, 'events'>,
  strategyId: StrategyId,
  reason: string,
): Promise<void> => events.add({ kind: 'access_changed', userId: null, strategyId, reason });

/** Followers per transaction: few, so that other transactions run in between. */
const AT_ONCE = 25;

export const DELETED_REASON = 'the strategy was deleted';
export const OVER_REASON = 'the strategy is over: its value was at or below zero';

export const overText = ({ name }: Strategy): string =>
  `Strategy “${name}” is over: its value was at or below zero for fifteen minutes. What it holds is closed; its record stays.`;

type Needs = Pick<Core, 'unitOfWork' | 'ids' | 'clock' | 'secretBox' | 'settings' | 'log'>;

export function strategyEnds(needs: Needs): StrategyEnds {
  const { unitOfWork, log } = needs;

  /** Answers whether these were the last followers. */
  const endSome = (strategyId: StrategyId): Promise<boolean> =>
    unitOfWork.run(async (stores) => {
      const strategy = await stores.strategies.find(strategyId);
      if (!strategy?.endUnderWay) return true;
      const { after } = strategy.endUnderWay;
      const some = await stores.subscriptions.currentOf(strategyId, { after, limit: AT_ONCE });
      for (const follower of some) await endForFollower(needs, stores, strategy, follower);
      const last = some.at(-1);
      const endUnderWay = last && some.length === AT_ONCE ? { after: last.userId } : null;
      await stores.strategies.save({ ...strategy, endUnderWay });
      if (endUnderWay !== null) return false;
      // Paying followers no longer see it.
      if (strategy.deletedAt === null) await revokeSight(stores, strategyId, OVER_REASON);
      return true;
    });

  const finish = async (strategyId: StrategyId): Promise<void> => {
    while (!(await endSome(strategyId)));
  };

  const finishIfPossible = async (strategyId: StrategyId): Promise<void> => {
    try {
      await finish(strategyId);
    } catch (error) {
      log.warn(
        { strategyId, error },
        'could not end all subscriptions of an ended strategy; will retry',
      );
    }
  };

  return {
    finish,
    finishIfPossible,
    async resume() {
      const strategies = await unitOfWork.read((stores) => stores.strategies.endsUnderWay());
      for (const { id } of strategies) await finishIfPossible(id);
    },
  };
}

/** Charges nothing more, refunds unused days and notifies the follower. A follower of a free strategy keeps following its record. */
async function endForFollower(
  needs: Needs,
  stores: Stores,
  strategy: Strategy,
  follower: Subscription,
): Promise<void> {
  const { id: strategyId, deletedAt, endedAt } = strategy;
  const at = deletedAt ?? endedAt;
  if (at === null) throw new Error(`strategy ${strategyId} has not ended`);
  if (deletedAt !== null || follower.price > 0) {
    const reason = deletedAt === null ? OVER_REASON : DELETED_REASON;
    const ended = cancelSubscription(follower, reason, at);
    const refunds = await refundsOf(needs, stores, follower, at);
    await bookRefunds(stores, refunds);
    await stores.subscriptions.save(ended);
    await notifyEnded(needs, stores, follower, ended, refundOf(refunds));
  }
  if (deletedAt === null && follower.relation === 'subscriber') {
    const notice = { userId: follower.userId, strategyId, text: overText(strategy) };
    await keepNotification(needs, stores, STRATEGY_ENDED_NOTIFICATION, notice);
  }
}
