import {
  type Happening,
  type Market,
  type Stock,
  type StrategyId,
  type UserId,
  strategyState,
  topicOfStrategy,
  topicOfUser,
  topicOfValues,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { viewInvoices } from '../billing/payment-views.js';
import type { Core } from '../core.js';
import { viewOrder } from '../trading/order-views.js';
import type { Said } from './said.js';

/** Whom and what an event concerns. */
export interface Concerned {
  readonly strategyId: StrategyId | null;
  /** The only user who is told; null for all who may see the strategy's orders or value. */
  readonly userId: UserId | null;
  readonly topics: readonly string[];
}

/** An event of a user's own thing. */
const own = (userId: UserId, ...strategyIds: readonly (StrategyId | null)[]): Concerned => ({
  strategyId: strategyIds[0] ?? null,
  userId,
  topics: [
    topicOfUser(userId),
    ...strategyIds.flatMap((strategyId) =>
      strategyId === null ? [] : topicOfStrategy(strategyId),
    ),
  ],
});

/** An event of a strategy: its owner and its followers hear it. */
async function ofStrategy(
  { strategies }: Pick<Stores, 'strategies'>,
  strategyId: StrategyId,
): Promise<Concerned> {
  const strategy = await strategies.find(strategyId);
  const owner = strategy ? [topicOfUser(strategy.userId)] : [];
  return { strategyId, userId: null, topics: [topicOfStrategy(strategyId), ...owner] };
}

/** Whom what was said concerns. */
export async function concernedBy(stores: Stores, said: Said): Promise<Concerned> {
  switch (said.name) {
    case 'order.filled':
    case 'order.rejected':
    case 'order.cancelled':
      return ofStrategy(stores, said.book.strategyId);
    case 'value.crossed': {
      const concerned = await ofStrategy(stores, said.strategyId);
      return { ...concerned, topics: concerned.topics.map(topicOfValues) };
    }
    case 'alert.refused':
      return own(said.alert.userId, said.alert.strategyId);
    case 'subscription.changed':
      return own(said.subscription.userId, said.subscription.strategyId);
    case 'invoice.changed':
      return own(said.invoice.userId, said.invoice.strategyId);
    default:
      return own(said.bot.userId, ...said.bot.allocations.map(({ strategyId }) => strategyId));
  }
}

type Needs = Pick<Core, 'secretBox'>;

/** What was said as a happening, with its record as a read would show it now. */
export async function happeningOf(
  needs: Needs,
  stores: Stores,
  said: Said,
  market: Market<Stock>,
): Promise<Happening> {
  switch (said.name) {
    case 'order.filled':
    case 'order.rejected':
    case 'order.cancelled': {
      const { name, order, book } = said;
      return { name, order: viewOrder(order, market, book), version: book.version };
    }
    case 'invoice.changed': {
      const [view] = await viewInvoices(needs, stores, [said.invoice]);
      if (!view) throw new Error(`invoice ${said.invoice.id} has no view`);
      return { name: said.name, ...view };
    }
    case 'value.crossed': {
      const { name, strategyId, from: before, to: strategyValue } = said;
      const strategy = await stores.strategies.find(strategyId);
      if (!strategy) throw new Error(`strategy ${strategyId} does not exist`);
      const value = { strategyId, strategyValue, state: strategyState(strategy) };
      return { name, value, before };
    }
    default:
      return said;
  }
}
