import {
  type Decimal,
  Refusal,
  type StrategyId,
  type Timestamp,
  type UserId,
  ZERO,
  cancelOpenOrders,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { ownStrategy } from './access.js';
import { effectOf, refundsOf, requireRefundable } from '../billing/refund-unused.js';
import { requireSureClock } from '../billing/settled-up.js';
import type { Caller } from '../caller.js';
import { changeBook } from '../trading/change-book.js';
import type { Core } from '../core.js';
import { afterEnds } from './ends-under-way.js';
import { DELETED_REASON, revokeSight } from './ends.js';
import type { Transaction } from '../transaction.js';

/** Followers per read. */
const PAGE = 500;

type Also = (transaction: Transaction) => unknown;

/**
 * Removes the strategy from all reads, cancels its open orders and ends its subscriptions; the ledger stays. One transaction decides
 * the end and runs `also`; the followers' subscriptions are ended after it.
 */
export async function endStrategy(
  core: Core,
  caller: Caller,
  given: string,
  also: Also = () => undefined,
): Promise<void> {
  const strategyId = await afterEnds(core, () => decideEnd(core, caller, given, also));
  await core.ends.finishIfPossible(strategyId);
}

/**
 * The owner's cost is computed before: until the decision it only shrinks, except for a month that is paid meanwhile, which costs no
 * more than it earns. So an end that it forbids is decided anew, unless that was with the same cost (`refusedAt`): what was refunded
 * meanwhile would count twice.
 */
async function decideEnd(
  core: Core,
  caller: Caller,
  given: string,
  also: Also,
  refusedAt?: Decimal,
): Promise<StrategyId> {
  const { strategy, effect } = await core.unitOfWork.read(async (stores) => {
    const strategy = await ownStrategy(stores, caller, given);
    return { strategy, effect: await effectOfEnd(core, stores, strategy.id, core.clock.now()) };
  });
  try {
    await changeBook(core, strategy.id, async (book, market, stores) => {
      const now = market.now;
      const current = await ownStrategy(stores, caller, given);
      await requireRefundable(core, stores, current.userId, effect);
      const endUnderWay = { after: null };
      await stores.strategies.save({ ...current, deletedAt: now, updatedAt: now, endUnderWay });
      await revokeSight(stores, strategy.id, DELETED_REASON);
      await also(stores);
      return cancelOpenOrders(book, DELETED_REASON, market);
    });
  } catch (error) {
    const isForCost = error instanceof Refusal && error.code === 'insufficient_earnings';
    if (!isForCost || refusedAt?.eq(effect)) throw error;
    return decideEnd(core, caller, given, also, effect);
  }
  return strategy.id;
}

/** The change of the owner's earnings by the refunds. A clock in doubt would say that no day of a paid month is left. */
async function effectOfEnd(
  core: Pick<Core, 'ids' | 'clock' | 'paymentGateway'>,
  stores: ReadStores,
  strategyId: StrategyId,
  now: Timestamp,
): Promise<Decimal> {
  let effect = ZERO;
  for (let after: UserId | null | undefined = null; after !== undefined;) {
    const page = await stores.subscriptions.currentOf(strategyId, { after, limit: PAGE });
    for (const follower of page) {
      if (follower.price > 0) requireSureClock(core.clock);
      effect = effect.plus(effectOf(core, await refundsOf(core, stores, follower, now)));
    }
    after = page.length === PAGE ? page.at(-1)?.userId : undefined;
  }
  return effect;
}
