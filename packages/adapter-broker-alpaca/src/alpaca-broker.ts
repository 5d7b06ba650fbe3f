import { type Stock, type StockId, type TradingRules, ZERO } from '@slipstream/domain';
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
  type RequestAllowance,
  type RequestBudget,
  type Urgency,
  requestBudget,
} from '@slipstream/ports';
import { readAccount } from './account.js';
import { readActivities } from './activities.js';
import { type AccountAnswer, type OrderAnswer, orderAnswer } from './answers.js';
import { type AlpacaApi, Declined, alpacaApi, readAs } from './api.js';
import { assetList, rulesOf } from './assets.js';
import { isSameExchange, stocksNamed, unlistedId } from './identity.js';
import { type Kind, requireKey, requireNumber } from './kinds.js';
import { type OAuthClient, alpacaConsent } from './consent.js';
import { credentialsOf, nameOf } from './credentials.js';
import { asksFor, linkedAccount } from './link.js';
import {
  followed,
  hasEnded,
  knownDespite,
  orderBody,
  orderOf,
  rejection,
  requireSame,
} from './orders.js';

export interface AlpacaDeps {
  readonly clock: Clock;
  /** The instruments of this service, which orders are told by. */
  readonly instruments: Instruments;
  /** Alpaca's own host unless given; for stand-ins. */
  readonly url?: string | undefined;
  /** Node's own unless given; for stand-ins without a socket. */
  readonly fetch?: typeof fetch | undefined;
  /** After so many milliseconds an answer does not come any more; 10,000 unless given. */
  readonly timeout?: number | undefined;
  /** This service as Alpaca knows it; without it accounts are linked by keys only. */
  readonly oauth?: OAuthClient | undefined;
}

const TIMEOUT = 10_000;

/** Alpaca refuses more than 200 a minute. */
const ALLOWANCE: RequestAllowance = {
  most: 180,
  within: 60_000,
  leftAlone: { cancel: 0, find: 10, reduce: 20, increase: 40, read: 60 },
};

/** An order that could not be sent within this time of the call is not sent: trading may have been halted meanwhile. */
const SENT_WITHIN = 500;
/** So many of the latest orders are asked for at once, by how many are wanted. */
const [FEW, SOME, MANY] = [50, 100, 500];

/** What is left of a refusal that no method expects. */
function asPortError(error: unknown): unknown {
  if (!(error instanceof Declined)) return error;
  return error.status === 403
    ? new BrokerRefused(error.message)
    : new BrokerUnreachable(`Alpaca answered ${error.status}: ${error.message}`);
}

/** Accounts at Alpaca of this kind, through its trading API. */
export function alpacaBroker(
  kind: Kind,
  { clock, instruments, url, fetch, timeout = TIMEOUT, oauth }: AlpacaDeps,
): Broker {
  const assets = assetList(clock);
  const budgets = new Map<string, RequestBudget>();
  /** The last answer of each account, by its number and key: a stored key opens the account that it was linked for. */
  const known = new Map<string, AccountAnswer>();
  /** The accounts that were told to have a fill since that answer: its cash is not theirs any more. */
  const traded = new Set<string>();

  const budgetOf = (accountId: string): RequestBudget => {
    const budget = budgets.get(accountId) ?? requestBudget(clock, ALLOWANCE);
    budgets.set(accountId, budget);
    return budget;
  };
  const knownAs = ({ accountId, credentials }: BrokerAccess): string =>
    `${accountId} ${nameOf(credentialsOf(credentials))}`;

  const apiFor = (given: BrokerAccess['credentials'], budget: RequestBudget): AlpacaApi => {
    const credentials = credentialsOf(given);
    requireKey(kind, credentials);
    return alpacaApi({ credentials, url: url ?? kind.url, budget, fetch, timeout });
  };

  const seeFills = (access: BrokerAccess, orders: Iterable<BrokerOrder>): void => {
    for (const { filledAmount } of orders) if (filledAmount.gt(ZERO)) traded.add(knownAs(access));
  };

  const remember = (access: BrokerAccess, answer: AccountAnswer): void => {
    requireNumber(kind, answer.account_number);
    if (answer.account_number !== access.accountId) {
      throw new BrokerRefused(`the key does not open account ${access.accountId}`);
    }
    known.set(knownAs(access), answer);
  };

  /** Runs with the account's requests, once it is certain that they are about that account. */
  const within = async <T>(
    access: BrokerAccess,
    urgency: Urgency,
    work: (api: AlpacaApi, account: AccountAnswer) => Promise<T>,
  ): Promise<T> => {
    try {
      const { accountId, credentials } = access;
      const api = apiFor(credentials, budgetOf(accountId));
      const name = knownAs(access);
      if (!known.has(name)) remember(access, await api.account(urgency));
      const account = known.get(name);
      if (!account) throw new BrokerUnreachable(`account ${accountId} is not known`);
      return await work(api, account);
    } catch (error) {
      throw asPortError(error);
    }
  };

  const stockIdOf = async (api: AlpacaApi, order: OrderAnswer): Promise<StockId> => {
    const [first, ...more] = stocksNamed(instruments, order);
    if (!first) return unlistedId(order);
    if (more.length === 0) return first.id;
    const exchange = await assets.exchangeOf(api, order.asset_class, order.asset_id);
    const exact = [first, ...more].filter((one) => isSameExchange(one, exchange ?? ''));
    return (exact[0] ?? first).id;
  };

  const toldOrder = async (api: AlpacaApi, order: OrderAnswer): Promise<BrokerOrder> =>
    orderOf(api, order, await stockIdOf(api, order));

  const ruleOf = async (
    api: AlpacaApi,
    stock: Stock,
    { shorting_enabled }: AccountAnswer,
  ): Promise<TradingRules | undefined> => {
    const listed = await assets.listed(api, stock);
    if (!listed) return undefined;
    const rules = rulesOf(listed.asset, shorting_enabled);
    if (stock.status === 'halted' || !listed.asset.tradable) return { ...rules, session: 'halted' };
    const session = stock.security === 'stock' ? await assets.session(api) : 'open';
    return { ...rules, session };
  };

  const send = async (
    api: AlpacaApi,
    order: BrokerOrderRequest,
    urgency: Urgency,
    askedAt: number,
  ): Promise<BrokerOrder> => {
    const listed = await assets.listed(api, order.stock);
    if (!listed) return rejection(order, `Alpaca does not trade ${order.stock.symbol}.`);
    if (clock.now() - askedAt > SENT_WITHIN) throw new BrokerRateLimited(SENT_WITHIN);
    let answer;
    try {
      answer = await api.place(orderBody(order, listed), urgency);
    } catch (error) {
      if (!(error instanceof Declined || error instanceof BrokerRefused)) throw error;
      const first = await knownDespite(api, order, error);
      if (first) return orderOf(api, first, order.stock.id);
      if (error instanceof BrokerRefused) throw error;
      assets.doubt(listed.asset.id);
      return rejection(order, error.message);
    }
    requireSame(order, listed, answer);
    return orderOf(api, answer, order.stock.id);
  };

  const findAll = async (
    api: AlpacaApi,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, BrokerOrder>> => {
    const latest = new Map<string, unknown>(
      ids.length < 2
        ? []
        : (await api.latest(ids.length < FEW ? SOME : MANY)).map((one) => [
            one.client_order_id,
            one,
          ]),
    );
    const found = new Map<string, BrokerOrder>();
    for (const one of ids) {
      const answer = latest.has(one)
        ? readAs(orderAnswer, latest.get(one))
        : await api.byClientId(one, 'find');
      if (answer) found.set(one, await toldOrder(api, answer));
    }
    return found;
  };

  return {
    name: kind.name,
    live: kind.live,
    existingPositions: 'keep',
    asksFor: asksFor(kind),
    ...(oauth && { consent: alpacaConsent(kind, oauth, { fetch, timeout }) }),

    async link(request) {
      try {
        const api = apiFor(request.credentials, requestBudget(clock, ALLOWANCE));
        return linkedAccount(kind, request, await api.account('read'), await api.positions());
      } catch (error) {
        throw asPortError(error);
      }
    },

    async unlink(access) {
      known.delete(knownAs(access));
      traded.delete(knownAs(access));
    },

    account: (access, listed) =>
      within(access, 'read', async (api, last) => {
        const before = traded.delete(knownAs(access)) ? await api.account('read') : last;
        const [account, answer] = await readAccount(api, listed, access.type, before);
        remember(access, answer);
        return account;
      }),

    activities: (access, listed, since) =>
      within(access, 'read', (api) => readActivities(api, listed, access.type, since)),

    rules: (access, stocks) =>
      within(access, 'read', async (api, account) => {
        const found = new Map<StockId, TradingRules>();
        for (const stock of stocks.filter(({ security }) => security === access.type)) {
          const rules = await ruleOf(api, stock, account);
          if (rules) found.set(stock.id, rules);
        }
        return found;
      }),

    place: (access, order) => {
      const askedAt = clock.now();
      const urgency = order.closes ? 'reduce' : 'increase';
      return within(access, urgency, async (api) => {
        if (order.stock.security !== access.type)
          return rejection(order, `The account of this bot does not trade ${order.stock.symbol}.`);
        const placed = await send(api, order, urgency, askedAt);
        seeFills(access, [placed]);
        return placed;
      });
    },

    find: (access, clientOrderIds) =>
      within(access, 'find', async (api) => {
        const found = await findAll(api, clientOrderIds);
        seeFills(access, found.values());
        return found;
      }),

    cancel: (access, clientOrderId) =>
      within(access, 'cancel', async (api) => {
        const order = await api.byClientId(clientOrderId, 'cancel');
        if (!order) return;
        const [standing] = await followed(api, order, 'cancel');
        if (hasEnded(standing)) return;
        try {
          await api.cancel(standing.id);
        } catch (error) {
          // It ended in the meantime; `find` tells how.
          if (!(error instanceof Declined) || error.status === 403) throw error;
        }
      }),
  };
}
