import {
  type Decimal,
  type Stock,
  type StockId,
  type TradingRules,
  ZERO,
} from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  BrokerRefused,
  BrokerUnreachable,
  type Clock,
  type Instruments,
  keptFor,
  requestBudget,
} from '@slipstream/ports';
import { accountOf, activityOf } from './account.js';
import { NoncesUsed, exchangeApi } from './exchange-api.js';
import { findOrders } from './find-orders.js';
import { codeOf, stockNamed } from './identity.js';
import { linkedAccount } from './link.js';
import type { Ccxt } from './load.js';
import { marketsOf } from './markets.js';
import { Declined } from './meaning.js';
import { rejection } from './orders.js';
import { placeOrders } from './place-orders.js';
import { type Session, sessionsOf } from './sessions.js';
import type { Market, Venue } from './venue.js';

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
  const parts = { venue, markets, clock, instruments };
  const find = findOrders(parts);
  const place = placeOrders(parts, find);

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
    const market = await markets.of(code);
    // Nothing is a multiple of zero: no order could name an amount or a price.
    return market?.amountStep.gt(ZERO) && market.priceStep.gt(ZERO) ? market : undefined;
  };

  const rulesOf = async (session: Session, market: Market): Promise<TradingRules> => {
    const { accountId, api } = session;
    const fee = market.fee ?? (await fees(accountId, async () => venue.fee?.(api)));
    if (!fee) throw new BrokerUnreachable(`${venue.title} tells no fee`);
    return {
      minTotal: market.minTotal,
      minAmount: market.minAmount,
      ...(market.maxTotal && { maxTotal: market.maxTotal }),
      ...(market.maxAmount && { maxAmount: market.maxAmount }),
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
        if (error instanceof NoncesUsed) {
          throw new BrokerRefused(
            `another program has used this key with larger nonces, or the clock of this server is behind: create a key at ${venue.title} for this service alone`,
          );
        }
        throw asPortError(error);
      }
    },

    async unlink(access) {
      sessions.forget(access);
    },

    // Every check of a bot begins here. Orders of a key that is refused are still asked for and cancelled.
    account: (access, listed) =>
      within(access, async ({ api, requireRights }) => {
        await requireRights();
        return accountOf(venue, markets, listed, await venue.balances(api));
      }),

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
      return within(access, async (session) => {
        const { stock } = request;
        const market = await marketOf(stock);
        return market
          ? place(session, request, market, askedAt)
          : rejection(request, `${venue.title} does not trade ${stock.symbol}.`);
      });
    },

    find: (access, clientOrderIds, since) =>
      within(access, (session) => find.certain(session, clientOrderIds, since)),

    cancel: (access, clientOrderId) =>
      within(access, async ({ api, orders }) => {
        if (await venue.cancel(api, clientOrderId)) orders.cancelAsked(clientOrderId);
      }),
  };
}
