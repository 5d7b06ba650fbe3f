import { describe, expect, it } from '../testing.js';
import { type PreparedPlan, id } from '@slipstream/domain';
import { NOON, aPlan } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

export const plansContract = (open: OpenStorage): void => {
  describe('prepared plans', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<PreparedPlan>(unitOfWork, ({ plans }, plan) => plans.save(plan));
    const find = (planId: string) => unitOfWork.read(({ plans }) => plans.find(id(planId)));

    it('gives back every field, as last saved, until the plan is removed', async () => {
      const committed = aPlan({
        id: id('plan-2'),
        strategyId: null,
        bookVersion: null,
        committedAt: NOON + 5,
      });
      await save(aPlan(), aPlan({ id: id('plan-2') }));
      await save(committed);
      expect([await find('plan-1'), await find('plan-2')]).toEqual([aPlan(), committed]);
      await unitOfWork.run(async ({ plans }) => {
        await plans.remove(id('plan-2'));
        await plans.remove(id('none'));
      });
      expect([await find('plan-1'), await find('plan-2')]).toEqual([aPlan(), undefined]);
    });

    it('lists those of a user, oldest first', async () => {
      await save(
        aPlan({ id: id('b') }),
        aPlan({ id: id('c'), createdAt: NOON - 1 }),
        aPlan({ id: id('a') }),
        aPlan({ id: id('other'), userId: id('user-2') }),
      );
      const listed = await unitOfWork.read(({ plans }) => plans.listOf(id('user-1')));
      expect(idsOf(listed)).toEqual(['c', 'a', 'b']);
    });

    it('lists those that ended, longest ended first', async () => {
      await save(
        aPlan({ id: id('b'), expiresAt: NOON }),
        aPlan({ id: id('a'), expiresAt: NOON }),
        aPlan({ id: id('c'), expiresAt: NOON - 1 }),
        aPlan({ id: id('d'), expiresAt: NOON + 1 }),
      );
      const expired = (limit: number) => unitOfWork.read(({ plans }) => plans.expired(NOON, limit));
      expect(await expired(10)).toEqual(['c', 'a', 'b']);
      expect(await expired(2)).toEqual(['c', 'a']);
    });
  });
};
