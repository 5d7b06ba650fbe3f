import {
  type BrokerAccess,
  BrokerRefused,
  type RequestBudget,
  keptFor,
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
  /**
   * Asks once an hour: rights of a key change at the exchange, where nobody tells us.
   * @throws {BrokerRefused} when the key may do more or less than trade, or opens another account.
   */
  requireRights(this: void): Promise<void>;
}

const HOUR = 3_600_000;

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

  const apiOf = (
    credentials: BrokerAccess['credentials'],
    budgetOf: (counted: Counted) => RequestBudget,
  ): ExchangeApi => {
    const key = venue.keyOf(credentials);
    return exchangeApi({ ...options, key, nonce: nonceOf(key.apiKey), budgetOf });
  };
  const infoOf = async (api: ExchangeApi): Promise<KeyInfo> => {
    const info = await venue.keyInfo(api);
    requireRights(venue, info);
    return info;
  };

  const begin = async ({ accountId, credentials }: BrokerAccess): Promise<Session> => {
    const api = apiOf(credentials, keptIn(budgets, accountId, newBudgets));
    const askedOnce = keptFor<void>(clock, HOUR);
    const session: Session = {
      accountId,
      api,
      orders: keptIn(memories, accountId, () => orderMemory(clock.now)),
      requireRights: () =>
        askedOnce(accountId, async () => {
          const info = await infoOf(api);
          if (info.accountId !== accountId) {
            throw new BrokerRefused(`the key does not open account ${accountId}`);
          }
        }),
    };
    await session.requireRights();
    return session;
  };

  return {
    async open(credentials) {
      const api = apiOf(credentials, newBudgets());
      return [api, await infoOf(api)];
    },
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
