import { openMemory } from '@slipstream/adapter-memory';
import { type Action, type Pricing, decimal } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { fixture, text } from '../fixture.js';
import type { Moments } from '../moments.js';

const operator: Caller = { kind: 'operator' };

/** The stores of a storage in another process: other work runs while each is asked. */
const far = (stores: Stores, moments: Moments): Stores =>
  new Proxy(stores, {
    get: (target, name): unknown => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found === 'function') return (found as () => unknown).bind(target);
      return typeof found === 'object' && found !== null ? moments.watched(found) : found;
    },
  });

interface Ordered {
  readonly stock?: string | undefined;
  readonly by?: Caller | undefined;
}

/** An empty strategy at 100 for AAPL and 50 for MSFT, over a storage in another process, and what its owner may command. */
export async function farScene(moments: readonly Moments[]) {
  const memory = openMemory();
  const world = await fixture({
    unitOfWork: {
      ...memory,
      run: (work, options) => memory.run((stores) => work(moments.reduce(far, stores)), options),
    },
  });
  const { app, ports } = world;
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  const quote = (stock: string, bid: string) =>
    app.newQuotes(operator, {
      quotes: [{ stock, bid: decimal(bid), ask: decimal(bid), last: decimal(bid) }],
    });
  const limits = { maxNotionalPerDay: decimal('10') };
  const { text: limited } = await app.newToken(owner, { name: 'agent', scope: ['*'], limits });
  let alerts = 0;
  await quote('aapl', '100');
  await quote('msft', '50');
  return {
    quote,
    owner,
    /** The owner by a token with limits. */
    agent: await app.authenticate(limited),
    pass: (time: number) => ports.clock.advance(time),
    async order(
      given: Ordered & { action: Action; pricing: Pricing; dependsOn?: readonly string[] },
    ): Promise<string> {
      const { by = owner, stock = 'aapl', action, pricing, dependsOn = [] } = given;
      const size = { by: 'amount', amount: decimal('0.005') } as const;
      const sent = { strategyId, stock, action, pricing, size, dependsOn };
      return (await app.newOrder(by, sent)).order.id;
    },
    alert(given: Ordered & { action?: Action; leverage?: string }) {
      const { by = owner, stock = 'aapl', action = 'buy', leverage = '1' } = given;
      alerts += 1;
      const body = `alert ${alerts}`;
      const sent = { strategyId, stock, action, leverage: decimal(leverage) };
      return app.newOrderWebhook(by, sent, { id: body, body });
    },
    allocate({ by = owner, stock = 'msft', percent }: Ordered & { percent: string }) {
      const allocations = [{ stock, percent: decimal(percent) }];
      return app.newOrderAllocations(by, { strategyId, allocations });
    },
    cancel: (orderId: string) => app.deleteOrder(owner, { strategyId, orderId }),
    /** The trades, newest first, and the open orders. */
    async became(): Promise<readonly string[]> {
      const trades = await app.getTrades(owner, { strategyId });
      const open = await app.getOrders(owner, { strategyId });
      const filled = trades.map(
        ({ stockId, action, amount, price }) =>
          `${action} ${text(amount)} ${stockId} ${text(price)}`,
      );
      const waiting = open.map(
        ({ order: { action, stockId, pricing, dependsOn } }) =>
          `${action} ${stockId} ${pricing.type} after ${dependsOn.length}`,
      );
      return [...filled, ...waiting.toSorted()];
    },
  };
}
