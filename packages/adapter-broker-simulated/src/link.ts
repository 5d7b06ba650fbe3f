import { type Decimal, ZERO, decimal } from '@slipstream/domain';
import { type BrokerLink, BrokerRefused } from '@slipstream/ports';
import { type AccountState, readAccount } from './account-state.js';

const DEFAULT_BALANCE = decimal('10000');
const LARGEST_BALANCE = decimal('1000000000000');
const PLAIN_DECIMAL = /^(0|[1-9]\d{0,12})(\.\d{1,8})?$/;
const ACCOUNT_ID = /^[\w-]{1,50}$/;

/** Contract 4: `{starting_balance}`, in USD; 10000 when it is not given. */
function startingBalance(credentials: unknown): Decimal {
  if (credentials === undefined || credentials === null) return DEFAULT_BALANCE;
  if (typeof credentials !== 'object' || Array.isArray(credentials)) {
    throw new BrokerRefused('credentials must be an object');
  }
  const { starting_balance: balance = DEFAULT_BALANCE.toFixed(), ...others } =
    credentials as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const name = JSON.stringify(unknown.slice(0, 50));
    throw new BrokerRefused(`credentials has no field ${name}`);
  }
  const text = typeof balance === 'number' ? String(balance) : balance;
  if (typeof text !== 'string' || !PLAIN_DECIMAL.test(text)) {
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
  return { userId, type, startingBalance: cash, cash, amounts: new Map(), orders: [], actions: [] };
}

/** Refuses an account that is kept already and is not of this user and type, or began with another balance than is asked for. */
export function requireJoinable(link: BrokerLink, text: string): void {
  const { userId, type, accountId, credentials } = link;
  const found = readAccount(text);
  if (found.userId !== userId) throw new BrokerRefused(`account ${accountId} is taken`);
  if (found.type !== type) throw new BrokerRefused(`account ${accountId} is of type ${found.type}`);
  const asked = (credentials as { readonly starting_balance?: unknown } | null | undefined)
    ?.starting_balance;
  if (asked === undefined || found.startingBalance?.eq(startingBalance(credentials))) return;
  throw new BrokerRefused(
    `starting_balance of account ${accountId} cannot be changed, for the account exists already: leave it out, or name another account_id in newBot`,
  );
}
