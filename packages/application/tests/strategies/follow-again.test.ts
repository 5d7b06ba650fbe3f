import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, decimal } from '@slipstream/domain';
import { fixture } from '../fixture.js';

describe('who follows and leaves a free strategy again and again', () => {
  it('makes one row a day of it, which every computation of ranks reads', async () => {
    const { app, user, strategy, ports } = await fixture();
    const [ada, bob] = [await user('ada'), await user('bob')];
    const strategyId = await strategy(ada);
    const follow = () => app.newStrategySubscription(bob, { strategyId });
    const leave = () => app.deleteStrategySubscription(bob, { strategyId });
    const first = await app.newStrategySubscription(bob, {
      strategyId,
      inputValue: decimal('500'),
    });
    for (let times = 0; times < 3; times += 1) {
      ports.clock.advance(HOUR);
      await leave();
      ports.clock.advance(HOUR);
      expect(await follow()).toEqual({
        ...first,
        inputValue: null,
        inputDate: null,
        inputMultiplier: null,
        updatedAt: ports.clock.now(),
      });
    }
    await leave();
    ports.clock.advance(DAY);
    await follow();
    const rows = await app.getStrategySubscriptions(bob, {});
    expect(rows.map(({ status }) => status)).toEqual(['active', 'cancelled']);
    expect(rows[1]?.id).toBe(first.id);
  });
});
