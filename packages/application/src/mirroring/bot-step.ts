import type {
  Bot,
  BotId,
  BotOrder,
  Decimal,
  Restraint,
  StockId,
  Timestamp,
} from '@slipstream/domain';
import type { Broker, BrokerAccess, Stores } from '@slipstream/ports';
import { type BotDeps, type BotNotice, saveChanged, notifyOwner } from './bot-deps.js';

/** A bot as it was read, and access to its broker. */
export interface BotReading {
  readonly deps: BotDeps;
  readonly bot: Bot;
  readonly broker: Broker;
  readonly access: BrokerAccess;
}

/** One check of a bot: its state when the check began, and access to its broker. */
export interface BotStep extends BotReading {
  /** Nothing that it plans by was read before. */
  readonly begunAt: Timestamp;
  /** What kept the bot from sending orders when the check began. */
  readonly restraint: Restraint;
  /** Orders that do not end although they were cancelled, by their stocks, which wait. Empty most of the time. */
  readonly heldUp: HeldUpOrders;
  /** Whether an order that a strategy traded against is taken back, so that the bot plans again. */
  readonly plansAgain: boolean;
}

/** The signed amounts that may still be filled, by stock. */
export type HeldUpOrders = ReadonlyMap<StockId, Decimal>;

/** A fault that only a human can repair: the bot halts in `error`. */
export class BotHalted extends Error {
  override readonly name = 'BotHalted';
}

/** True while no command has changed the bot, so that the step's result still applies. */
export const isUnchanged = (seen: Bot, current: Bot | undefined): current is Bot =>
  current !== undefined &&
  current.status === seen.status &&
  current.condition === seen.condition &&
  current.cycle === seen.cycle &&
  current.closesPositions === seen.closesPositions &&
  current.breach?.at === seen.breach?.at;

/** The earlier of the step's own time and the time of a wake-up while it ran. */
const nextRun = (seen: Bot, current: Bot, wanted: number | null): number | null => {
  if (current.nextRunAt === seen.nextRunAt || current.nextRunAt === null) return wanted;
  return wanted === null ? null : Math.min(wanted, current.nextRunAt);
};

/**
 * Saves the step's result together with the other writes of `change`. Undefined when a command changed the bot meanwhile:
 * then nothing is saved, and the next step starts from the changed bot.
 */
export async function saveOutcome(
  deps: BotDeps,
  seen: Bot,
  change: (current: Bot, stores: Stores) => Bot | Promise<Bot>,
  notice?: BotNotice,
): Promise<Bot | undefined> {
  const now = deps.clock.now();
  return deps.unitOfWork.run(async (stores) => {
    const current = await stores.bots.find(seen.id);
    if (!isUnchanged(seen, current)) return undefined;
    const changed = await change(current, stores);
    const next = {
      ...changed,
      nextRunAt: nextRun(seen, current, changed.nextRunAt),
      updatedAt: now,
    };
    await saveChanged(stores, next);
    if (notice) await notifyOwner(deps, stores, next, notice);
    return next;
  });
}

/** The bot as it is now. */
export const readBot = (
  { unitOfWork }: Pick<BotDeps, 'unitOfWork'>,
  botId: BotId,
): Promise<Bot | undefined> => unitOfWork.read(({ bots }) => bots.find(botId));

/** Its orders that are not known to have ended, oldest first. */
export const outstandingOrders = (
  { unitOfWork }: Pick<BotDeps, 'unitOfWork'>,
  botId: BotId,
): Promise<readonly BotOrder[]> => unitOfWork.read(({ botOrders }) => botOrders.outstanding(botId));
