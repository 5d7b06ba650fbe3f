import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import { countingIds } from '@slipstream/adapter-memory/testing';
import { type Market, ONE } from '@slipstream/domain';
import type { Manner } from '../story/story.js';
import type { Broker, BrokerAccountStore, Stores, UnitOfWork } from '@slipstream/ports';
import type { FaultScript } from '@slipstream/adapter-broker-simulated';

/** An order in the broker's records. */
export interface KeptOrder {
  readonly clientOrderId: string;
  readonly stockId: string;
  readonly action: 'buy' | 'sell';
  readonly amount: string;
  readonly status: 'open' | 'filled' | 'cancelled' | 'rejected';
  readonly filledAmount: string;
}

/** An account in the broker's records. */
export interface KeptAccount {
  readonly cash: string;
  readonly amounts: Readonly<Record<string, string>>;
  readonly orders: readonly KeptOrder[];
}

/** The broker's own world, which continues when the core's process ends. */
export interface BrokerSide {
  /** Without network faults. */
  readonly broker: Broker;
  account(accountId: string): KeptAccount | undefined;
  accounts(): ReadonlyMap<string, KeptAccount>;
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

export function brokerSide(
  market: () => Market,
  faults: FaultScript,
  options: {
    readonly strict: boolean;
    readonly dedupes: boolean;
    readonly manners: readonly Manner[];
  },
): BrokerSide {
  const kept = new Map<string, string>();
  const has = (manner: Manner): boolean => options.manners.includes(manner);
  const read = (text: string): KeptAccount => JSON.parse(text) as KeptAccount;
  const nameOf = (key: string): string => key.slice(key.indexOf(':') + 1);
  return {
    broker: simulatedBroker({
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
    }),
    account(accountId) {
      const text = kept.get(`simulated:${accountId}`);
      return text === undefined ? undefined : read(text);
    },
    accounts: () => new Map([...kept].map(([key, text]) => [nameOf(key), read(text)])),
  };
}
