import { Refusal, type UserId } from '@slipstream/domain';
import type { Core } from './core.js';
import { ownUser } from './use-cases/users.js';

/** How a caller shows, beyond their token, that the account is theirs. */
export interface Proof {
  readonly password: string;
  /** A code of the second factor, where it is on. */
  readonly totp?: string | undefined;
}

/**
 * Asks for the password, and for the second factor where it is on, before money leaves or the account ends (contract 16).
 * It hashes, so it comes before the unit of work.
 */
export async function requireProof(
  { unitOfWork, passwords }: Pick<Core, 'unitOfWork' | 'passwords'>,
  userId: UserId,
  { password, totp }: Proof,
): Promise<void> {
  const { passwordHash } = await unitOfWork.read((stores) => ownUser(stores, userId));
  if (passwordHash === '') {
    throw new Refusal(
      'invalid_field',
      'this account has no password: set one by newPasswordReset and updatePassword first',
    );
  }
  if (!(await passwords.verify(passwordHash, password))) {
    throw new Refusal('invalid_field', 'password is not the current one');
  }
  requireSecondFactor(totp);
}

/** No account has a second factor yet: a code can only be a mistake. */
function requireSecondFactor(totp: string | undefined): void {
  if (totp === undefined) return;
  throw new Refusal('invalid_field', 'totp is given, but the second factor is not on');
}
