import type { BrokerLink, BrokerLinked } from '@slipstream/ports';
import { BrokerRefused } from '@slipstream/ports';
import { holdingsOf } from './account.js';
import type { Markets } from './markets.js';
import type { Balance, KeyInfo, Venue } from './venue.js';

/** @throws {BrokerRefused} a key that could take money out, or that could not trade. */
export function requireRights({ title }: Venue, { mayWithdraw, mayTrade }: KeyInfo): void {
  if (mayWithdraw) {
    throw new BrokerRefused(
      `the key may withdraw or transfer money: create one at ${title} that may only read and trade`,
    );
  }
  if (!mayTrade)
    throw new BrokerRefused(`the key may not read, trade and cancel orders at ${title}`);
}

/** What the link answers, once key and account agree. */
export async function linkedAccount(
  venue: Venue,
  { accountId, credentials }: BrokerLink,
  info: KeyInfo,
  balances: readonly Balance[],
  markets: Markets,
): Promise<BrokerLinked> {
  if (accountId !== undefined && accountId !== info.accountId) {
    throw new BrokerRefused(`the key is that of account ${info.accountId}, not of ${accountId}`);
  }
  const { priced, others } = await holdingsOf(markets, balances);
  return {
    accountId: info.accountId,
    credentials,
    label: `${venue.title} account ${info.accountId}`,
    live: true,
    holdings: [...priced, ...others].map(({ code, total }) => ({
      instrument: code,
      amount: total,
    })),
    warnings: others.map(
      ({ code }) => `${code} has no price in dollars at ${venue.title}: it is not counted.`,
    ),
  };
}
