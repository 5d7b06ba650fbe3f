import type { FixedClock } from '@slipstream/adapter-memory/testing';
import type { Application, Caller } from '@slipstream/application';
import { type Pricing, type Size, type StrategyId, decimal } from '@slipstream/domain';
import type { QuoteText, ReferenceCommand } from './commands.js';

/** The real core's answer to a command. */
export interface Answer {
  readonly refused: string | undefined;
  /** Of quotes: the rejected ones of each batch. */
  readonly rejected?: readonly (readonly number[])[];
  /** Of an alert: its verdict. */
  readonly verdict?: string | undefined;
}

/** The real core, as far as commands need it. */
interface GivenCore {
  readonly app: Application;
  readonly owner: Caller;
  readonly clock: FixedClock;
  readonly strategyOf: (strategy: number) => StrategyId;
  readonly quotes: (batches: readonly (readonly QuoteText[])[]) => Promise<Answer>;
}

export const OPERATOR: Caller = { kind: 'operator' };

const pricingOf = ({ type, price, stopPrice }: Extract<ReferenceCommand, { do: 'newOrder' }>) =>
  ({
    type,
    ...(price === null ? {} : { price: decimal(price) }),
    ...(stopPrice === null ? {} : { stopPrice: decimal(stopPrice) }),
  }) as Pricing;

const sizeOf = ({ amount, total }: Extract<ReferenceCommand, { do: 'newOrder' }>): Size =>
  amount !== null
    ? { by: 'amount', amount: decimal(amount) }
    : { by: 'total', total: decimal(total ?? '0') };

/** Gives a command of a story to the real core; rejects with the core's refusal. */
export async function perform(
  { app, owner, clock, strategyOf, quotes }: GivenCore,
  command: ReferenceCommand,
): Promise<Omit<Answer, 'refused'>> {
  switch (command.do) {
    case 'newOrder': {
      const { stockId: stock, action, dependsOn, reduceOnly } = command;
      const strategyId = strategyOf(command.strategy);
      const pricing = pricingOf(command);
      const size = sizeOf(command);
      const given = { strategyId, stock, action, pricing, size, dependsOn, reduceOnly };
      await app.operations.newOrder(owner, given);
      return {};
    }
    case 'allocate':
      await app.operations.newOrderAllocations(owner, {
        strategyId: strategyOf(command.strategy),
        allocations: command.targets.map(({ stockId, percent }) => ({
          stock: stockId,
          percent: decimal(percent),
        })),
        slippage: decimal(command.slippage),
      });
      return {};
    case 'alert': {
      const { action, pyramiding, marketPosition, sizes, stockId: stock } = command;
      const [size, previous] = sizes?.map(decimal) ?? [];
      const strategyId = strategyOf(command.strategy);
      await app.operations.newOrderWebhook(owner, {
        strategyId,
        stock,
        action,
        leverage: decimal(command.leverage),
        pyramiding,
        slippage: decimal(command.slippage),
        marketPosition,
        positionSize: size,
        previousPositionSize: previous,
      });
      const [kept] = await app.operations.getAlerts(owner, { strategyId, limit: 1 });
      return { verdict: kept?.verdict };
    }
    case 'deleteOrder':
      await app.operations.deleteOrder(owner, {
        strategyId: strategyOf(command.strategy),
        orderId: command.orderId,
      });
      return {};
    case 'quotes':
      return quotes(command.batches);
    case 'halt':
    case 'resume': {
      const stockStatus = command.do === 'halt' ? 'halted' : 'active';
      await app.operations.updateStocks(OPERATOR, {
        stocks: [{ stockId: command.stockId, stockStatus }],
      });
      return {};
    }
    case 'split':
      await app.operations.newStockAction(OPERATOR, {
        stock: command.stockId,
        kind: 'split',
        ratio: {
          newShares: decimal(String(command.newShares)),
          oldShares: decimal(String(command.oldShares)),
        },
      });
      return {};
    case 'dividend':
      await app.operations.newStockAction(OPERATOR, {
        stock: command.stockId,
        kind: 'cash_dividend',
        amount: decimal(command.figure),
      });
      return {};
    case 'delist': {
      const { stockId } = command;
      const change = { stockId, stockStatus: 'delisted' } as const;
      const settlePrice = decimal(command.figure);
      await app.operations.updateStocks(OPERATOR, { stocks: [{ ...change, settlePrice }] });
      return {};
    }
    case 'advance':
      clock.set(command.to);
      await app.background.tick();
      return {};
    case 'tick':
      await app.background.tick();
      return {};
    case 'undoEnd':
      await app.operations.undoStrategyEnd(OPERATOR, {
        strategyId: strategyOf(command.strategy),
      });
      return {};
  }
}
