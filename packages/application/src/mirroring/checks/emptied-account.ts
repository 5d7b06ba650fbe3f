import { type Bot, type BrokerAccount, lastEquity, ZERO } from '@slipstream/domain';
import { AccountUnsettled } from '@slipstream/ports';

/** So many failures in a row, some twenty minutes: then it is what the broker says. */
const BELIEVED_AFTER = 10;

/**
 * Refuses a reading of an account from which everything is gone at once: an empty answer of a broker in trouble is no empty account. Taken as
 * true, all would be a loss, and what is there again by the next reading would be the owner's.
 * @throws {AccountUnsettled} until it was read so again and again.
 */
export function requireNotEmptied(
  { heldParts, lossWatch, attempts }: Pick<Bot, 'heldParts' | 'lossWatch' | 'attempts'>,
  { cash, positions, unpriced = [] }: BrokerAccount,
): void {
  const isEmpty = cash.eq(ZERO) && positions.length === 0 && unpriced.length === 0;
  const wasEmpty = heldParts.size === 0 && !(lossWatch && lastEquity(lossWatch).gt(ZERO));
  if (isEmpty && !wasEmpty && attempts < BELIEVED_AFTER)
    throw new AccountUnsettled('the account is empty at once');
}
