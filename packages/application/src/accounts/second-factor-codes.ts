import { Refusal, type Timestamp, type User } from '@slipstream/domain';
import type { Core } from '../core.js';
import { openedIfReadable } from '../secrets/lost-key.js';

type Needs = Pick<Core, 'oneTimePasswords' | 'secretBox' | 'fingerprints'>;

export const secretContext = ({ id }: Pick<User, 'id'>): string => `second_factor|${id}`;

export const sealSecret = ({ secretBox }: Needs, user: User, secret: string): string =>
  secretBox.seal(secret, secretContext(user));

/** The stored form of a recovery code, independent of how it was typed. */
export const recoveryDigest = ({ fingerprints }: Needs, user: User, code: string): string =>
  fingerprints.sha256(`${user.id}|${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`);

export const hasSecondFactor = ({ secondFactor }: User): boolean =>
  secondFactor !== null && secondFactor.since !== null;

/** The step of the app's code; undefined when the code is wrong, or when the master key of the secret was lost. */
function stepOf(core: Needs, user: User, sealedSecret: string, code: string, now: Timestamp) {
  const secret = openedIfReadable(core.secretBox, sealedSecret, secretContext(user));
  return secret === undefined
    ? undefined
    : core.oneTimePasswords.stepOf(secret, code.replace(/\s/g, ''), now);
}

/** The user after a code was used up; undefined if the code is wrong or was used before. */
export function takeCode(core: Needs, user: User, code: string, now: Timestamp): User | undefined {
  const { secondFactor: factor } = user;
  if (factor === null) return undefined;
  const step = stepOf(core, user, factor.sealedSecret, code, now);
  if (step !== undefined) {
    return step > factor.lastStep
      ? { ...user, secondFactor: { ...factor, lastStep: step } }
      : undefined;
  }
  const digest = recoveryDigest(core, user, code);
  if (!factor.recovery.includes(digest)) return undefined;
  const recovery = factor.recovery.filter((other) => other !== digest);
  return { ...user, secondFactor: { ...factor, recovery } };
}

/** Whether a code must be compared. Refuses a missing code, and a code for an account without second factor. */
export function mustShowCode(user: User, code: string | undefined): code is string {
  if (hasSecondFactor(user)) {
    if (code !== undefined) return true;
    throw new Refusal(
      'totp_required',
      'totp is required: the code that your authenticator app shows, or a recovery code',
    );
  }
  if (code === undefined) return false;
  throw new Refusal('invalid_field', 'totp is given, but the second factor is not on');
}
