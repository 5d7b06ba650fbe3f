import { type Decimal, ZERO, decimal } from '@slipstream/domain';
import { type BrokerLink, BrokerRefused, type CredentialField } from '@slipstream/ports';
import { type AccountState, readAccount } from './account-state.js';

const DEFAULT_BALANCE = decimal('10000');
const LARGEST_BALANCE = decimal('1000000000000');
const PLAIN_DECIMAL = /^(0|[1-9]\d{0,12})(\.\d{1,8})?$/;
const ACCOUNT_ID = /^[\w-]{1,50}$/;

/** Contract 4. */
export const ASKS_FOR: readonly CredentialField[] = [
  {
    name: 'starting_balance',
    description:
      'The USD that a new account begins with, above 0 and at most 1000000000000; 10000 unless given.',
    required: false,
    example: '10000',
  },
];

function startingBalance({ starting_balance: text }: BrokerLink['credentials']): Decimal {
  if (text === undefined) return DEFAULT_BALANCE;
  if (!PLAIN_DECIMAL.test(text)) {
    throw new BrokerRefused('starting_balance must be a positive decimal');
  }
  const usd = decimal(text);
  if (usd.lte(ZERO) || usd.gt(LARGEST_BALANCE)) {
    throw new BrokerRefused('starting_balance must be above 0 and at most 1000000000000');
  }
  return usd;
}

/** The account that a link begins with when there is none yet. Refuses what it cannot be made of. */
export function newAccount({ userId, type, accountId, credentials }: BrokerLink): AccountState {
  if (accountId !== undefined && !ACCOUNT_ID.test(accountId)) {
    throw new BrokerRefused('account_id must be 1 to 50 letters, digits, - or _');
  }
  const cash = startingBalance(credentials);
  return {
    userId,
    type,
    startingBalance: cash,
    cash,
    amounts: new Map(),
    orders: [],
    actions: [],
    activities: [],
  };
}

/**
 * What the account may be called, the first that is free or the user's own: a name that somebody else took is told apart by
 * the end of the user's id, which nobody can ask for.
 */
export const namesOf = (
  { accountId, userId }: BrokerLink,
  fresh: () => string,
): readonly string[] =>
  accountId === undefined ? [fresh()] : [accountId, `${accountId}.${userId.slice(-12)}`];

export const isOf = ({ userId }: Pick<BrokerLink, 'userId'>, text: string): boolean =>
  readAccount(text).userId === userId;

/** Refuses an account of the user's that is not of this type, or began with another balance than is asked for. */
export function requireJoinable(link: BrokerLink, text: string): void {
  const { type, accountId, credentials } = link;
  const found = readAccount(text);
  if (found.type !== type) throw new BrokerRefused(`account ${accountId} is of type ${found.type}`);
  if (
    credentials['starting_balance'] === undefined ||
    found.startingBalance?.eq(startingBalance(credentials))
  )
    return;
  throw new BrokerRefused(
    `starting_balance of account ${accountId} cannot be changed, for the account exists already: leave it out, or name another account_id (newBot)`,
  );
}
