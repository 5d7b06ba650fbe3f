import { ZERO, isOutstanding } from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import type { Bug } from './bug.js';
import { withBroker, withStores } from './wrap.js';

const freshOrderId: Bug = {
  name: 'random_client_order_id',
  mistake: 'each attempt gets a client order id of its own',
  breaks: ['B1', 'B2'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      place: (access, order) =>
        broker.place(access, {
          ...order,
          clientOrderId: `${order.clientOrderId}-${ports.ids.next()}`,
        }),
    })),
};

const sendsAgain: Bug = {
  name: 'sends_again_without_asking',
  mistake: 'an order whose answer was lost is sent again without a check',
  // B3 when the account cannot afford it twice: the second is rejected, the first was filled.
  breaks: ['B2', 'B3'],
  brokerDedupes: false,
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      async place(access, order) {
        try {
          return await broker.place(access, order);
        } catch (error) {
          if (!(error instanceof BrokerUnreachable)) throw error;
          return broker.place(access, order);
        }
      },
    })),
};

const rejectedOnTimeout: Bug = {
  name: 'rejected_on_timeout',
  mistake: 'a missing answer counts as a rejection',
  breaks: ['B3'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      async place(access, order) {
        try {
          return await broker.place(access, order);
        } catch (error) {
          if (!(error instanceof BrokerUnreachable)) throw error;
          const { stock, clientOrderId, action, amount } = order;
          return {
            clientOrderId,
            action,
            amount,
            stockId: stock.id,
            status: 'rejected',
            cancelling: false,
            fee: null,
            filledAmount: ZERO,
            filledPrice: null,
            reason: 'no answer',
          };
        }
      },
    })),
};

const intentTooLate: Bug = {
  name: 'intent_not_stored_first',
  mistake: 'the broker gets an order before it is stored',
  breaks: ['B1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ botOrders }) => ({
      botOrders: {
        ...botOrders,
        save: async (order) => {
          if (order.status !== 'new') await botOrders.save(order);
        },
      },
    })),
  }),
};

const unreadIsFlat: Bug = {
  name: 'unread_position_is_flat',
  mistake: 'an account whose positions cannot be read counts as flat',
  // B13 when it is paced: it buys once more what it has.
  breaks: ['B7', 'B5', 'B13'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      account: async (...asked) => ({ ...(await broker.account(...asked)), positions: [] }),
    })),
};

const fillCountedAgain: Bug = {
  name: 'broker_fill_counted_again',
  mistake: 'a fill that the broker reports twice is counted twice',
  breaks: ['B4', 'error'],
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      find: async (access, clientOrderIds) => {
        const found = await broker.find(access, clientOrderIds);
        return new Map(
          [...found].map(([clientOrderId, order]) => [
            clientOrderId,
            { ...order, filledAmount: order.filledAmount.plus(order.filledAmount) },
          ]),
        );
      },
    })),
};

const keptIsSold: Bug = {
  name: 'kept_is_sold',
  mistake: "what an account holds before its bot counts as the bot's",
  breaks: ['B6'],
  broker: 'alpaca',
  wrapPorts: (ports) => withBroker(ports, () => ({ existingPositions: 'take_over' })),
};

const orderAltered: Bug = {
  name: 'order_altered_on_its_way',
  mistake: 'an order leaves without its limit',
  breaks: ['B11'],
  broker: 'alpaca',
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      place: (access, order) => broker.place(access, { ...order, limit: null }),
    })),
};

const fillLost: Bug = {
  name: 'late_fill_lost',
  mistake: 'an open order counts as cancelled as soon as it is asked for',
  // B14 if it is found first that what was bought counts as the owner's.
  breaks: ['B11', 'B14'],
  broker: 'alpaca',
  wrapPorts: (ports) =>
    withBroker(ports, (broker) => ({
      find: async (access, clientOrderIds) => {
        const found = await broker.find(access, clientOrderIds);
        return new Map(
          [...found].map(([clientOrderId, order]) => [
            clientOrderId,
            order.status === 'open' ? { ...order, status: 'cancelled' } : order,
          ]),
        );
      },
    })),
};

const endTakenForLast: Bug = {
  name: 'end_taken_for_the_last_word',
  mistake: 'what an order tells after its end is not heard',
  breaks: ['B11', 'B14'],
  broker: 'alpaca',
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ botOrders }) => ({
      botOrders: {
        ...botOrders,
        save: async (order) => {
          const before = await botOrders.find(order.id);
          if (!before || isOutstanding(before)) await botOrders.save(order);
        },
      },
    })),
  }),
};

/** Bugs in what is said to a broker, and in what is made of its answers. */
export const brokerBugs: readonly Bug[] = [
  freshOrderId,
  sendsAgain,
  rejectedOnTimeout,
  intentTooLate,
  unreadIsFlat,
  fillCountedAgain,
  keptIsSold,
  orderAltered,
  fillLost,
  endTakenForLast,
];
