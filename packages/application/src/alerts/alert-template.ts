import { type Decimal, ONE, tradableStock, type AlertTemplateView } from '@slipstream/domain';
import { ownStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';

/** The message with which a charting platform's alert trades this stock in this strategy (spec 4.4, newOrderWebhook). */
export const getAlertTemplate =
  ({ unitOfWork, live, clock }: Core) =>
  async (
    caller: Caller,
    command: {
      readonly strategyId: string;
      /** `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`. */
      readonly stock: string;
      readonly leverage?: Decimal | undefined;
      readonly pyramiding?: number | undefined;
    },
  ): Promise<AlertTemplateView> => {
    const strategy = await unitOfWork.read((stores) =>
      ownStrategy(stores, caller, command.strategyId),
    );
    const stock = tradableStock(
      live.market(clock.now()),
      live.stocks.resolve(command.stock).id,
      strategy.type,
    );
    return {
      strategyId: strategy.id,
      stockId: stock.id,
      leverage: command.leverage ?? ONE,
      pyramiding: command.pyramiding ?? null,
    };
  };
