import { Refusal, type User, type UserId, MINUTE, HOUR } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { Allowance } from './guesses.js';
import { deviceOf } from './known-device.js';
import { mustShowCode, takeCode } from './second-factor-codes.js';
import { ownUser } from './users.js';
import type { Transaction } from '../transaction.js';

/** The caller's proof, beyond the token, that the account is theirs. */
export interface Proof {
  readonly password: string;
  /** A code of the second factor, if it is on. */
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

/** The limit per minute for the request's address; a call without an address has none. */
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

/** Counts requests with which strangers cause mails, so that one address cannot fill the queue of mails. */
export const countMailOfStranger = (
  core: FromSomewhere,
  what: 'newUser' | 'newPasswordReset',
): Promise<void> => core.guesses.count(fromAddress(core, what, core.settings.guesses.signups));

/** Each known device has its own count, so that guesses from elsewhere do not lock the owner out. */
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
 * Throws `wrong` unless the password is the user's. Instead of a user it may get an unknown address, for which every password is wrong.
 * The only place where passwords are compared: a guess counts before it is checked. The duration is the same in all cases.
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
 * Uses up a code of the user's authenticator app and calls `then` with the changed user in the same transaction.
 * The only place where such codes are compared.
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

/** Requires the second factor if it is on. A code is valid once, even if the request fails later. */
export async function requireSecondFactor(
  core: Needs,
  user: User,
  code: string | undefined,
  wrong: () => Refusal,
): Promise<void> {
  if (!mustShowCode(user, code)) return;
  await takeSecondFactor(core, user, code, wrong, ({ users }, taken) => users.save(taken));
}

/** Finds the record of a mailed code; `find` refuses an invalid code. The only place where such codes are compared. */
export const byMailedCode = <Found>(core: Needs, find: () => Promise<Found>): Promise<Found> =>
  core.guesses.attempt(ofAddress(core), find);

/** The user, in the transaction that the proof is for; refused if the password or the second factor was changed meanwhile. */
export type Proven = (stores: Pick<ReadStores, 'users'>) => Promise<User>;

/** Requires the password, and the second factor if it is on, before a payout or the end of the account (contract 16). */
export async function requireProof(
  core: Needs,
  userId: UserId,
  { password, totp }: Proof,
): Promise<Proven> {
  const user = await core.unitOfWork.read((stores) => ownUser(stores, userId));
  if (user.passwordHash === '') {
    throw new Refusal(
      'invalid_field',
      'this account has no password: set one first (newPasswordReset, then updatePassword)',
    );
  }
  await requirePassword(core, user, password, notTheCurrent);
  await requireSecondFactor(
    core,
    user,
    totp,
    () => new Refusal('invalid_field', 'totp is wrong, old or was used'),
  );
  return async (stores) => {
    const fresh = await ownUser(stores, userId);
    if (isProvenBy(user, fresh)) return fresh;
    throw notTheCurrent();
  };
}

/** Whether what proved one state of an account proves the other too. */
export const isProvenBy = (known: User, fresh: User): boolean =>
  fresh.passwordHash === known.passwordHash &&
  (fresh.secondFactor?.since ?? null) === (known.secondFactor?.since ?? null);

export const notTheCurrent = (): Refusal =>
  new Refusal('invalid_field', 'password is not the current one');
