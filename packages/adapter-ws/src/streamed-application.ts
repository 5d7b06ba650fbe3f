import type { Application, Caller } from '@slipstream/application';
import type { Bot } from '@slipstream/domain';

/** The part of the application that streams need: who asks, the reads they continue, and what changed. */
export interface StreamedApplication extends Pick<
  Application,
  | 'authenticate'
  | 'getStrategyValues'
  | 'getPositions'
  | 'getOrders'
  | 'watchValue'
  | 'presentableOrder'
  | 'changedPositions'
> {
  getBots(
    caller: Caller,
    command: { readonly botIds?: readonly string[] | undefined },
  ): Promise<Bot[]>;
}
