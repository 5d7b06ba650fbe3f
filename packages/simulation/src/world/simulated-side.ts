import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import type { FaultScript } from '@slipstream/adapter-broker-simulated';
import { countingIds } from '@slipstream/adapter-memory/testing';
import { type Market, ONE } from '@slipstream/domain';
import type { Broker, BrokerAccountStore, Stores, UnitOfWork } from '@slipstream/ports';
import type { Manner } from '../story/story.js';
import { type Accounts, type KeptAccount, type SideOptions, amountByHand } from './accounts.js';

export interface SimulatedSide extends Accounts {
  readonly name: 'simulated';
  /** Without network faults. */
  readonly broker: Broker;
}

/** Accounts in memory, one transaction after another. */
function accountStorage(kept: Map<string, string>): Pick<UnitOfWork, 'run' | 'read'> {
  let last: Promise<unknown> = Promise.resolve();
  const brokerAccounts: Pick<BrokerAccountStore, 'find' | 'save' | 'list'> = {
    list: async () => [...kept.keys()],
    find: async (accountId) => kept.get(accountId),
    save: async (accountId, state) => void kept.set(accountId, state),
  };
  const run = <Answer>(work: (stores: Stores) => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(() => work({ brokerAccounts } as Stores));
    last = answer.catch(() => undefined);
    return answer;
  };
  return { run, read: run };
}

export function simulatedSide(
  market: () => Market,
  faults: FaultScript,
  options: SideOptions,
): SimulatedSide {
  const kept = new Map<string, string>();
  const has = (manner: Manner): boolean => options.manners.includes(manner);
  const read = (text: string): KeptAccount => JSON.parse(text) as KeptAccount;
  const nameOf = (key: string): string => key.slice(key.indexOf(':') + 1);
  const broker = simulatedBroker({
    unitOfWork: accountStorage(kept),
    ids: countingIds('account-'),
    market,
    faults,
    options: {
      wholeShares: options.strict,
      crossesZero: !options.strict,
      dedupes: options.dedupes,
      acceptsFirst: has('accepts_first'),
      slowCancel: has('slow_cancel'),
      feeInAsset: has('fee_in_asset'),
      ...(has('lends_whole') ? { shortStep: ONE } : {}),
    },
  });
  return {
    name: 'simulated',
    broker,
    account(accountId) {
      const text = kept.get(`simulated:${accountId}`);
      return text === undefined ? undefined : read(text);
    },
    accounts: () => new Map([...kept].map(([key, text]) => [nameOf(key), read(text)])),
    async tradeByHand({ account_id, type, user_id }, trade) {
      const credentials = { user_id };
      await broker.place(
        { accountId: account_id, type, credentials, renew: async () => undefined },
        {
          clientOrderId: `foreign-${trade.count}`,
          stock: trade.stock,
          action: trade.dollars < 0 ? 'sell' : 'buy',
          amount: amountByHand(trade),
          limit: null,
          closes: false,
        },
      );
    },
  };
}
