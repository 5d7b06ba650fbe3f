import {
  type PaymentDetails,
  type PaymentDirection,
  type PaymentSource,
  type PaymentSourceId,
  Refusal,
  type Timestamp,
  type UserId,
  begunSource,
  deletedSource,
  id,
  isOnlyBegun,
  sourceAskedAgainAt,
} from '@slipstream/domain';
import {
  type LinkAnswer,
  type PaymentLink,
  PaymentSourceRefused,
  type ReadStores,
  type Stores,
} from '@slipstream/ports';
import { requireUser } from '../strategies/access.js';
import { type PaymentSourceView, sealDetails, viewSource } from './payment-views.js';
import { primarySource, saveActive } from './primary-source.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';
import { type Proof, type Proven, requireProof } from '../accounts/proof-of-owner.js';
import { ownUser } from '../accounts/users.js';
import type { Transaction } from '../transaction.js';
import { unlinkIfPossible, unlinkUnstored } from './unlink-source.js';

const MOST_SOURCES = 20;

/** Each filter is optional. */
type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** The caller's payment sources that are not deleted, newest first. */
export const getPaymentSources =
  (core: Core) =>
  async (caller: Caller): Promise<PaymentSourceView[]> => {
    const { userId } = requireUser(caller);
    const sources = await core.unitOfWork.read((stores) => keptSources(stores, userId));
    return sources.map((source) => viewSource(core, source));
  };

/**
 * Links the source with this `token` of the gateway. The first source of a direction is primary, later ones on request.
 * Withdrawals go to a source of direction `out`. If its bank requires a confirmation, a source is `pending` until the owner confirms it.
 */
export const newPaymentSource =
  (core: Core) =>
  async (
    caller: Caller,
    command: {
      readonly token: string;
      readonly direction?: PaymentDirection | undefined;
      readonly primary?: boolean | undefined;
      readonly details: PaymentDetails;
    } & Given<Proof>,
  ): Promise<PaymentSourceView> => {
    const { unitOfWork, clock, ids } = core;
    const { userId } = requireUser(caller);
    const direction = command.direction ?? 'in';
    const proven = await requireProofFor(core, userId, direction, command);
    const sourceId = await unitOfWork.read(async (stores) => {
      await requireRoom(stores, userId);
      return (await neverLinked(stores, userId))?.id ?? ids.next<'payment_source'>();
    });
    const row = beginning(core, { id: sourceId, userId, direction }, proven);
    const asked = { sourceId, userId, direction, token: command.token };
    const linked = await link(core, asked, row.begin);
    const now = clock.now();
    const nextAction = linked.kind === 'to_confirm' ? linked.nextAction : null;
    const save = async (stores: Transaction): Promise<PaymentSource> => {
      await proven(stores);
      await requireRoom(stores, userId);
      await row.requireUnchanged(stores);
      const made = await saveLinked(stores, now, {
        id: sourceId,
        userId,
        type: linked.type,
        direction,
        primary: command.primary === true,
        description: linked.description,
        sealedDetails: sealDetails(core, sourceId, command.details),
        status: nextAction ? 'pending' : 'active',
        gatewayRef: linked.ref,
        dueAt: nextAction && sourceAskedAgainAt(now, now),
        createdAt: now,
        updatedAt: now,
      });
      await savePaymentsEnabled(stores, userId, now);
      stores.answerWith({ ...viewSource(core, made), nextAction });
      await notifyOfPayout(core, stores, made);
      return made;
    };
    try {
      return { ...viewSource(core, await unitOfWork.run(save)), nextAction };
    } catch (error) {
      // The account may have ended while the gateway was asked.
      if (error instanceof Refusal)
        await unlinkUnstored(core, { id: sourceId, gatewayRef: linked.ref });
      throw error;
    }
  };

/** A source that waits for confirmation becomes primary only after it, unless another one was made primary since. */
async function saveLinked(
  stores: Stores,
  now: Timestamp,
  source: PaymentSource,
): Promise<PaymentSource> {
  if (source.primary) await forgetEarlierWishes(stores, source);
  if (source.status === 'active') return saveActive(stores, source, now);
  await stores.paymentSources.save(source);
  return source;
}

async function forgetEarlierWishes(
  { paymentSources }: Pick<Stores, 'paymentSources'>,
  { userId, direction, updatedAt }: PaymentSource,
): Promise<void> {
  for (const other of await paymentSources.listOf(userId))
    if (other.status === 'pending' && other.direction === direction && other.primary)
      await paymentSources.save({ ...other, primary: false, updatedAt });
}

/** A payout source needs the owner's password; a token is not enough (contract 16). */
async function requireProofFor(
  core: Core,
  userId: UserId,
  direction: PaymentDirection,
  { password, totp }: Given<Proof>,
): Promise<Proven> {
  if (direction === 'out') {
    if (password !== undefined) return requireProof(core, userId, { password, totp });
    throw new Refusal('invalid_field', 'password is required for a source of direction out');
  }
  if (password === undefined && totp === undefined) return (stores) => ownUser(stores, userId);
  throw new Refusal('invalid_field', 'password and totp are only for a source of direction out');
}

async function notifyOfPayout(
  core: Core,
  stores: Stores,
  { userId, description, direction }: PaymentSource,
): Promise<void> {
  if (direction === 'in') return;
  await notifyOfAccount(core, stores, {
    userId,
    subject: 'A new payout source',
    text: `${description} was added to your account: in three days withdrawals can be paid to it. If it was not you, remove it, delete your tokens and set a new password now.`,
  });
}

/** Deletes a source with its name and address; invoices still show its description. The newest other source becomes primary. */
export const deletePaymentSource =
  (core: Core) =>
  async (caller: Caller, { sourceId }: { readonly sourceId: string }): Promise<void> => {
    const { unitOfWork, clock } = core;
    const { userId } = requireUser(caller);
    const deletedId = await unitOfWork.run(async (stores) => {
      const now = clock.now();
      const source = await ownSource(stores, userId, id<'payment_source'>(sourceId));
      await requireNotPaidTo(stores, source);
      await stores.paymentSources.save(deletedSource(source, now));
      if (source.primary && source.status === 'active') {
        const others = await keptSources(stores, userId);
        const next = others.find(
          ({ direction, status }) => direction === source.direction && status === 'active',
        );
        if (next) await stores.paymentSources.save({ ...next, primary: true, updatedAt: now });
      }
      await savePaymentsEnabled(stores, userId, now);
      stores.answerWith(undefined);
      return source.id;
    });
    await unlinkIfPossible(core, deletedId);
  };

/** Refuses while a withdrawal to this source is pending or processing. */
async function requireNotPaidTo(
  { withdrawals }: Pick<ReadStores, 'withdrawals'>,
  { id: sourceId, userId, direction }: PaymentSource,
): Promise<void> {
  if (direction === 'in') return;
  const open = (await withdrawals.listOpen(userId)).find(
    (withdrawal) => (withdrawal.sourceId ?? sourceId) === sourceId,
  );
  if (!open) return;
  throw new Refusal(
    'conflict',
    `withdrawal ${open.id} is ${open.status} and goes to this payment source: wait until it is paid`,
  );
}

async function keptSources(
  { paymentSources }: { readonly paymentSources: Pick<Stores['paymentSources'], 'listOf'> },
  userId: UserId,
): Promise<PaymentSource[]> {
  return (await paymentSources.listOf(userId)).filter(({ status }) => status !== 'deleted');
}

async function requireRoom(
  stores: Parameters<typeof keptSources>[0],
  userId: UserId,
): Promise<void> {
  if ((await keptSources(stores, userId)).length < MOST_SOURCES) return;
  throw new Refusal('too_many', `a user can have ${MOST_SOURCES} payment sources`);
}

async function ownSource(
  { paymentSources }: Stores,
  userId: UserId,
  sourceId: PaymentSourceId,
): Promise<PaymentSource> {
  const source = await paymentSources.find(sourceId);
  if (source?.userId === userId && source.status !== 'deleted') return source;
  const hides = source !== undefined && source.userId !== userId;
  throw new Refusal('not_found', `payment source ${sourceId} does not exist`, hides);
}

/** `payments_enabled` states whether the user has a payout source (contract 2). */
async function savePaymentsEnabled(stores: Stores, userId: UserId, now: number): Promise<void> {
  const user = await stores.users.find(userId);
  const paymentsEnabled = (await primarySource(stores, userId, 'out')) !== undefined;
  if (!user || user.paymentsEnabled === paymentsEnabled) return;
  await stores.users.save({ ...user, paymentsEnabled, updatedAt: now });
}

/** The row of a source that the gateway is about to link. Nobody else changes it until it is stored as linked. */
function beginning(
  { unitOfWork, clock }: Core,
  named: Pick<PaymentSource, 'id' | 'userId' | 'direction'>,
  proven: Proven,
) {
  let dueAt: Timestamp | null = null;
  const requireUnchanged = async ({ paymentSources }: ReadStores): Promise<void> => {
    const row = await paymentSources.find(named.id);
    if (row && (row.status !== 'deleted' || row.dueAt !== dueAt))
      throw new Refusal(
        'conflict',
        'another payment source was added meanwhile, or this one took too long: try again',
      );
  };
  return {
    requireUnchanged,
    async begin(gatewayRef: string): Promise<void> {
      const begun = begunSource({ gatewayRef, ...named }, clock.now());
      await unitOfWork.run(async (stores) => {
        await proven(stores);
        await requireUnchanged(stores);
        await stores.paymentSources.save(begun);
      });
      ({ dueAt } = begun);
    },
  };
}

/** A row of the user's that was begun and came to nothing: the next source takes it, so that refused cards leave few rows. */
const neverLinked = async (
  stores: Parameters<typeof keptSources>[0],
  userId: UserId,
): Promise<PaymentSource | undefined> =>
  (await stores.paymentSources.listOf(userId)).find(
    (source) => isOnlyBegun(source) && source.dueAt === null,
  );

async function link(
  { paymentGateway, log }: Core,
  request: PaymentLink,
  begin: (gatewayRef: string) => Promise<void>,
): Promise<LinkAnswer> {
  let failure: { readonly error: unknown } | undefined;
  const begun = (gatewayRef: string): Promise<void> =>
    begin(gatewayRef).catch((error: unknown) => {
      failure = { error };
      throw error;
    });
  try {
    return await paymentGateway.link({ ...request, begun });
  } catch (error) {
    if (failure) throw failure.error;
    if (error instanceof PaymentSourceRefused) {
      throw new Refusal('payment_gateway', error.message);
    }
    const fields = { gateway: paymentGateway.name, error: String(error) };
    log.warn(fields, 'could not link a payment source');
    throw new Refusal('payment_gateway', 'the payment gateway cannot be reached, try again later');
  }
}
