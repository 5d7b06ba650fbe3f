import { Refusal, type User, type UserId, MINUTE, HOUR } from '@slipstream/domain';
import type { Core } from '../core.js';
import type { Allowance } from './guesses.js';
import { deviceOf } from './known-device.js';
import { mustShowCode, takeCode } from './second-factor-codes.js';
import { ownUser } from './users.js';
import type { Transaction } from '../transaction.js';

/** How a caller shows, beyond their token, that the account is theirs. */
export interface Proof {
  readonly password: string;
  /** A code of the second factor, where it is on. */
  readonly totp?: string | undefined;
}

type Needs = Pick<
  Core,
  | 'unitOfWork'
  | 'passwords'
  | 'clock'
  | 'oneTimePasswords'
  | 'secretBox'
  | 'fingerprints'
  | 'guesses'
  | 'source'
  | 'settings'
>;

type FromSomewhere = Pick<Needs, 'fingerprints' | 'source' | 'settings' | 'guesses'>;

/** So many a minute from the address that the request came from; from nowhere, any number. */
function fromAddress(
  { fingerprints, source }: FromSomewhere,
  what: string,
  limit: number,
): readonly Allowance[] {
  const { network = source.ip } = source;
  if (network === null) return [];
  return [{ name: fingerprints.of(what, 'address', network), limit, window: MINUTE }];
}

const ofAddress = (core: Needs): readonly Allowance[] =>
  fromAddress(core, 'guesses', core.settings.guesses.address);

/** Counts what a stranger causes a mail by. Nobody's address fills the queue of mails for all. */
export const countMailOfStranger = (
  core: FromSomewhere,
  what: 'newUser' | 'newPasswordReset',
): Promise<void> => core.guesses.count(fromAddress(core, what, core.settings.guesses.signups));

/** Who guesses cannot keep the owner out of where they were signed in before: each such device counts for itself. */
function placeOf(core: Needs, user: User): string {
  const device = deviceOf(core, user);
  return device !== undefined && user.devices.includes(device) ? device : 'elsewhere';
}

function ofPassword(core: Needs, account: User | string): readonly Allowance[] {
  const of =
    typeof account === 'string'
      ? ['nobody', account]
      : ['user', account.id, placeOf(core, account)];
  const name = core.fingerprints.of('guesses', 'password', ...of);
  return [...ofAddress(core), { name, limit: core.settings.guesses.account, window: MINUTE }];
}

function ofSecondFactor(core: Needs, user: User): readonly Allowance[] {
  const name = core.fingerprints.of('guesses', 'totp', user.id, placeOf(core, user));
  return [...ofAddress(core), { name, limit: core.settings.guesses.codes, window: HOUR }];
}

/**
 * Throws `wrong` unless the password is that of the user; of a text instead, which is an address that nobody has, none is.
 * The one place where passwords are compared: a guess counts before it is tried. It takes as long whoever it is.
 */
export function requirePassword(
  core: Needs,
  account: User | string,
  password: string,
  wrong: () => Refusal,
): Promise<void> {
  const hash = typeof account === 'string' ? '' : account.passwordHash;
  return core.guesses.attempt(ofPassword(core, account), async () => {
    if (!(await core.passwords.verify(hash, password))) throw wrong();
  });
}

/**
 * Takes a code of the user's authenticator app, which is good no more then, and does `then` with the user whose code is taken,
 * in the same unit of work. The one place where such codes are compared.
 */
export async function takeSecondFactor<T>(
  core: Needs,
  user: User,
  code: string,
  wrong: () => Refusal,
  then: (stores: Transaction, taken: User) => Promise<T>,
): Promise<T> {
  if (user.secondFactor === null) throw wrong();
  return core.guesses.attempt(ofSecondFactor(core, user), () =>
    core.unitOfWork.run(async (stores) => {
      const fresh = await ownUser(stores, user.id);
      const taken = takeCode(core, fresh, code, core.clock.now());
      if (!taken) throw wrong();
      return then(stores, taken);
    }),
  );
}

/** Asks for the second factor where it is on. A code is good once, whatever becomes of what it was given for. */
export async function requireSecondFactor(
  core: Needs,
  user: User,
  code: string | undefined,
  wrong: () => Refusal,
): Promise<void> {
  if (!mustShowCode(user, code)) return;
  await takeSecondFactor(core, user, code, wrong, ({ users }, taken) => users.save(taken));
}

/** What a mailed code opens; `find` refuses one that is not good. The one place where such codes are compared. */
export const byMailedCode = <Found>(core: Needs, find: () => Promise<Found>): Promise<Found> =>
  core.guesses.attempt(ofAddress(core), find);

/** Asks for the password, and for the second factor where it is on, before money leaves or the account ends (contract 16). */
export async function requireProof(
  core: Needs,
  userId: UserId,
  { password, totp }: Proof,
): Promise<void> {
  const user = await core.unitOfWork.read((stores) => ownUser(stores, userId));
  if (user.passwordHash === '') {
    throw new Refusal(
      'invalid_field',
      'this account has no password: set one by newPasswordReset and updatePassword first',
    );
  }
  await requirePassword(core, user, password, notTheCurrent);
  await requireSecondFactor(
    core,
    user,
    totp,
    () => new Refusal('invalid_field', 'totp is wrong, old or was used'),
  );
}

export const notTheCurrent = (): Refusal =>
  new Refusal('invalid_field', 'password is not the current one');
