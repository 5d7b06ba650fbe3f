import { describe, expect, it } from '@jest/globals';
import { DAY, decimal, id } from '@slipstream/domain';
import { wrongMoments } from '../moments.js';
import { AAPL, DUE, anAction, dividend, scene } from './announced-scene.js';

const paid = anAction({ ...dividend, stockId: id('msft') });
const split = anAction({ sourceId: 'source-2', dueAt: DUE + DAY });

describe('at every moment at which a due action is processed', () => {
  it('an action that its source announces then is booked at its own time', async () => {
    const wrong = await wrongMoments(async (moments) => {
      const { announce, clock, source, world, view } = await scene((storage) =>
        moments.watched(storage),
      );
      const { app } = world;
      await announce(paid);
      clock.advance(DUE - clock.now());
      source(paid, split);
      await moments.amid(
        () => app.followMarket(),
        () => app.tick(),
      );
      clock.advance(DAY);
      await app.tick();
      return (await view()).cashOf.length === 1;
    });
    expect(wrong).toEqual([]);
  });
});

describe('at every moment of a split', () => {
  it('a strategy that had nothing of the stock orders in the shares of before until the split is done', async () => {
    const wrong = await wrongMoments(async (moments) => {
      const { splitByHand, world } = await scene((storage) => moments.watched(storage));
      const { app, ports } = world;
      const other = await world.user('other');
      const strategyId = await world.strategy(other);
      let isDone = true;
      await moments.amid(
        async () => {
          await app.newOrder(other, {
            strategyId,
            stock: 'aapl',
            action: 'buy',
            pricing: { type: 'limit', price: decimal('160') },
            size: { by: 'amount', amount: decimal('0.001') },
          });
          isDone = await ports.unitOfWork.read(async ({ stockActions }) => {
            const [split] = await stockActions.ofStock(AAPL, 0);
            return split?.status === 'done';
          });
        },
        () => splitByHand('4'),
      );
      // In new shares the order is far above the price.
      const [trade] = await app.getTrades(other, { strategyId });
      return isDone || trade === undefined;
    });
    expect(wrong).toEqual([]);
  });
});
