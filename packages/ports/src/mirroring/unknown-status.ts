import type { Decimal } from '@slipstream/domain';
import type { BrokerOrder } from './broker.js';

/**
 * The state of an order whose status is a word that its adapter does not know: it may still fill, unless all of it did. Thrown, it would keep
 * every other order of the bot from being known.
 */
export const unknownStatus = (
  title: string,
  word: string,
  { amount, filledAmount }: { readonly amount: Decimal; readonly filledAmount: Decimal },
): Pick<BrokerOrder, 'status' | 'reason'> =>
  filledAmount.gte(amount)
    ? { status: 'filled', reason: null }
    : { status: 'open', reason: `${title} says "${word}", which is no known status.` };
