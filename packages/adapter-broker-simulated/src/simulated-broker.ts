import {
  type AccountActivity,
  type Market,
  ONE,
  type Stock,
  type StockId,
  TWO,
  type TradingRules,
  type UserId,
  ZERO,
  divide,
  tradableQuote,
} from '@slipstream/domain';
import {
  type Broker,
  type BrokerAccess,
  type BrokerLinked,
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRefused,
  type Ids,
  type UnitOfWork,
  type LinkedAccount,
} from '@slipstream/ports';
import {
  type AccountState,
  type KeptOrder,
  accountText,
  readAccount,
  toldOrder,
  withActivity,
  withOrder,
} from './account-state.js';
import { parsedAccounts } from './parsed-accounts.js';
import { adjustAccount } from './stock-actions.js';
import { type Fault, type FaultScript, withFault } from './faults.js';
import { expired, look, rejectionReason, tryFill, valued } from './fills.js';
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

/** Money or shares that the owner moves in (positive) or out, beside the bot. */
export type Transfer = Pick<AccountActivity, 'cash' | 'stockId' | 'amount'>;

/** The simulated broker, and what only the owner of an account does there. */
export interface SimulatedBroker extends Broker {
  readonly activities: NonNullable<Broker['activities']>;
  transfer(access: BrokerAccess, moved: Transfer): Promise<void>;
}

const HALF = divide(ONE, TWO);

/** The account after the transfer, which it reports. */
function transferred(
  account: AccountState,
  moved: Transfer,
  booked: Pick<AccountActivity, 'id' | 'at'>,
): AccountState {
  const amounts = new Map(account.amounts);
  if (moved.stockId !== null) {
    const amount = (amounts.get(moved.stockId) ?? ZERO).plus(moved.amount);
    if (amount.eq(ZERO)) amounts.delete(moved.stockId);
    else amounts.set(moved.stockId, amount);
  }
  const next = { ...account, cash: account.cash.plus(moved.cash), amounts };
  return withActivity(next, { ...booked, ...moved, kind: 'transfer', name: 'transfer' });
}

const linked = (accountId: string, userId: UserId, account: AccountState): BrokerLinked => ({
  accountId,
  credentials: { user_id: userId },
  label: `simulated account ${accountId}`,
  live: false,
  holdings: [...account.amounts].map(([instrument, amount]) => ({ instrument, amount })),
  warnings: [],
});

const sessionOf = (stock: Stock, seen: Market): TradingRules['session'] => {
  if (stock.status === 'halted') return 'halted';
  const session = stock.status === 'active' ? seen.session(stock) : undefined;
  return session && tradableQuote(stock, session, seen) ? 'open' : 'closed';
};

/** An account once something was asked, and the answer. The same account when nothing changed. */
type Change<T> = (account: AccountState, market: Market) => readonly [AccountState, T];

/** Brokerage accounts inside this service, filled at the market's quotes by the domain's rules. No money is moved. */
export function simulatedBroker({
  unitOfWork,
  ids,
  market,
  options = {},
  faults,
}: SimulatedBrokerDeps): SimulatedBroker {
  const name = options.name ?? 'simulated';
  // Other brokers of this kind (by name) have accounts of their own.
  const keyOf = (accountId: string): string => `${name}:${accountId}`;

  const known = parsedAccounts();

  /** What the account is once open orders met the market and it was changed, with what `change` found. */
  const changedBy = <T>(
    { accountId, credentials }: LinkedAccount,
    text: string | undefined,
    fault: Fault | undefined,
    seen: Market,
    change: Change<T>,
  ) => {
    const key = keyOf(accountId);
    const trial = text === undefined ? credentials['trial'] : undefined;
    const kept = typeof trial === 'string' ? trial : text;
    const stored = kept === undefined ? undefined : known.read(key, kept);
    if (stored === undefined || stored.userId !== credentials['user_id']) {
      throw new BrokerRefused(`account ${accountId} does not exist`);
    }
    const before = fault === 'expire' ? expired(stored) : stored;
    const [next, answer] = change(look(before, seen, options), seen);
    return { next, answer, isSame: next === stored || trial !== undefined };
  };

  /** Changes the account in one unit of work, open orders first, and answers what `change` found. */
  const within = <T>(
    linked: LinkedAccount,
    fault: Fault | undefined,
    change: Change<T>,
    seen = market(),
  ): Promise<T> => {
    const key = keyOf(linked.accountId);
    return unitOfWork.run(async ({ brokerAccounts }) => {
      const text = await brokerAccounts.find(key);
      const { next, answer, isSame } = changedBy(linked, text, fault, seen, change);
      if (!isSame) await brokerAccounts.save(key, known.text(key, next));
      return answer;
    });
  };

  /** The same for what seldom changes an account: then it is only read. */
  const lookingAt = async <T>(
    linked: LinkedAccount,
    fault: Fault | undefined,
    change: Change<T>,
  ): Promise<T> => {
    const key = keyOf(linked.accountId);
    const seen = market();
    const text = await unitOfWork.read(({ brokerAccounts }) => brokerAccounts.find(key));
    const { answer, isSame } = changedBy(linked, text, fault, seen, change);
    return isSame ? answer : within(linked, fault, change, seen);
  };

  const latest = (account: AccountState, clientOrderId: string): KeptOrder | undefined =>
    account.orders.findLast((order) => order.clientOrderId === clientOrderId);

  const accept =
    ({ stock, ...request }: BrokerOrderRequest, fault: Fault | undefined) =>
    (account: AccountState, seen: Market): readonly [AccountState, BrokerOrder] => {
      const known = latest(account, request.clientOrderId);
      if (known && options.dedupes !== false) return [account, toldOrder(known)];
      const order: KeptOrder = {
        ...request,
        stockId: stock.id,
        status: 'open',
        filledAmount: ZERO,
        filledPrice: null,
        fee: null,
        reason: null,
        acceptedAt: options.acceptsFirst ? seen.now : null,
        cancelledSince: null,
      };
      const reason =
        fault === 'reject' ? 'rejected as asked' : rejectionReason(account, order, seen, options);
      if (reason !== undefined) {
        const rejected: KeptOrder = { ...order, status: 'rejected', reason };
        return [withOrder(account, rejected), toldOrder(rejected)];
      }
      const accepted = withOrder(account, order);
      const share = fault === 'partial' ? HALF : options.acceptsFirst ? ZERO : ONE;
      const next = share.eq(ZERO) ? accepted : tryFill(accepted, order, seen, options, share);
      return [next, toldOrder(latest(next, request.clientOrderId) ?? order)];
    };

  const cancelled = (order: KeptOrder, seen: Market): KeptOrder =>
    options.slowCancel
      ? { ...order, cancelledSince: order.cancelledSince ?? seen.now }
      : { ...order, status: 'cancelled', reason: 'cancelled as asked' };

  return {
    name,
    live: false,
    existingPositions: 'take_over',
    asksFor: ASKS_FOR,

    link: (request) =>
      withFault(faults, 'link', async () => {
        const names = namesOf(request, () => ids.next());
        return unitOfWork.run(async ({ brokerAccounts }) => {
          for (const name of names) {
            const text = await brokerAccounts.find(keyOf(name));
            if (text === undefined) {
              const account = newAccount(request);
              const found = linked(name, request.userId, account);
              // An account of a preview is in its credentials alone.
              if (request.isTrial)
                return {
                  ...found,
                  credentials: { ...found.credentials, trial: accountText(account) },
                };
              await brokerAccounts.save(keyOf(name), accountText(account));
              return found;
            }
            if (isOf(request, text)) {
              requireJoinable(request, text);
              return linked(name, request.userId, readAccount(text));
            }
          }
          throw new BrokerRefused(`account ${request.accountId} is taken`);
        });
      }),

    account: (access) =>
      withFault(faults, 'account', (fault) =>
        lookingAt(access, fault, (account, seen) => [account, valued(account, seen)]),
      ),

    activities: (access, _instruments, since) =>
      withFault(faults, 'activities', (fault) =>
        lookingAt(access, fault, (account) => [
          account,
          account.activities.filter(({ at }) => at >= since),
        ]),
      ),

    transfer: (access, moved) =>
      within(access, undefined, (account, seen) => [
        transferred(account, moved, { id: ids.next(), at: seen.now }),
        undefined,
      ]),

    rules: (access, stocks) =>
      withFault(faults, 'rules', (fault) =>
        lookingAt(access, fault, (account, seen) => {
          const traded = stocks.filter(({ security }) => security === account.type);
          const rules = traded.map((stock): [StockId, TradingRules] => [
            stock.id,
            { ...rulesFor(stock, options), session: sessionOf(stock, seen) },
          ]);
          return [account, new Map(rules)];
        }),
      ),

    place: (access, request) =>
      withFault(faults, 'place', (fault) => within(access, fault, accept(request, fault))),

    find: (access, clientOrderIds) =>
      withFault(faults, 'find', (fault) =>
        lookingAt(access, fault, (account) => {
          const found = clientOrderIds.flatMap((one): [string, BrokerOrder][] => {
            const order = latest(account, one);
            return order ? [[one, toldOrder(order)]] : [];
          });
          return [account, new Map(found)];
        }),
      ),

    cancel: (access, clientOrderId) =>
      withFault(faults, 'cancel', (fault) =>
        within(access, fault, (account, seen) => {
          const orders = account.orders.map((order): KeptOrder =>
            order.clientOrderId === clientOrderId && order.status === 'open'
              ? cancelled(order, seen)
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
