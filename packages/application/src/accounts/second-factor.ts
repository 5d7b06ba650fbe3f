import { Refusal } from '@slipstream/domain';
import { requireUser } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';
import { type Proof, requireProof, takeSecondFactor } from './proof-of-owner.js';
import { hasSecondFactor, recoveryDigest, sealSecret } from './second-factor-codes.js';
import { ownUser } from './users.js';

const RECOVERY_CODES = 10;

const isOn = (): Refusal =>
  new Refusal('conflict', 'the second factor is on; turn it off first (deleteTotp)');

const notShown = (): Refusal =>
  new Refusal('invalid_field', 'totp is not the code that the app shows for the secret (newTotp)');

/** Makes a secret for an authenticator app. Codes are required after `confirmTotp` has shown that the app has it. */
export const newTotp =
  (core: Core) =>
  async (
    caller: Caller,
    { password }: { readonly password: string },
  ): Promise<{ readonly secret: string; readonly uri: string }> => {
    const { userId } = requireUser(caller);
    const known = await core.unitOfWork.read((stores) => ownUser(stores, userId));
    if (hasSecondFactor(known)) throw isOn();
    const proven = await requireProof(core, userId, { password });
    return core.unitOfWork.run(async (stores) => {
      const user = await proven(stores);
      if (hasSecondFactor(user)) throw isOn();
      const issued = core.oneTimePasswords.newSecret(user.email);
      const sealedSecret = sealSecret(core, user, issued.secret);
      const secondFactor = { sealedSecret, since: null, lastStep: 0, recovery: [] };
      await stores.users.save({ ...user, secondFactor, updatedAt: core.clock.now() });
      stores.answerWith(issued);
      return issued;
    });
  };

/** Turns the second factor on with a code of the app. Returns the recovery codes, which are shown only once. */
export const confirmTotp =
  (core: Core) =>
  async (caller: Caller, { totp }: { readonly totp: string }): Promise<readonly string[]> => {
    const { userId } = requireUser(caller);
    const known = await core.unitOfWork.read((stores) => ownUser(stores, userId));
    if (hasSecondFactor(known)) throw isOn();
    return takeSecondFactor(core, known, totp, notShown, async (stores, user) => {
      if (hasSecondFactor(user)) throw isOn();
      const now = core.clock.now();
      const made = Array.from({ length: RECOVERY_CODES }, () =>
        core.oneTimePasswords.newRecoveryCode(),
      );
      const recovery = made.map((code) => recoveryDigest(core, user, code));
      const secondFactor = user.secondFactor && { ...user.secondFactor, since: now, recovery };
      await stores.users.save({ ...user, secondFactor, updatedAt: now });
      stores.answerWith(made);
      await notifyOfAccount(core, stores, {
        userId,
        subject: 'The second factor is on',
        text: 'Signing in to your account, and what lets money leave it, asks for a code of your authenticator app from now on. If it was not you, set a new password now.',
      });
      return made;
    });
  };

/** Turns the second factor off, with the password and a last code. */
export const deleteTotp =
  (core: Core) =>
  async (caller: Caller, proof: Proof): Promise<void> => {
    const { userId } = requireUser(caller);
    const proven = await requireProof(core, userId, proof);
    await core.unitOfWork.run(async (stores) => {
      const user = await proven(stores);
      await stores.users.save({ ...user, secondFactor: null, updatedAt: core.clock.now() });
      stores.answerWith(undefined);
      if (!hasSecondFactor(user)) return;
      await notifyOfAccount(core, stores, {
        userId,
        subject: 'The second factor is off',
        text: 'Your account asks for no code of an authenticator app any more. If it was not you, set a new password now.',
      });
    });
  };
