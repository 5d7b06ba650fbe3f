import type { Strategy, StrategyId } from '@slipstream/domain';
import type { Core } from '../core.js';

/** A work met a strategy whose followers are not all settled, and has to come after that. */
class EndUnderWay extends Error {
  override readonly name = 'EndUnderWay';
  constructor(readonly strategyId: StrategyId) {
    super(`the followers of strategy ${strategyId}, which has ended, are not all settled`);
  }
}

/** Before the first write of whatever concerns the money or the followers of a strategy. */
export function requireNoEndUnderWay({ id, endUnderWay }: Strategy): void {
  if (endUnderWay !== null) throw new EndUnderWay(id);
}

/** The work, as if the end of a strategy that it met had been one with what followed. */
export async function afterEnds<Answer>(
  { ends }: Pick<Core, 'ends'>,
  work: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EndUnderWay)) throw error;
      await ends.settle(error.strategyId);
    }
  }
}
