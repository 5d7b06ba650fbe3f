import type { Bug } from './bug.js';
import { withGateway, withReadStores, withStores } from './wrap.js';

const chargedAnew: Bug = {
  name: 'charge_under_another_key',
  mistake: 'each attempt of a charge has a new key',
  breaks: ['M1'],
  wrapPorts: (ports) =>
    withGateway(ports, (gateway) => ({
      charge: (request) =>
        gateway.charge({ ...request, key: `${request.key}-${ports.ids.next()}` }),
    })),
};

const silenceIsDecline: Bug = {
  name: 'silence_is_a_decline',
  mistake: 'a missing answer of the gateway counts as a decline',
  breaks: ['M1'],
  wrapPorts: (ports) =>
    withGateway(ports, (gateway) => ({
      charge: (request) =>
        gateway.charge(request).catch(() => ({ kind: 'declined' as const, reason: 'no answer' })),
    })),
};

const unsettledWithdrawn: Bug = {
  name: 'unsettled_is_withdrawn',
  mistake: 'earnings can be withdrawn before they settle',
  breaks: ['M3'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ earnings }) => ({
      earnings: {
        ...earnings,
        totals: async (userId, money, now) => {
          const { balance } = await earnings.totals(userId, money, now);
          return { balance, settled: balance };
        },
      },
    })),
  }),
};

const openBeforePaid: Bug = {
  name: 'open_before_paid',
  mistake: 'a subscription is active before its first month is paid',
  breaks: ['M4'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ subscriptions }) => ({
      subscriptions: {
        ...subscriptions,
        save: (subscription) =>
          subscriptions.save(
            subscription.status === 'pending'
              ? { ...subscription, status: 'active' }
              : subscription,
          ),
      },
    })),
  }),
};

const settlesBeforeItIsSure: Bug = {
  name: 'settles_before_it_is_sure',
  mistake: 'a sale settles a week after its payment, while the month can still be refunded',
  breaks: ['M2', 'M5'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ earnings }) => ({
      earnings: {
        ...earnings,
        save: (earning) =>
          earnings.save(
            earning.kind === 'sale'
              ? { ...earning, settlesAt: earning.createdAt + 7 * 86_400_000 }
              : earning,
          ),
      },
    })),
  }),
};

const endForgotten: Bug = {
  name: 'followers_of_an_end_are_forgotten',
  mistake: 'a restart does not continue unfinished ends of strategies',
  breaks: ['liveness'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ strategies }) => ({
      strategies: { ...strategies, endsUnderWay: async () => [] },
    })),
  }),
};

const cardOfNobody: Bug = {
  name: 'card_outlives_its_end',
  mistake: 'a removed card stays, also that of an account which has ended',
  breaks: ['M7', 'durable'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ paymentSources }) => ({
      paymentSources: {
        ...paymentSources,
        save: async (source) => {
          if (source.status !== 'deleted') await paymentSources.save(source);
        },
      },
    })),
  }),
};

export const moneyBugs: readonly Bug[] = [
  chargedAnew,
  silenceIsDecline,
  unsettledWithdrawn,
  openBeforePaid,
  settlesBeforeItIsSure,
  endForgotten,
  cardOfNobody,
];
