import { Refusal, type UserId } from '@slipstream/domain';
import type { Core } from './core.js';
import { passSecondFactor } from './second-factor.js';
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
  core: Pick<
    Core,
    'unitOfWork' | 'passwords' | 'clock' | 'oneTimePasswords' | 'secretBox' | 'fingerprints'
  >,
  userId: UserId,
  { password, totp }: Proof,
): Promise<void> {
  const { unitOfWork, passwords } = core;
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
  // A code is good once, whatever becomes of what it was given for.
  await unitOfWork.run(async (stores) => {
    const user = await ownUser(stores, userId);
    const wrong = new Refusal('invalid_field', 'totp is wrong, old or was used');
    const passed = passSecondFactor(core, user, totp, core.clock.now(), wrong);
    if (passed !== user) await stores.users.save(passed);
  });
}
