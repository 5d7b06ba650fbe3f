import {
  type CommittedPlanView,
  type PreparedPlan,
  Refusal,
  id,
  requireCommittable,
} from '@slipstream/domain';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { requireUser } from '../strategies/access.js';
import type { Transaction } from '../transaction.js';
import { commandOf } from './command-text.js';
import { contextOf } from './prepare-plan.js';

type Perform = (caller: Caller, command: unknown) => Promise<unknown>;
/** The operations by name, as functions of the core. */
export type PlannedOperations = Readonly<Record<string, (core: Core) => Perform>>;

const noSuchPlan = (planId: string, hides: boolean): Refusal =>
  new Refusal('not_found', `plan ${planId} does not exist`, hides);

/** Begins the commit in the transaction that carries it out, so that a plan takes effect once, and only on the book that it was made for. */
async function begin(
  { plans, books }: Pick<Transaction, 'plans' | 'books'>,
  planId: PreparedPlan['id'],
  now: number,
): Promise<void> {
  const plan = await plans.find(planId);
  if (!plan) throw noSuchPlan(planId, false);
  requireCommittable(plan, now);
  const { strategyId, bookVersion } = plan;
  if (strategyId !== null && (await books.find(strategyId))?.version !== bookVersion) {
    throw new Refusal(
      'plan_outdated',
      'the orders or positions of the strategy have changed since the plan was prepared: prepare it again',
    );
  }
  await plans.save({ ...plan, committedAt: now });
}

interface Committing {
  /** The same core, whose first transaction begins the commit, and whose answer is that of the commit. */
  readonly core: Core;
  readonly hasBegun: () => boolean;
}

function committing(
  core: Core,
  { id: planId }: PreparedPlan,
  viewOf: (answer: unknown) => CommittedPlanView,
): Committing {
  const { unitOfWork, clock } = core;
  let hasBegun = false;
  const begun: Core = {
    ...core,
    unitOfWork: {
      ...unitOfWork,
      async run(work, options) {
        const result = await unitOfWork.run(async (stores) => {
          if (!hasBegun) await begin(stores, planId, clock.now());
          return work(answering(stores, viewOf));
        }, options);
        hasBegun = true;
        return result;
      },
    },
  };
  return { core: begun, hasBegun: () => hasBegun };
}

/** A refusal after a first transaction, which used up a code of the second factor: the plan did not take effect. */
const takeBack = ({ unitOfWork }: Core, planId: PreparedPlan['id']): Promise<void> =>
  unitOfWork.run(async ({ plans }) => {
    const plan = await plans.find(planId);
    if (plan) await plans.save({ ...plan, committedAt: null });
  });

const answering = (
  stores: Transaction,
  viewOf: (answer: unknown) => CommittedPlanView,
): Transaction =>
  Object.create(stores, {
    answerWith: { value: (answer: unknown) => stores.answerWith(viewOf(answer)) },
    markRefused: {
      value: (...given: Parameters<Transaction['markRefused']>) => stores.markRefused(...given),
    },
  }) as Transaction;

/** Performs a plan exactly as it was prepared, for the same token, within a minute, on an unchanged book (contract 13). */
export const commitPlan =
  (core: Core, operations: PlannedOperations) =>
  async (caller: Caller, command: { readonly planId: string }): Promise<CommittedPlanView> => {
    const { tokenId } = requireUser(caller);
    const planId = id<'plan'>(command.planId);
    const plan = await core.unitOfWork.read(({ plans }) => plans.find(planId));
    if (plan?.tokenId !== tokenId) throw noSuchPlan(planId, plan !== undefined);
    requireCommittable(plan, core.clock.now());
    const { operation } = plan;
    const make = operations[operation];
    // A server that knew the operation made the plan a minute ago.
    if (!make) throw new Refusal('plan_expired', `${operation} is no operation of this server`);
    const viewOf = (answer: unknown): CommittedPlanView => ({ planId, operation, answer });
    const planned = commandOf(core.secretBox.open(plan.sealedCommand, contextOf(planId)));
    const commit = committing(core, plan, viewOf);
    try {
      return viewOf(await make(commit.core)(caller, planned));
    } catch (error) {
      if (error instanceof Refusal && commit.hasBegun()) await takeBack(core, planId);
      throw error;
    }
  };
