import {
  type Bot,
  type BotLimits,
  type BrokerAccount,
  type Decimal,
  type Envelope,
  type RebalanceOrder,
  type RebalancePlan,
  Refusal,
  type Security,
  type StockId,
  type UserId,
  balanceFault,
  onCreditOf,
  planRebalance,
  requireBotSettings,
  requireLimits,
  wholePlan,
} from '@slipstream/domain';
import type { Broker, BrokerAccess, BrokerLinked, ReadStores } from '@slipstream/ports';
import { finished } from '../../finished.js';
import { type BotDeps, ownBot } from '../bot-deps.js';
import { accessOf, askBroker, linkAccount, requireBroker } from '../broker-access.js';
import { blockText } from '../checks/blocked-account.js';
import { AWAITS_TRADE, tradedSince } from '../checks/rebalance.js';
import { restraintText, waitsText } from '../checks/trade.js';
import { atBroker } from '../connect/another-broker.js';
import { givenAccess, requireConfirmedAccount } from '../connect/granted-access.js';
import type { BotStep } from '../bot-step.js';
import { type Comparison, compareAccount } from '../compare-account.js';
import { splitsFor } from '../history/splits.js';
import { followingAfter, followingAtStart } from '../joining/follow.js';
import { dayOf } from '../limits/envelope.js';
import { keptHoldings, managedBy } from '../managed-account.js';
import { requireMirrorable } from '../mirrored-strategies.js';
import { type NewBot, botOf } from '../new-bot.js';
import { pacedPlan, startingPace } from '../pacing/paced-plan.js';
import { planWithin } from '../restraints/plan-within.js';
import { restraintOf } from '../restraints/bot-restraint.js';
import { amountsLeft } from '../restraints/held-up-orders.js';
import { standingBreach } from '../switch-bot.js';
import { type UpdateBot, changedAccess, withSettings } from '../update-bot.js';

/** previewBot's answer (contract 10), in the account's own units. */
export interface BotPreview {
  readonly account: {
    readonly label: string;
    readonly live: boolean;
    readonly equity: Decimal;
    readonly cash: Decimal;
  };
  /** What is the owner's and is not traded. */
  readonly kept: readonly { readonly stockId: StockId; readonly amount: Decimal }[];
  readonly orders: readonly RebalanceOrder[];
  readonly limits: BotLimits;
  readonly warnings: readonly string[];
}

/** The bot as it would be, with its access; nothing of it is stored. */
interface Previewed {
  /** The bot as it is, or as it would be made. */
  readonly before: Bot;
  readonly bot: Bot;
  readonly broker: Broker;
  readonly access: BrokerAccess;
  readonly linked: BrokerLinked | undefined;
}

const asAccess = (bot: Bot, { accountId, credentials }: BrokerLinked): BrokerAccess => ({
  accountId,
  type: bot.type,
  credentials,
  // Credentials of a preview are used once: a renewal is stored nowhere.
  renew: async () => undefined,
});

async function ofNewBot(deps: BotDeps, userId: UserId, command: NewBot): Promise<Previewed> {
  const broker = requireBroker(deps, command.broker);
  const { type, accountId } = command;
  const given = await givenAccess(deps, userId, broker, command.credentials);
  const link = { userId, type, accountId, credentials: given.credentials, isTrial: true };
  const linked = await linkAccount(deps, broker, link);
  requireConfirmedAccount(given, linked.accountId);
  const bot = botOf(deps, command, { userId, broker, accountId: linked.accountId });
  return { before: bot, bot, broker, access: asAccess(bot, linked), linked };
}

async function ofBot(deps: BotDeps, userId: UserId, command: UpdateBot): Promise<Previewed> {
  const found = await deps.unitOfWork.read((stores) => ownBot(stores, userId, command.botId));
  const broker = requireBroker(deps, command.broker ?? found.broker);
  const changed = await changedAccess(deps, found, broker, {
    credentials: command.credentials,
    isTrial: true,
  });
  if (!changed) {
    const access = await askBroker(deps, broker, async () => accessOf(deps, found));
    const bot = withSettings(deps, found, command);
    return { before: found, bot, broker, access, linked: undefined };
  }
  const { linked } = changed;
  const moves = broker.name !== found.broker;
  const present = moves ? atBroker(found, broker, linked.accountId) : found;
  const bot = withSettings(deps, present, command);
  return { before: found, bot, broker, access: asAccess(bot, linked), linked };
}

/** A change of a bot (`botId`), or a new one (`type` and `broker`). */
export interface PreviewBot extends Omit<NewBot, 'type' | 'broker'> {
  readonly botId?: string | undefined;
  readonly type?: Security | undefined;
  readonly broker?: string | undefined;
}

function previewedBy(deps: BotDeps, userId: UserId, command: PreviewBot): Promise<Previewed> {
  const { botId, type, broker } = command;
  if (botId !== undefined) return ofBot(deps, userId, { ...command, botId });
  if (type !== undefined && broker !== undefined)
    return ofNewBot(deps, userId, { ...command, type, broker });
  throw new Refusal('invalid_field', 'bot_id, or type and broker, are needed');
}

/** The orders that lead to the target as far as the bot may follow it now. */
async function planOf(
  { deps, bot, restraint }: Pick<BotStep, 'deps' | 'bot' | 'restraint'>,
  account: BrokerAccount,
  compared: Comparison & { readonly kind: 'compared' },
  envelope: Envelope,
): Promise<Pick<RebalancePlan, 'orders' | 'notes'>> {
  const paced = await pacedPlan(deps, bot, account, compared);
  const { stocks, nameOf } = compared;
  const steps = wholePlan(account, stocks, (next) =>
    planWithin({ restraint }, onCreditOf(next, compared.weights), (tradable) =>
      planRebalance(tradable, paced.weights, stocks, bot.slippage, nameOf, envelope),
    ),
  );
  const plan = await finished(steps, deps.pause);
  const blocks = plan.blocked === null ? blockText(account) : [];
  return explained(plan, [...compared.notes, ...paced.notes, ...blocks]);
}

/** Whether the bot, or a start of one that is off, does nothing before the next trade of a strategy. */
async function awaitsTrade(deps: BotDeps, bot: Bot): Promise<boolean> {
  const { condition, rebalanceOnStart, awaitsTradeSince: since } = bot;
  if (condition === 'off') return !rebalanceOnStart;
  return since !== null && !(await tradedSince(deps, bot, since));
}

/** That a bot which is off could not start on the account, or not yet: its orders would never be sent. */
function startText(bot: Bot, balance: Decimal): readonly string[] {
  if (bot.condition !== 'off') return [];
  const [fault, breach] = [balanceFault(bot, balance), standingBreach(bot)];
  return [
    ...(fault === undefined ? [] : [`It cannot start: ${fault}.`]),
    ...(breach === undefined ? [] : [`It cannot start yet. ${breach}`]),
  ];
}

/** What a bot would do now, of its account as it is: nothing is stored, and nothing is sent (contract 10). */
export const previewBot =
  (deps: BotDeps) =>
  async (userId: UserId, command: PreviewBot): Promise<BotPreview> => {
    const { before, bot, broker, access, linked } = await previewedBy(deps, userId, command);
    requireBotSettings(bot);
    requireLimits(bot.limits);
    const requireAllowed = (stores: ReadStores): Promise<void> =>
      requireMirrorable(stores, userId, bot.type, bot.allocations, deps.clock.now());
    const { splits, restraint, open } = await deps.unitOfWork.read(async (stores) => {
      await requireAllowed(stores);
      return {
        splits: await splitsFor(stores, bot),
        restraint: await restraintOf(stores, bot),
        open: bot.condition === 'off' ? [] : await stores.botOrders.outstanding(bot.id),
      };
    });
    const preview = await askBroker(deps, broker, async () => {
      const reported = await broker.account(access, deps.instruments);
      const managed = managedBy(deps, bot, reported, splits, amountsLeft(open));
      const { account, whole } = managed;
      // Each of these steps may be over hundreds of stocks: other requests run in between.
      await deps.pause();
      const following = await deps.unitOfWork.read((stores) =>
        bot.condition === 'off'
          ? followingAtStart(deps, stores, bot, account)
          : followingAfter(stores, before, bot),
      );
      const pace = bot.condition === 'off' ? startingPace(bot, deps.clock.now()) : bot.pace;
      const planned = { ...bot, following, pace };
      const planning = { deps, bot: planned, broker, access };
      const compared = await compareAccount(planning, managed);
      await deps.pause();
      const { envelope } = await dayOf(deps, bot, account.equity);
      const why = compared.kind === 'unavailable' ? compared.reason : AWAITS_TRADE;
      const { orders, notes } =
        compared.kind === 'unavailable' || (await awaitsTrade(deps, bot))
          ? { orders: [], notes: [...restraintText({ restraint }), why] }
          : await planOf({ ...planning, restraint }, account, compared, envelope);
      const { equity, cash } = whole;
      const { live } = broker;
      const atStart = startText(bot, account.equity);
      // What keeps a bot off also takes orders from the plan: it is told once, with what its owner does about it.
      const others = notes.filter((note) => !atStart.some((text) => text.includes(note)));
      return {
        account: { label: linked?.label ?? bot.accountId, live, equity, cash },
        kept: keptHoldings(managed),
        orders,
        limits: bot.limits,
        warnings: [...atStart, ...(linked?.warnings ?? []), ...others],
      };
    });
    // It tells what the strategies hold, and the broker took its time.
    await deps.unitOfWork.read(requireAllowed);
    return preview;
  };

/** The plan with the reasons for what it leaves out. */
const explained = (
  plan: RebalancePlan,
  others: readonly string[],
): Pick<RebalancePlan, 'orders' | 'notes'> => ({
  orders: plan.orders,
  notes: [...waitsText(plan), ...others, ...plan.notes],
});
