import { type Decimal, type Stock, type StockId, type TradingRules } from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type Clock,
  type Instruments,
  type Urgency,
  keptFor,
  requestBudget,
} from '@slipstream/ports';
import { accountOf, activityOf } from './account.js';
import { exchangeApi } from './exchange-api.js';
import { codeOf, stockIdOf, stockNamed } from './identity.js';
import { linkedAccount } from './link.js';
import type { Ccxt } from './load.js';
import { marketsOf } from './markets.js';
import { Declined } from './meaning.js';
import { accepted, problemOf, rejection } from './orders.js';
import { type Session, sessionsOf } from './sessions.js';
import type { FoundOrder, Market, Venue } from './venue.js';

export interface CcxtDeps {
  readonly ccxt: Ccxt;
  readonly clock: Clock;
  /** The instruments of this service, which orders are told by. */
  readonly instruments: Instruments;
  /** The exchange's own host unless given; for stand-ins. */
  readonly url?: string | undefined;
  /** Node's own unless given; for stand-ins without a socket. */
  readonly fetch?: typeof fetch | undefined;
  /** After so many milliseconds an answer does not come any more; 10,000 unless given. */
  readonly timeout?: number | undefined;
}

const TIMEOUT = 10_000;
const DAY = 86_400_000;
/** An order that could not be sent within this time of the call is not sent: trading may have been halted meanwhile. */
const SENT_WITHIN = 500;
/** An order that an exchange does not show so long after it was sent did not reach it. */
const SHOWN_WITHIN = 15_000;

/** What is left of a refusal that no method expects. */
const asPortError = (error: unknown): unknown =>
  error instanceof Declined ? new BrokerUnreachable(error.message) : error;

/** Accounts at an exchange, through ccxt. */
export function ccxtBroker(venue: Venue, deps: CcxtDeps): Broker {
  const { ccxt, clock, instruments, url, fetch = globalThis.fetch, timeout = TIMEOUT } = deps;
  const shared = { ccxt, venue: venue.name, refusals: venue, clock, url, fetch, timeout };
  const publicBudget = requestBudget(clock, venue.allowances.public);
  const markets = marketsOf(
    venue,
    exchangeApi({ ...shared, nonce: clock.now, budgetOf: () => publicBudget }),
    clock,
  );
  const sessions = sessionsOf(venue, shared, publicBudget);
  const fees = keptFor<Decimal | undefined>(clock, DAY);
  /** What an earlier process sent may not be shown yet. */
  const startedAt = clock.now();

  const within = async <T>(
    access: BrokerAccess,
    work: (session: Session) => Promise<T>,
  ): Promise<T> => {
    try {
      return await work(await sessions.of(access));
    } catch (error) {
      throw asPortError(error);
    }
  };

  const marketOf = async (stock: Stock): Promise<Market | undefined> => {
    const code = codeOf(stock);
    if (code === undefined || stockNamed(venue, instruments, code)?.id !== stock.id) {
      return undefined;
    }
    return markets.of(code);
  };

  const toldOrder = async (
    { orders }: Session,
    clientOrderId: string,
    { marketName, ...found }: FoundOrder,
  ): Promise<BrokerOrder> => {
    const code = (await markets.codeOf(marketName)) ?? marketName;
    const isCancelling = found.status === 'open' && orders.isCancelAsked(clientOrderId);
    return {
      ...found,
      clientOrderId,
      stockId: stockIdOf(venue, instruments, code),
      cancelling: found.cancelling || isCancelling,
    };
  };

  const findAll = async (
    session: Session,
    clientOrderIds: readonly string[],
    urgency: Urgency = 'find',
  ): Promise<ReadonlyMap<string, BrokerOrder>> => {
    const answers = await venue.find(session.api, clientOrderIds, urgency);
    const found = new Map<string, BrokerOrder>();
    for (const [clientOrderId, order] of answers)
      found.set(clientOrderId, await toldOrder(session, clientOrderId, order));
    return found;
  };

  /** That order, if it may have reached the exchange: what is sent twice may be taken twice. */
  const earlier = async (
    session: Session,
    { clientOrderId }: BrokerOrderRequest,
  ): Promise<BrokerOrder | undefined> => {
    const { orders, api } = session;
    const isKnown = orders.sentAt(clientOrderId) !== undefined;
    if (!isKnown && venue.taken) {
      orders.taken ??= venue.taken(api).catch((error: unknown) => {
        orders.taken = undefined;
        throw error;
      });
      if (!(await orders.taken)(clientOrderId)) return undefined;
    } else if (!isKnown) return undefined;
    const found = (await findAll(session, [clientOrderId])).get(clientOrderId);
    if (!found) requireShown(session, [clientOrderId]);
    return found;
  };

  /** @throws {BrokerUnreachable} while one of the orders that were not found may be on its way. */
  const requireShown = ({ orders }: Session, missing: readonly string[]): void => {
    const isUncertain = missing.some(
      (one) => clock.now() - (orders.sentAt(one) ?? startedAt) < SHOWN_WITHIN,
    );
    if (isUncertain) throw new BrokerUnreachable(`${venue.title} may not show an order yet`);
  };

  const send = async (
    session: Session,
    request: BrokerOrderRequest,
    market: Market,
    askedAt: number,
  ): Promise<BrokerOrder> => {
    const { orders, api } = session;
    const { clientOrderId, action, amount, limit, closes } = request;
    const first = await earlier(session, request);
    if (first) return first;
    if (clock.now() - askedAt > SENT_WITHIN) throw new BrokerRateLimited(SENT_WITHIN);
    orders.sent(clientOrderId);
    const urgency = closes ? 'reduce' : 'increase';
    try {
      await venue.place(api, { clientOrderId, market, action, amount, limit }, urgency);
      return accepted(request);
    } catch (error) {
      if (error instanceof BrokerRateLimited || error instanceof BrokerRefused) {
        orders.unsent(clientOrderId);
        throw error;
      }
      if (!(error instanceof Declined)) throw error;
      return refusedOrder(session, request, error);
    }
  };

  /** The exchange refuses repeats too, in words that may change: the order that stands counts. */
  const refusedOrder = async (
    session: Session,
    request: BrokerOrderRequest,
    { message }: Declined,
  ): Promise<BrokerOrder> => {
    const found = (await findAll(session, [request.clientOrderId])).get(request.clientOrderId);
    if (found) return found;
    if (ABOUT_ITS_ID.test(message)) {
      throw new BrokerUnreachable(`${venue.title} knows an order that it does not show yet`);
    }
    session.orders.unsent(request.clientOrderId);
    markets.doubt();
    return rejection(request, message);
  };

  const place = async (
    session: Session,
    request: BrokerOrderRequest,
    askedAt: number,
  ): Promise<BrokerOrder> => {
    const market = await marketOf(request.stock);
    if (!market)
      return rejection(request, `${venue.title} does not trade ${request.stock.symbol}.`);
    const problem = problemOf(request, market);
    if (problem) return rejection(request, problem);
    const { placing } = session.orders;
    const before = placing.get(request.clientOrderId);
    if (before) return before;
    const sending = send(session, request, market, askedAt).finally(() =>
      placing.delete(request.clientOrderId),
    );
    placing.set(request.clientOrderId, sending);
    return sending;
  };

  const rulesOf = async (session: Session, market: Market): Promise<TradingRules> => {
    const { accountId, api } = session;
    const fee = market.fee ?? (await fees(accountId, async () => venue.fee?.(api)));
    if (!fee) throw new BrokerUnreachable(`${venue.title} tells no fee`);
    return {
      minTotal: market.minTotal,
      minAmount: market.minAmount,
      amountStep: market.amountStep,
      shortStep: market.amountStep,
      priceStep: market.priceStep,
      checkReserve: fee,
      allowsShort: false,
      crossesZero: false,
      session: await markets.session(market),
    };
  };

  return {
    name: venue.name,
    live: true,
    existingPositions: 'keep',
    asksFor: venue.asksFor,

    async link(request) {
      if (request.type !== 'cryptocurrency') {
        throw new BrokerRefused(`${venue.title} trades coins only: type must be cryptocurrency`);
      }
      try {
        const [api, info] = await sessions.open(request.credentials);
        // A key that may not read orders is refused now, not at its first order.
        await venue.taken?.(api);
        return await linkedAccount(venue, request, info, await venue.balances(api), markets);
      } catch (error) {
        throw asPortError(error);
      }
    },

    async unlink(access) {
      sessions.forget(access);
    },

    account: (access, listed) =>
      within(access, async ({ api }) =>
        accountOf(venue, markets, listed, await venue.balances(api)),
      ),

    ...(venue.movements && {
      activities: (access, listed, since) =>
        within(access, async ({ api }) => {
          const found = (await venue.movements?.(api, since)) ?? [];
          return found.map((one) => activityOf(venue, listed, one));
        }),
    }),

    rules: (access, stocks) =>
      within(access, async (session) => {
        const traded: [StockId, Market][] = [];
        for (const stock of stocks) {
          const market = await marketOf(stock);
          if (market) traded.push([stock.id, market]);
        }
        markets.expect(traded.map(([, market]) => market));
        const found = new Map<StockId, TradingRules>();
        for (const [stockId, market] of traded) found.set(stockId, await rulesOf(session, market));
        return found;
      }),

    place: (access, request) => {
      const askedAt = clock.now();
      return within(access, (session) => place(session, request, askedAt));
    },

    find: (access, clientOrderIds) =>
      within(access, async (session) => {
        const found = await findAll(session, clientOrderIds);
        const missing = clientOrderIds.filter((one) => !found.has(one));
        requireShown(session, missing);
        for (const one of missing) session.orders.unsent(one);
        return found;
      }),

    cancel: (access, clientOrderId) =>
      within(access, async ({ api, orders }) => {
        await venue.cancel(api, clientOrderId);
        orders.cancelAsked(clientOrderId);
      }),
  };
}

/** A refusal that speaks of the order's id: the exchange knows the id already. */
const ABOUT_ITS_ID = /cl_ord_id|client.?order.?id|duplicate/i;
