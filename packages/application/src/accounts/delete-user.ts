import {
  type Bot,
  Refusal,
  type StrategyId,
  type Subscription,
  type Timestamp,
  type User,
  type UserId,
  ZERO,
  cancelSubscription,
  stopTrying,
} from '@slipstream/domain';
import type { Page, ReadStores, Stores } from '@slipstream/ports';
import { EMPTY_PROFILE } from './users.js';
import { removeEndpoints } from '../endpoints/remove-endpoints.js';
import { requireUser } from '../strategies/access.js';
import { removeConnections, removeHalts, unlinkAll } from '../mirroring/index.js';
import { lostWith } from '../billing/ledger.js';
import { requireSettledUp } from '../billing/settled-up.js';
import { removeSources, requireNoEndOf, saveChanged } from '../billing/subscription-terms.js';
import { unlinkIfPossible } from '../billing/unlink-source.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { everyItem } from '../page.js';
import { removePlans } from '../plans/prepare-plan.js';
import { endStrategy } from '../strategies/end-strategy.js';
import { afterEnds } from '../strategies/ends-under-way.js';
import { type Proof, type Proven, requireProof } from './proof-of-owner.js';
import { removeCodes } from './account-codes.js';
import { revokeTokens } from './tokens.js';

/** Posts, likes or subscriptions per transaction: few, so that other transactions run in between. */
const CHUNK = 100;
/** The same for alerts, whose bodies may be large. */
const SMALL_CHUNK = 20;

/**
 * Deletes the caller's account: strategies (as deleteStrategy), bots that are off, subscriptions, tokens, posts, likes,
 * alerts, notifications, payment sources, profile and address. The ledger and invoices stay, without personal data. The account
 * exists until the last step, so a repeat finishes an interrupted deletion. Each step needs the proof to count still: its owner may take
 * the account back from a thief meanwhile.
 */
export const deleteUser =
  (core: Core) =>
  async (caller: Caller, proof: Proof): Promise<void> => {
    const { unitOfWork, clock } = core;
    const { userId } = requireUser(caller);
    const proven = await requireProof(core, userId, proof);
    const strategies = await afterEnds(core, () =>
      unitOfWork.read(async (stores) => {
        await proven(stores);
        await requireBotsOff(stores, userId);
        await requireNothingEarned(core, stores, userId, clock.now());
        return everyItem((page) => stores.strategies.ownedBy(userId, page));
      }),
    );
    for (const strategy of strategies) await endIfThere(core, caller, strategy.id, proven);
    const removeSome = async (stores: Stores): Promise<boolean> => {
      await proven(stores);
      return removeSomeWords(stores, userId);
    };
    while (await unitOfWork.run(removeSome));
    await stopCharging(core, userId, proven);
    // Each by itself: together with all that follows they would hold up others.
    for (const removeAll of [removeMessages, removeEndpoints])
      await unitOfWork.run(async (stores) => {
        await proven(stores);
        await removeAll(stores, userId);
      });
    const { bots, sources } = await afterEnds(core, () =>
      unitOfWork.run(async (stores) => {
        const user = await proven(stores);
        const { strategies: made, posts } = (await stores.users.figures([userId])).get(userId) ?? {
          strategies: 0,
          posts: 0,
        };
        if (made > 0 || posts > 0) {
          throw new Refusal('conflict', 'a strategy or post was made meanwhile; try again');
        }
        await requireNothingEarned(core, stores, userId, clock.now());
        const removed = await removeBots(stores, userId, clock.now());
        const linked = await stores.paymentSources.listOf(userId);
        const [followed] = await stores.subscriptions.following(userId);
        if (followed) throw new Refusal('conflict', 'a strategy was followed meanwhile; try again');
        await eraseAccount(stores, user, clock.now(), 'the account was deleted');
        stores.answerWith(undefined);
        return { bots: removed, sources: linked.filter(({ status }) => status !== 'deleted') };
      }),
    );
    for (const { id } of sources) await unlinkIfPossible(core, id);
    await unlinkAll(core, bots);
  };

/** Another call may have ended it meanwhile, for example of a client that gave up waiting and asked again. */
async function endIfThere(
  core: Core,
  caller: Caller,
  strategyId: StrategyId,
  proven: Proven,
): Promise<void> {
  try {
    await endStrategy(core, caller, strategyId, proven);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
  }
}

/** A deleted account could not receive its earnings or a returned withdrawal. */
async function requireNothingEarned(
  core: Pick<Core, 'paymentGateway'>,
  stores: Pick<ReadStores, 'earnings' | 'strategies' | 'withdrawals'>,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  await requireSettledUp(core, stores, userId, now);
  const balance = await lostWith(core, stores, userId, now);
  if (balance.eq(ZERO)) return;
  throw new Refusal(
    'conflict',
    `withdraw your earnings of ${balance.toFixed(2)} USD first (newWithdrawal); they settle seven days after their paid month, or after the end of their strategy (deleteStrategy)`,
  );
}

async function requireBotsOff({ bots }: Pick<ReadStores, 'bots'>, userId: UserId): Promise<void> {
  const busy = (await bots.listOf(userId)).filter(({ status }) => status !== 'off');
  if (busy.length === 0) return;
  const named = busy.map(({ id, status }) => `${id} (${status})`).join(', ');
  throw new Refusal('bot_not_off', `stop these bots first: ${named}`);
}

/** Deletes the bots with their encrypted credentials. */
async function removeBots(stores: Stores, userId: UserId, at: Timestamp): Promise<readonly Bot[]> {
  await requireBotsOff(stores, userId);
  const bots = await stores.bots.listOf(userId);
  for (const { id: botId } of bots) {
    await stores.bots.remove(botId);
    await removeHalts(stores, { scope: 'bot', target: botId });
    await stores.events.add({ kind: 'bot_deleted', botId, at });
  }
  return bots;
}

/** Ends the user's subscriptions and the charge attempts of all of their invoices, a few at a time. */
async function stopCharging(core: Core, userId: UserId, proven: Proven): Promise<void> {
  const { unitOfWork, clock } = core;
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page: Page = { limit: CHUNK, cursor };
    cursor = await afterEnds(core, () =>
      unitOfWork.run(async (stores) => {
        await proven(stores);
        const rows = await stores.subscriptions.listOfUser(userId, page);
        for (const row of rows) await requireNoEndOf(stores, row);
        for (const row of rows) await endWithAccount(stores, row, clock.now());
        return rows.length < CHUNK ? null : rows.at(-1)?.id;
      }),
    );
  }
}

async function endWithAccount(
  { subscriptions, invoices }: Stores,
  row: Subscription,
  now: Timestamp,
): Promise<void> {
  const ended = cancelSubscription(row, row.statusReason, now);
  if (row.relation === 'subscriber' && ended !== row) await subscriptions.save(ended);
  for (const invoice of await invoices.listOfSubscription(row.id))
    await saveChanged(invoices, invoice, stopTrying(invoice, now));
}

/** Deletes some of the user's posts, likes and alerts. Returns whether there may be more. */
async function removeSomeWords({ posts, likes, alerts }: Stores, userId: UserId): Promise<boolean> {
  const written = await posts.list([userId], { limit: CHUNK });
  for (const { id } of written) await posts.remove(id);
  const given = await likes.listOf(userId, { limit: CHUNK });
  for (const { postId } of given) await likes.remove(postId, userId);
  // No repeat of an alert can come any more: its strategy is deleted.
  const sent = await alerts.listOfUser(userId, { limit: SMALL_CHUNK });
  if (sent.length > 0) await alerts.remove(sent.map(({ id }) => id));
  return written.length === CHUNK || given.length === CHUNK || sent.length === SMALL_CHUNK;
}

/** Deletes the user's notifications and mails. */
async function removeMessages(stores: Stores, userId: UserId): Promise<void> {
  await stores.notifications.remove(userId);
  for (const { id } of await stores.mails.listOf(userId)) await stores.mails.remove(id);
}

async function removeAccess(stores: Stores, userId: UserId, reason: string): Promise<void> {
  await revokeTokens(stores, userId, () => true, reason);
  await removeCodes(stores, userId);
  await removeConnections(stores, userId);
  await removePlans(stores, userId);
  await removeEndpoints(stores, userId);
}

/** Deletes the user's posts, alerts, notifications, tokens, plans, payment sources and halts. An empty row of the user stays. */
export async function eraseAccount(
  stores: Stores,
  user: User,
  now: Timestamp,
  reason: string,
): Promise<void> {
  while (await removeSomeWords(stores, user.id));
  await removeMessages(stores, user.id);
  await removeAccess(stores, user.id, reason);
  await removeSources(stores, user.id, now);
  await removeHalts(stores, { scope: 'user', target: user.id });
  await stores.users.save(erased(user, now));
}

/** The remaining row, so that the ledger's user ids still name a user. No real address has this form. */
const erased = (user: User, now: number): User => ({
  ...user,
  email: `deleted ${user.id}`,
  name: null,
  nameKey: null,
  passwordHash: '',
  profile: EMPTY_PROFILE,
  notifications: [],
  paymentsEnabled: false,
  verified: false,
  confirmBy: null,
  secondFactor: null,
  devices: [],
  updatedAt: now,
  deletedAt: now,
});
