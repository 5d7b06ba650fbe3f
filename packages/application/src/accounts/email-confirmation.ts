import { type AccountCode, Refusal, type Token, type User } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { lineOf } from './calling-token.js';
import { requireUser } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { MAIL_INTERVAL, isTooSoon, issueCode, requireCode } from './account-codes.js';
import { accountMail, confirmationMail, newAddressMail } from '../messages/mail-texts.js';
import { postMail } from '../messages/outgoing-mail.js';
import { accountPage, codePage, resetPage } from '../messages/pages.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';
import { type Proof, byMailedCode, requireProof } from './proof-of-owner.js';
import { revokeAccess } from './tokens.js';
import { ownUser } from './users.js';

/** The page that confirms the address of the code. */
const linkOf = (core: Core, code: string): string => codePage(core, '/confirm', code);

/** Mails the link to the page that calls `confirmEmail`. */
export async function mailConfirmation(core: Core, stores: Stores, user: User): Promise<void> {
  const code = await issueCode(core, stores, user, 'email_confirmation');
  await postMail(core, stores, user, confirmationMail(linkOf(core, code), resetPage(core)));
}

/** Mails another link and invalidates the one before. */
export const newEmailConfirmation =
  (core: Core) =>
  async (caller: Caller): Promise<void> => {
    const { userId } = requireUser(caller);
    await core.unitOfWork.run(async (stores) => {
      const user = await ownUser(stores, userId);
      if (user.verified) throw new Refusal('conflict', 'your e-mail address is confirmed');
      if (await isTooSoon(core, stores, user, 'email_confirmation')) {
        throw new Refusal('too_many', 'a link was mailed less than a minute ago');
      }
      await mailConfirmation(core, stores, user);
      stores.answerWith(undefined);
    });
  };

/** Mails a link to a new address, which becomes the user's when they confirm it. The present address is notified. */
export const updateEmail =
  (core: Core) =>
  async (
    caller: Caller,
    { email, ...proof }: { readonly email: string } & Proof,
  ): Promise<void> => {
    const { userId } = requireUser(caller);
    const proven = await requireProof(core, userId, proof);
    const address = email.toLowerCase();
    await countMailTo(core, address);
    await core.unitOfWork.run(async (stores) => {
      const user = await proven(stores);
      await requireFree(stores, address);
      if (await isTooSoon(core, stores, user, 'email_change')) {
        throw new Refusal('too_many', 'a link was mailed less than a minute ago');
      }
      const code = await issueCode(core, stores, user, 'email_change', address);
      const to = { id: userId, email: address };
      await postMail(core, stores, to, newAddressMail(linkOf(core, code)));
      stores.answerWith(undefined);
      await notifyOfAccount(core, stores, {
        userId,
        subject: 'A new e-mail address was asked for',
        text: 'Your account gets another e-mail address when the link that was mailed there is opened, within a day. If it was not you, set a new password now: that takes the link back.',
      });
    });
  };

/** Counts the links to an address of nobody, whoever asks: many accounts together could flood a mailbox that is none of theirs. */
const countMailTo = ({ guesses, fingerprints }: Core, address: string): Promise<void> =>
  guesses.count([
    { name: fingerprints.of('updateEmail', 'to', address), limit: 1, window: MAIL_INTERVAL },
  ]);

/**
 * Confirms the address to which a code was mailed. If the account had no confirmed address before, all its tokens are revoked,
 * except the calling one and its ancestors: their makers had not proved that the address is theirs. The code
 * stays valid until it expires, so a repeated call succeeds.
 */
export const confirmEmail =
  (core: Core) =>
  async (caller: Caller, command: { readonly code: string }): Promise<void> => {
    const purposes = ['email_confirmation', 'email_change'] as const;
    const find = (stores: ReadStores) => requireCode(core, stores, command.code, ...purposes);
    await byMailedCode(core, () => core.unitOfWork.read(find));
    await core.unitOfWork.run(async (stores) => {
      const found = await find(stores);
      stores.answerWith(undefined);
      const isNews = !found.user.verified || isChange(found);
      if (isNews) await confirm(core, stores, found, caller);
    });
  };

interface Found {
  readonly code: AccountCode;
  readonly user: User;
}

const isChange = ({ code, user }: Found): boolean =>
  code.email !== null && code.email !== user.email;

async function confirm(
  core: Core,
  stores: Stores,
  { code, user }: Found,
  caller: Caller,
): Promise<void> {
  const email = code.email ?? user.email;
  if (email !== user.email) await requireFree(stores, email);
  if (!user.verified) {
    const asking = caller.kind === 'user' && caller.userId === user.id ? caller.tokenId : null;
    const kept = asking === null ? new Map() : await lineOf(stores, asking);
    const isRevoked = ({ id }: Token): boolean => !kept.has(id);
    await revokeAccess(stores, user.id, isRevoked, 'the address was confirmed');
  }
  const updatedAt = core.clock.now();
  const isOwn = user.verified || (caller.kind === 'user' && caller.userId === user.id);
  const secondFactor = isOwn ? user.secondFactor : null;
  const confirmed = { email, secondFactor, verified: true, confirmBy: null, updatedAt };
  await stores.users.save({ ...user, ...confirmed });
  if (email === user.email) return;
  await stores.accountCodes.remove(user.id, 'password_reset');
  await stores.accountCodes.remove(user.id, 'email_confirmation');
  const subject = 'Your e-mail address was changed';
  const text =
    'Your account has another e-mail address now, which confirmed it. If it was not you, answer this mail to whoever runs the service.';
  const pages = { subject: accountPage(core), way: resetPage(core) };
  if (user.verified) await postMail(core, stores, user, accountMail(subject, text, pages));
  await notifyOfAccount(core, stores, { userId: user.id, subject, text });
}

async function requireFree({ users }: Pick<Stores, 'users'>, email: string): Promise<void> {
  if (await users.findByEmail(email)) {
    throw new Refusal('conflict', 'a user with this email exists');
  }
}
