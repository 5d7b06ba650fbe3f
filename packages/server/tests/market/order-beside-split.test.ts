import { describe, expect, it } from '@jest/globals';
import type { Storage, UnitOfWork } from '@slipstream/ports';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';

/** A storage that has another work begin right before one of the works of a flow, so that both may be committed in one group. */
function besideWorks() {
  let flow: { left: number; other: () => Promise<unknown> } | undefined;
  let hasBegun: (() => void) | undefined;
  const through = (storage: Storage): Storage => {
    const run: UnitOfWork['run'] = async (work, options) => {
      if (hasBegun) {
        const begun = storage.run(work, options);
        hasBegun();
        hasBegun = undefined;
        return begun;
      }
      if (flow) flow.left -= 1;
      if (flow?.left === 0) {
        const { other } = flow;
        flow = undefined;
        const beginning = new Promise<void>((resolve) => (hasBegun = resolve));
        await Promise.race([beginning, other()]);
      }
      return storage.run(work, options);
    };
    return {
      run,
      read: (work) => storage.read(work),
      subscribe: (listener) => storage.subscribe(listener),
      close: () => storage.close(),
    };
  };
  return {
    through,
    /** Plays the flow with the other request before that work of it. Whether it had so many. */
    async play(work: number, request: () => Promise<unknown>, during: () => Promise<unknown>) {
      let asked: Promise<unknown> | undefined;
      flow = { left: work, other: () => (asked = request()) };
      await during();
      const had = asked !== undefined;
      flow = undefined;
      await asked;
      return had;
    },
  };
}

async function tradesBeside(
  server: ComposedServer,
  beside: ReturnType<typeof besideWorks>,
  work: number,
) {
  const token = await server.user('owner');
  const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, token);
  await server.quotes({ [AAPL]: 200 });
  const order = {
    ...{ strategy_id, stock_id: AAPL, action: 'buy', type: 'limit', price: '160', amount: '0.001' },
  };
  const split = { stock_id: AAPL, kind: 'split', ratio: '4' };
  const had = await beside.play(
    work,
    () => server.ask('newOrder', order, token),
    () => server.ask('newStockAction', split, OPERATOR_TOKEN),
  );
  await server.quotes({ [AAPL]: 50 });
  const orders = await server.ask('getOrders', { strategy_id }, token);
  const trades = await server.ask('getTrades', { strategy_id }, token);
  return { had, orders, trades };
}

describe('an order whose work comes right before one of those of a split', () => {
  it('is of the shares of before, whichever work it is', async () => {
    let works = 0;
    for (let work = 1; ; work += 1) {
      const beside = besideWorks();
      const server = await composedServer({ storage: 'sqlite', through: beside.through });
      try {
        const { had, orders, trades } = await tradesBeside(server, beside, work);
        if (!had) break;
        works = work;
        // In new shares it costs 50: at 160 it would fill at once.
        expect([work, orders.map(({ price }) => price), trades]).toEqual([work, ['40'], []]);
      } finally {
        await server.close();
      }
    }
    // The action is stored, and done.
    expect(works).toBe(2);
  });
});
