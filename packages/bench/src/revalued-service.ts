import { openMemory } from '@slipstream/adapter-memory';
import { fixedClock, memoryPorts, silentFeed } from '@slipstream/adapter-memory/testing';
import { LiveState, createApplication } from '@slipstream/application';
import { type Quote, type StrategyId, decimal } from '@slipstream/domain';
import type { ManyStrategies } from './many-strategies.js';

/** The application over storage in memory; the bench is its market. */
export interface RevaluedService {
  /** Sends a quote as the market does. Resolves when all its effects are done. */
  tick(stockId: Quote['stockId'], price: string): Promise<void>;
  valueOf(strategyId: StrategyId): ReturnType<LiveState['valueOf']>;
}

export async function revaluedService({ stocks, books }: ManyStrategies): Promise<RevaluedService> {
  const clock = fixedClock(1_000_000);
  const unitOfWork = openMemory();
  await unitOfWork.run((stores) => stores.stocks.save(stocks));
  let hand: (quotes: readonly Quote[]) => void = () => undefined;
  const ports = memoryPorts({
    clock,
    unitOfWork,
    marketFeed: {
      ...silentFeed(),
      start: async (_stocks, _quotes, told) => {
        hand = told.quotes;
      },
    },
  });
  const live = new LiveState(ports.tradingHours, 60_000);
  const application = createApplication(ports, undefined, live);
  await application.lifecycle.start();
  for (const book of books) live.load(book);
  return {
    async tick(stockId, price) {
      const figure = decimal(price);
      hand([{ stockId, bid: figure, ask: figure, last: figure, at: clock.now() }]);
    },
    valueOf: (strategyId) => live.valueOf(strategyId, clock.now()),
  };
}
