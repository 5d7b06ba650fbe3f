import { describe, expect, it } from '@jest/globals';
import { DAY, id } from '@slipstream/domain';
import { wrongMoments } from '../moments.js';
import { DUE, anAction, dividend, scene } from './announced-scene.js';

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
