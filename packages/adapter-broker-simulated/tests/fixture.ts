import type { SimulatedOptions } from '@slipstream/adapter-broker-simulated';
import { type Stock, ZERO, id } from '@slipstream/domain';
import type { BrokerFixture, BrokerTrouble } from '@slipstream/port-contracts';
import type { Broker, BrokerAccess, BrokerOrderRequest } from '@slipstream/ports';
import { aWorld, acme, acmeElsewhere, coin, coinElsewhere } from './world.js';

/** It is not reached by a network whose answers could be unreadable: an answer that is lost is the nearest to it. */
const FAULTS = {
  unreachable: 'lost_request',
  rate_limited: { rateLimited: 1_000 },
  refused: 'refused',
  unreadable: 'lost_answer',
} as const satisfies Record<BrokerTrouble, unknown>;

/** The simulated broker for the contract, with accounts that trade what `stock` is. */
export const openBroker =
  (stock: Stock, options: SimulatedOptions = {}) =>
  async (): Promise<BrokerFixture> => {
    const { broker, faults, halted, instruments, now, pass, setOpen, stockNow } = aWorld(options);
    let closesAfter = false;
    let byHand = 0;
    /** Rules are asked for the stock as it is now. What is left of a partial fill would go on at once: the market closes for it. */
    const closing: Broker = {
      ...broker,
      rules: (access, stocks) =>
        broker.rules(
          access,
          stocks.map((each) => stockNow(each.id) ?? each),
        ),
      place: async (access, order) => {
        const answer = await broker.place(access, order);
        if (closesAfter) setOpen(false);
        return answer;
      },
    };
    const settle = async (): Promise<void> => {
      pass(1);
      if (closesAfter) setOpen(true);
      closesAfter = false;
    };
    const link = {
      userId: id<'user'>('user-1'),
      type: stock.security,
      accountId: undefined,
      credentials: { starting_balance: '5000' },
    };
    return {
      broker: closing,
      link,
      otherLink: link,
      wrongLink: { ...link, credentials: { starting_balance: '-1' } },
      stock,
      twin: stock === acme ? acmeElsewhere : coinElsewhere,
      unlisted: stock === acme ? coin : acme,
      instruments,
      feeInAsset: options.feeInAsset ? stock.fee : ZERO,
      now,
      settle,
      loseNextAnswer: () => faults.on('place', 'lost_answer'),
      loseNextRequest: () => faults.on('place', 'lost_request'),
      troubleNext: (method, trouble) => faults.on(method, FAULTS[trouble]),
      fillNextInPart: () => {
        faults.on('place', 'partial');
        closesAfter = true;
      },
      expireOrders: async (access: BrokerAccess) => {
        faults.on('find', 'expire');
        await broker.find(access, []);
      },
      tradeByHand: async (access, action, amount) => {
        byHand += 1;
        const order: BrokerOrderRequest = {
          clientOrderId: `by hand ${byHand}`,
          stock,
          action,
          amount,
          limit: null,
          closes: false,
        };
        await broker.place(access, order);
        await settle();
        await broker.find(access, []);
      },
      transfer: (access, cash, amount) =>
        broker.transfer(access, { cash, stockId: amount.eq(ZERO) ? null : stock.id, amount }),
      haltStock: () => void halted.add(stock.id),
      resumeStock: () => void halted.delete(stock.id),
      closeMarket: () => setOpen(false),
      openMarket: () => setOpen(true),
    };
  };
