import {
  type BrokerAccess,
  BrokerRefused,
  type RequestBudget,
  requestBudget,
} from '@slipstream/ports';
import { type ApiOptions, type Counted, type ExchangeApi, exchangeApi } from './exchange-api.js';
import { requireRights } from './link.js';
import { type OrderMemory, orderMemory } from './order-memory.js';
import type { KeyInfo, Venue } from './venue.js';

/** An account that this process trades. */
export interface Session {
  readonly accountId: string;
  readonly api: ExchangeApi;
  readonly orders: OrderMemory;
}

export interface Sessions {
  /** Requests with a key that is not known yet, and what it opens. */
  open(credentials: BrokerAccess['credentials']): Promise<readonly [ExchangeApi, KeyInfo]>;
  /**
   * The account's requests, once it is certain that the key opens that account.
   * @throws {BrokerRefused} when it opens another, or may do more than trade.
   */
  of(access: BrokerAccess): Promise<Session>;
  forget(access: BrokerAccess): void;
}

/** `publicBudget` is that of all accounts. */
export function sessionsOf(
  venue: Venue,
  options: Omit<ApiOptions, 'key' | 'nonce' | 'budgetOf'>,
  publicBudget: RequestBudget,
): Sessions {
  const { clock } = options;
  /** By account: several keys may open one. */
  const budgets = new Map<string, (counted: Counted) => RequestBudget>();
  const memories = new Map<string, OrderMemory>();
  /** By account and key. */
  const known = new Map<string, Promise<Session>>();
  /** The last of each key. */
  const nonces = new Map<string, number>();

  const newBudgets = (): ((counted: Counted) => RequestBudget) => {
    const own = {
      questions: requestBudget(clock, venue.allowances.questions),
      orders: requestBudget(clock, venue.allowances.orders),
      public: publicBudget,
    };
    return (counted) => own[counted];
  };
  const keptIn = <T>(map: Map<string, T>, name: string, make: () => T): T => {
    const found = map.get(name) ?? make();
    map.set(name, found);
    return found;
  };
  const nonceOf = (apiKey: string) => (): number => {
    const next = Math.max((nonces.get(apiKey) ?? 0) + 1, clock.now());
    nonces.set(apiKey, next);
    return next;
  };
  const nameOf = ({ accountId, credentials }: BrokerAccess): string =>
    `${accountId} ${JSON.stringify(credentials)}`;

  const checked = async (
    credentials: BrokerAccess['credentials'],
    budgetOf: (counted: Counted) => RequestBudget,
  ): Promise<readonly [ExchangeApi, KeyInfo]> => {
    const key = venue.keyOf(credentials);
    const api = exchangeApi({ ...options, key, nonce: nonceOf(key.apiKey), budgetOf });
    const info = await venue.keyInfo(api);
    requireRights(venue, info);
    return [api, info];
  };

  const begin = async ({ accountId, credentials }: BrokerAccess): Promise<Session> => {
    const [api, info] = await checked(credentials, keptIn(budgets, accountId, newBudgets));
    if (info.accountId !== accountId) {
      throw new BrokerRefused(`the key does not open account ${accountId}`);
    }
    return { accountId, api, orders: keptIn(memories, accountId, () => orderMemory(clock.now)) };
  };

  return {
    open: (credentials) => checked(credentials, newBudgets()),
    of(access) {
      const name = nameOf(access);
      return keptIn(known, name, () => {
        const begun = begin(access);
        begun.catch(() => known.delete(name));
        return begun;
      });
    },
    forget: (access) => void known.delete(nameOf(access)),
  };
}
