import {
  type Notification,
  type PaymentDetails,
  type PaymentDirection,
  type PaymentSource,
  type PaymentSourceId,
  Refusal,
  type UserId,
  id,
} from '@slipstream/domain';
import { PaymentSourceRefused, type Stores } from '@slipstream/ports';
import { requireUser } from '../access.js';
import { type PaymentSourceView, sealDetails, viewSource } from '../billing/payment-views.js';
import { primarySource } from '../billing/primary-source.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { keepAnswer } from '../keep-answer.js';
import { publishNotifications } from '../messages/notify.js';
import { tellAlways } from '../messages/tell-always.js';

const MOST_SOURCES = 20;

/** The caller's payment sources that are not deleted, newest first. */
export const getPaymentSources =
  (core: Core) =>
  async (caller: Caller): Promise<PaymentSourceView[]> => {
    const { userId } = requireUser(caller);
    const sources = await core.unitOfWork.read((stores) => activeSources(stores, userId));
    return sources.map((source) => viewSource(core, source));
  };

/**
 * Links what the gateway calls `token`. The first of a direction is the primary one, later ones when asked for. One of
 * direction `out` is what withdrawals are paid to.
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
    },
  ): Promise<PaymentSourceView> => {
    const { unitOfWork, clock, ids } = core;
    const { userId } = requireUser(caller);
    const direction = command.direction ?? 'in';
    await unitOfWork.read((stores) => requireRoom(stores, userId));
    const linked = await link(core, { userId, direction, token: command.token });
    const sourceId = ids.next<'payment_source'>();
    const now = clock.now();
    const { source, told } = await unitOfWork.run(async (stores) => {
      await requireRoom(stores, userId);
      const former = await primarySource(stores, userId, direction);
      const made: PaymentSource = {
        id: sourceId,
        userId,
        type: linked.type,
        direction,
        primary: command.primary === true || former === undefined,
        description: linked.description,
        sealedDetails: sealDetails(core, sourceId, command.details),
        status: 'active',
        gatewayRef: linked.ref,
        createdAt: now,
        updatedAt: now,
      };
      if (former && made.primary) {
        await stores.paymentSources.save({ ...former, primary: false, updatedAt: now });
      }
      await stores.paymentSources.save(made);
      await savePaymentsEnabled(stores, userId, now);
      await keepAnswer(stores, viewSource(core, made));
      return {
        source: made,
        told: direction === 'out' ? await tellOfPayout(core, stores, made) : [],
      };
    });
    publishNotifications(core, told);
    return viewSource(core, source);
  };

const tellOfPayout = (
  core: Core,
  stores: Stores,
  { userId, description }: PaymentSource,
): Promise<Notification[]> =>
  tellAlways(core, stores, {
    userId,
    subject: 'A new payout source',
    text: `${description} was added to your account: withdrawals can be paid to it. If it was not you, remove it by deletePaymentSource, delete your tokens and set a new password now.`,
  });

/** Its name and address are erased; invoices still show what it was. The newest other one becomes the primary one. */
export const deletePaymentSource =
  ({ unitOfWork, clock, paymentGateway, log }: Core) =>
  async (caller: Caller, { sourceId }: { readonly sourceId: string }): Promise<void> => {
    const { userId } = requireUser(caller);
    const { gatewayRef } = await unitOfWork.run(async (stores) => {
      const now = clock.now();
      const source = await ownSource(stores, userId, id<'payment_source'>(sourceId));
      const gone = { status: 'deleted', sealedDetails: null, primary: false } as const;
      await stores.paymentSources.save({ ...source, ...gone, updatedAt: now });
      if (source.primary) {
        const others = await activeSources(stores, userId);
        const next = others.find(({ direction }) => direction === source.direction);
        if (next) await stores.paymentSources.save({ ...next, primary: true, updatedAt: now });
      }
      await savePaymentsEnabled(stores, userId, now);
      return source;
    });
    try {
      await paymentGateway.unlink(gatewayRef);
    } catch (error) {
      const { name } = error instanceof Error ? error : { name: 'Error' };
      log.warn({ sourceId, error: name }, 'the gateway did not let go of a payment source');
    }
  };

async function activeSources(
  { paymentSources }: { readonly paymentSources: Pick<Stores['paymentSources'], 'listOf'> },
  userId: UserId,
): Promise<PaymentSource[]> {
  return (await paymentSources.listOf(userId)).filter(({ status }) => status === 'active');
}

async function requireRoom(
  stores: Parameters<typeof activeSources>[0],
  userId: UserId,
): Promise<void> {
  if ((await activeSources(stores, userId)).length < MOST_SOURCES) return;
  throw new Refusal('too_many', `a user can have ${MOST_SOURCES} payment sources`);
}

async function ownSource(
  { paymentSources }: Stores,
  userId: UserId,
  sourceId: PaymentSourceId,
): Promise<PaymentSource> {
  const source = await paymentSources.find(sourceId);
  if (source?.userId === userId && source.status === 'active') return source;
  const hides = source !== undefined && source.userId !== userId;
  throw new Refusal('not_found', `payment source ${sourceId} does not exist`, hides);
}

/** `payments_enabled` says whether there is something to pay earnings out to (contract 2). */
async function savePaymentsEnabled(stores: Stores, userId: UserId, now: number): Promise<void> {
  const user = await stores.users.find(userId);
  const paymentsEnabled = (await primarySource(stores, userId, 'out')) !== undefined;
  if (!user || user.paymentsEnabled === paymentsEnabled) return;
  await stores.users.save({ ...user, paymentsEnabled, updatedAt: now });
}

async function link(
  { paymentGateway, log }: Core,
  request: Parameters<Core['paymentGateway']['link']>[0],
): ReturnType<Core['paymentGateway']['link']> {
  try {
    return await paymentGateway.link(request);
  } catch (error) {
    if (error instanceof PaymentSourceRefused) {
      throw new Refusal('payment_gateway', error.message);
    }
    const { name } = error instanceof Error ? error : { name: 'Error' };
    log.warn({ gateway: paymentGateway.name, error: name }, 'a payment source was not linked');
    throw new Refusal('payment_gateway', 'the payment gateway cannot be reached, try again later');
  }
}
