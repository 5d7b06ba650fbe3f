import type { Security } from '@slipstream/domain';
import {
  type BrokerLink,
  type BrokerLinked,
  BrokerRefused,
  type CredentialField,
} from '@slipstream/ports';
import { blockOf } from './account.js';
import type { AccountAnswer, PositionAnswer } from './answers.js';
import { type Kind, requireNumber } from './kinds.js';

export const asksFor = ({ keyPrefix, words }: Kind): readonly CredentialField[] => [
  {
    name: 'key_id',
    description: `The id of an API key of your ${words} account, from Alpaca's dashboard; it begins with ${keyPrefix}.`,
    required: true,
    example: `${keyPrefix}3EXAMPLE0EXAMPLE000`,
  },
  {
    name: 'secret_key',
    description: 'The secret of that key; Alpaca shows it once.',
    required: true,
    example: 'ExampleExampleExampleExampleExampleExample',
  },
];

function warningsOf(account: AccountAnswer, type: Security): readonly string[] {
  const isStock = type === 'stock';
  const block = blockOf(account, type);
  const noShorts = isStock && !account.shorting_enabled;
  const noMargin = isStock && account.multiplier.eq('1');
  return [
    ...(block === null ? [] : [block]),
    ...(noShorts ? ['The account may not sell short: short positions are left out.'] : []),
    ...(noMargin ? ['The account has no margin: it holds no more than it is worth.'] : []),
  ];
}

/** What the link answers, once key, host and account agree. */
export function linkedAccount(
  kind: Kind,
  { accountId, type, credentials }: BrokerLink,
  account: AccountAnswer,
  positions: readonly PositionAnswer[],
): BrokerLinked {
  const { account_number: number, currency } = account;
  requireNumber(kind, number);
  if (accountId !== undefined && accountId !== number) {
    throw new BrokerRefused(`the key is that of account ${number}, not of ${accountId}`);
  }
  if (currency !== 'USD') throw new BrokerRefused(`the account is kept in ${currency}, not in USD`);
  return {
    accountId: number,
    credentials,
    label: `Alpaca ${kind.words} account ${number}`,
    live: kind.live,
    holdings: positions.map(({ symbol, qty, side }) => ({
      instrument: symbol,
      amount: side === 'long' ? qty.abs() : qty.abs().times('-1'),
    })),
    warnings: warningsOf(account, type),
  };
}
