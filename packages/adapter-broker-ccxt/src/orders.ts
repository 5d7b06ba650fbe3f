import { ZERO } from '@slipstream/domain';
import { type BrokerOrder, type BrokerOrderRequest } from '@slipstream/ports';
import type { Market } from './venue.js';

const asked = ({ clientOrderId, stock, action, amount }: BrokerOrderRequest) => ({
  clientOrderId,
  stockId: stock.id,
  action,
  amount,
  cancelling: false,
  filledAmount: ZERO,
  filledPrice: null,
  fee: null,
});

/** The exchange has it; what became of it `find` tells. */
export const accepted = (request: BrokerOrderRequest): BrokerOrder => ({
  ...asked(request),
  status: 'open',
  reason: null,
});

/** An order that the exchange refused: it left none behind. */
export const rejection = (request: BrokerOrderRequest, reason: string): BrokerOrder => ({
  ...asked(request),
  status: 'rejected',
  reason,
});

/** Why the order cannot be sent as it is, in a sentence; undefined when it can. ccxt would cut it to whole steps. */
export function problemOf(
  { amount, limit }: BrokerOrderRequest,
  { code, amountStep, priceStep }: Market,
): string | undefined {
  if (!amount.gt(ZERO) || !amount.mod(amountStep).eq(ZERO))
    return `Amounts of ${code} are multiples of ${amountStep.toFixed()}.`;
  if (limit && (!limit.gt(ZERO) || !limit.mod(priceStep).eq(ZERO)))
    return `Prices of ${code} are multiples of ${priceStep.toFixed()}.`;
  return undefined;
}
