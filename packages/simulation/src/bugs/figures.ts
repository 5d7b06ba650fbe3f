import type { ServiceCounts } from '@slipstream/domain';
import type { Bug } from './bug.js';
import { withReadStores } from './wrap.js';

const plannedIsMirrored: Bug = {
  name: 'planned_is_mirrored',
  mistake: 'an order that followed a trade counts as filled',
  breaks: ['P1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ botOrders }) => ({
      botOrders: {
        ...botOrders,
        list: async (...asked) =>
          (await botOrders.list(...asked)).map((order) => ({
            ...order,
            filledAmount: order.amount,
          })),
      },
    })),
  }),
};

const followersAreOwners: Bug = {
  name: 'followers_bots_are_the_owners',
  mistake: 'the bots of everybody count as those of the owner of a strategy',
  breaks: ['P1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ bots }) => ({
      bots: { ...bots, listOf: async () => bots.notOff(null, 100) },
    })),
  }),
};

const countsOfTheStart: Bug = {
  name: 'counts_of_the_start',
  mistake: 'the counts of the overview are read once',
  breaks: ['C1'],
  wrapPorts: (ports) => {
    let first: ServiceCounts | undefined;
    return {
      ...ports,
      unitOfWork: withReadStores(ports.unitOfWork, ({ counts }) => ({
        counts: { ...counts, all: async () => (first ??= await counts.all()) },
      })),
    };
  },
};

export const figureBugs: readonly Bug[] = [plannedIsMirrored, followersAreOwners, countsOfTheStart];
