import {
  PLAN_LIFETIME,
  type PreparedPlan,
  type PreparedPlanView,
  Refusal,
  type UserId,
  id,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { ownUser } from '../accounts/users.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { bookOf, requireUser, tradedStrategy } from '../strategies/access.js';
import { commandText } from './command-text.js';

/** The most plans of a user that can still be committed; older ones are removed for new ones. */
const MOST_PLANS = 100;

/** A request for later: the name of an operation, and its command. */
export interface PreparePlan {
  readonly operation: string;
  readonly command: unknown;
}

/** Makes an operation's preview, in the operation's own words. */
export type Preview = (core: Core) => (caller: Caller, command: never) => Promise<unknown>;

/** What is planned, beside its preview. */
export interface Plannable {
  /** By the operation's name; the others have none. */
  readonly previews: Readonly<Record<string, Preview>>;
  /** The operations that change the book of the strategy in their command. */
  readonly bookOperations: readonly string[];
}

type BookBinding = Pick<PreparedPlan, 'strategyId' | 'bookVersion'>;

async function bindingOf(
  { unitOfWork }: Pick<Core, 'unitOfWork'>,
  caller: Caller,
  command: unknown,
): Promise<BookBinding> {
  const { strategyId } = command as { readonly strategyId: string };
  return unitOfWork.read(async (stores) => {
    const strategy = await tradedStrategy(stores, caller, strategyId);
    const { version } = await bookOf(stores, strategy.id);
    return { strategyId: strategy.id, bookVersion: version };
  });
}

/** Keeps a request exactly as it is for a minute, and shows what it would do. Nothing is done (contract 13). */
export const preparePlan =
  (core: Core, { previews, bookOperations }: Plannable) =>
  async (caller: Caller, { operation, command }: PreparePlan): Promise<PreparedPlanView> => {
    const { unitOfWork, clock, ids, secretBox } = core;
    const { userId, tokenId } = requireUser(caller);
    // The version before the preview: a book that changes between both makes the plan outdated, and never unseen.
    const binding = bookOperations.includes(operation)
      ? await bindingOf(core, caller, command)
      : { strategyId: null, bookVersion: null };
    const preview = (await previews[operation]?.(core)(caller, command as never)) ?? null;
    const planId = ids.next<'plan'>();
    const now = clock.now();
    const plan: PreparedPlan = {
      id: planId,
      userId,
      tokenId,
      operation,
      sealedCommand: secretBox.seal(commandText(command), contextOf(planId)),
      ...binding,
      createdAt: now,
      expiresAt: now + PLAN_LIFETIME,
      committedAt: null,
    };
    return unitOfWork.run(async (stores) => {
      await ownUser(stores, userId);
      await makeRoom(stores, userId, now);
      await stores.plans.save(plan);
      const view = { planId, operation, expiresAt: plan.expiresAt, preview };
      stores.answerWith(view);
      return view;
    });
  };

/** What the sealed command of a plan is bound to. */
export const contextOf = (planId: string): string => `plan|${planId}`;

async function makeRoom(
  { plans }: Pick<Stores, 'plans'>,
  userId: UserId,
  now: number,
): Promise<void> {
  const all = await plans.listOf(userId);
  if (all.length < MOST_PLANS) return;
  const [oldest] = all;
  if (oldest && oldest.expiresAt > now && oldest.committedAt === null)
    throw new Refusal(
      'too_many',
      `a user can have ${MOST_PLANS} open plans at most: commit one, or wait a minute`,
    );
  for (const { id: planId } of all.slice(0, all.length - MOST_PLANS + 1))
    await plans.remove(id(planId));
}

/** Removes the plans of a user who is deleted: a sealed command may hold access to a broker. */
export async function removePlans({ plans }: Pick<Stores, 'plans'>, userId: UserId): Promise<void> {
  for (const { id: planId } of await plans.listOf(userId)) await plans.remove(planId);
}
