import {
  type Market,
  ONE,
  TWO,
  type UserId,
  ZERO,
  divide,
  tradableQuote,
} from '@slipstream/domain';
import {
  type Broker,
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRefused,
  type Ids,
  type UnitOfWork,
  type LinkedAccount,
} from '@slipstream/ports';
import { type AccountState, accountText, readAccount } from './account-state.js';
import { adjustAccount } from './stock-actions.js';
import { type Fault, type FaultScript, withFault } from './faults.js';
import { look, rejectionReason, tryFill, valued } from './fills.js';
import { type SimulatedOptions, rulesFor } from './account-rules.js';
import { ASKS_FOR, isOf, namesOf, newAccount, requireJoinable } from './link.js';

export interface SimulatedBrokerDeps {
  /** Where the accounts are kept; the broker runs units of work of its own. */
  readonly unitOfWork: Pick<UnitOfWork, 'run' | 'read'>;
  readonly ids: Ids;
  /** The market now: its quotes value and fill, its sessions open and close. */
  readonly market: () => Market;
  readonly options?: SimulatedOptions;
  readonly faults?: FaultScript;
}

const HALF = divide(ONE, TWO);

const linked = (accountId: string, userId: UserId): LinkedAccount => ({
  accountId,
  credentials: { user_id: userId },
});

const withOrder = (account: AccountState, order: BrokerOrder): AccountState => ({
  ...account,
  orders: [...account.orders, order],
});

/** Brokerage accounts inside this service, filled at the market's quotes by the domain's rules. No money is moved. */
export function simulatedBroker({
  unitOfWork,
  ids,
  market,
  options = {},
  faults,
}: SimulatedBrokerDeps): Broker {
  const name = options.name ?? 'simulated';
  // Other brokers of this kind (by name) have accounts of their own.
  const keyOf = (accountId: string): string => `${name}:${accountId}`;

  /** Changes the account in one unit of work, open orders first, and answers what `change` found. */
  const within = <T>(
    { accountId, credentials }: LinkedAccount,
    change: (account: AccountState, market: Market) => readonly [AccountState, T],
  ): Promise<T> => {
    const seen = market();
    return unitOfWork.run(async ({ brokerAccounts }) => {
      const text = await brokerAccounts.find(keyOf(accountId));
      const stored = text === undefined ? undefined : readAccount(text);
      if (stored === undefined || stored.userId !== credentials['user_id']) {
        throw new BrokerRefused(`account ${accountId} does not exist`);
      }
      const [next, answer] = change(look(stored, seen), seen);
      const nextText = accountText(next);
      if (nextText !== text) await brokerAccounts.save(keyOf(accountId), nextText);
      return answer;
    });
  };

  const latest = (account: AccountState, clientOrderId: string): BrokerOrder | undefined =>
    account.orders.findLast((order) => order.clientOrderId === clientOrderId);

  const accept =
    ({ stock, ...request }: BrokerOrderRequest, fault: Fault | undefined) =>
    (account: AccountState, seen: Market): readonly [AccountState, BrokerOrder] => {
      const known = latest(account, request.clientOrderId);
      if (known && options.dedupes !== false) return [account, known];
      const order: BrokerOrder = {
        ...request,
        stockId: stock.id,
        status: 'open',
        filledAmount: ZERO,
        filledPrice: null,
        reason: null,
      };
      const reason =
        fault === 'reject' ? 'rejected as asked' : rejectionReason(account, order, seen, options);
      if (reason !== undefined) {
        const rejected: BrokerOrder = { ...order, status: 'rejected', reason };
        return [withOrder(account, rejected), rejected];
      }
      const share = fault === 'partial' ? HALF : ONE;
      const next = tryFill(withOrder(account, order), order, seen, share);
      return [next, latest(next, request.clientOrderId) ?? order];
    };

  return {
    name,
    live: false,
    existingPositions: 'take_over',
    asksFor: ASKS_FOR,

    link: (request) =>
      withFault(faults, 'link', async () => {
        const names = namesOf(request, () => ids.next());
        const accountId = await unitOfWork.run(async ({ brokerAccounts }) => {
          for (const name of names) {
            const text = await brokerAccounts.find(keyOf(name));
            if (text === undefined) {
              await brokerAccounts.save(keyOf(name), accountText(newAccount(request)));
              return name;
            }
            if (isOf(request, text)) {
              requireJoinable(request, text);
              return name;
            }
          }
          throw new BrokerRefused(`account ${request.accountId} is taken`);
        });
        return linked(accountId, request.userId);
      }),

    account: (access) =>
      withFault(faults, 'account', () =>
        within(access, (account, seen) => [account, valued(account, seen)]),
      ),

    rules: (access, stock) =>
      withFault(faults, 'rules', () =>
        within(access, (account, seen) => {
          if (stock.security !== account.type) return [account, undefined];
          const session = seen.session(stock);
          const open =
            stock.status === 'active' &&
            session !== undefined &&
            tradableQuote(stock, session, seen) !== undefined;
          return [account, { ...rulesFor(stock, options), open }];
        }),
      ),

    place: (access, request) =>
      withFault(faults, 'place', (fault) => within(access, accept(request, fault))),

    find: (access, clientOrderId) =>
      withFault(faults, 'find', () =>
        within(access, (account) => [account, latest(account, clientOrderId)]),
      ),

    cancel: (access, clientOrderId) =>
      withFault(faults, 'cancel', () =>
        within(access, (account) => {
          const orders = account.orders.map((order): BrokerOrder =>
            order.clientOrderId === clientOrderId && order.status === 'open'
              ? { ...order, status: 'cancelled', reason: 'cancelled as asked' }
              : order,
          );
          return [{ ...account, orders }, undefined];
        }),
      ),

    async adjust(action) {
      const all = await unitOfWork.read(({ brokerAccounts }) => brokerAccounts.list());
      for (const key of all.filter((name) => name.startsWith(keyOf('')))) {
        await unitOfWork.run(async ({ brokerAccounts }) => {
          const text = await brokerAccounts.find(key);
          if (text === undefined) return;
          const account = readAccount(text);
          const next = adjustAccount(account, action);
          if (next !== account) await brokerAccounts.save(key, accountText(next));
        });
      }
    },
  };
}
