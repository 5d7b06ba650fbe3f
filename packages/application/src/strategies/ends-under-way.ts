import type { Strategy, StrategyId } from '@slipstream/domain';
import type { Core } from '../core.js';

/** A transaction found a strategy whose end has not reached all followers yet; it must run after that. */
class EndUnderWay extends Error {
  override readonly name = 'EndUnderWay';
  constructor(readonly strategyId: StrategyId) {
    super(`strategy ${strategyId} has ended, but not all of its subscriptions yet`);
  }
}

/** Called before the first write of everything that concerns a strategy's money or followers. */
export function requireNoEndUnderWay({ id, endUnderWay }: Strategy): void {
  if (endUnderWay !== null) throw new EndUnderWay(id);
}

/** Runs the transaction as if each end of a strategy that it finds had been one transaction with its consequences. */
export async function afterEnds<Answer>(
  { ends }: Pick<Core, 'ends'>,
  operation: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof EndUnderWay)) throw error;
      await ends.finish(error.strategyId);
    }
  }
}
