import { type Decimal, ONE, tradableStock, type AlertTemplateView } from '@slipstream/domain';
import { tokenFor } from '../accounts/tokens.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { ownStrategy } from '../strategies/access.js';

/** What a template is asked for. */
export interface TemplateRequest {
  readonly strategyId: string;
  /** `stock_id`, `STOCK:EXCHANGE` or `SYMBOL:EXCHANGE`. */
  readonly stock: string;
  readonly leverage?: Decimal | undefined;
  readonly pyramiding?: number | undefined;
}

/** The message with which a charting platform's alert trades this stock in this strategy (spec 4.4, newOrderWebhook). */
export const getAlertTemplate =
  ({ unitOfWork, live, clock }: Core) =>
  async (caller: Caller, command: TemplateRequest): Promise<AlertTemplateView> => {
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
      token: null,
    };
  };

/**
 * The same message with a new token in it, which can do nothing but send alerts to this strategy (contract 14). The caller's
 * token must cover that.
 */
export const newAlertTemplate =
  (core: Core) =>
  async (caller: Caller, command: TemplateRequest): Promise<AlertTemplateView> => {
    const template = await getAlertTemplate(core)(caller, command);
    const { strategyId, stockId } = template;
    const stock = core.live.stocks.find(stockId)?.symbol ?? stockId;
    const make = tokenFor(core, ({ text }): AlertTemplateView => ({ ...template, token: text }));
    return make(caller, {
      name: `alerts of ${stock}`,
      scope: ['newOrder'],
      strategyIds: [strategyId],
    });
  };
