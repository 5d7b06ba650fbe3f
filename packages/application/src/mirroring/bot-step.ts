import type { Bot, BotId, BotNotification, BotOrder } from '@slipstream/domain';
import type { Broker, BrokerAccess, Stores } from '@slipstream/ports';
import { type BotDeps, tell } from './bot-deps.js';

/** One look at a bot: what it was when the look began, and how its broker is reached. */
export interface BotStep {
  readonly deps: BotDeps;
  readonly bot: Bot;
  readonly broker: Broker;
  readonly access: BrokerAccess;
}

/** Something that only a human can put right: the bot halts in `error`. */
export class BotHalted extends Error {
  override readonly name = 'BotHalted';
}

/** What a bot tells its owner when a step has ended. */
export interface BotNotice {
  readonly kind: BotNotification;
  readonly text: string;
}

/** True while no command has come between: what the step found still applies. */
export const isUnchanged = (seen: Bot, current: Bot | undefined): current is Bot =>
  current !== undefined &&
  current.status === seen.status &&
  current.condition === seen.condition &&
  current.cycle === seen.cycle &&
  current.closesPositions === seen.closesPositions;

/** The earlier of what the step wants and what a wake asked for while it ran. */
const nextRun = (seen: Bot, current: Bot, wanted: number | null): number | null => {
  if (current.nextRunAt === seen.nextRunAt || current.nextRunAt === null) return wanted;
  return wanted === null ? null : Math.min(wanted, current.nextRunAt);
};

/**
 * Saves what the step found, together with `change`'s other writes. Undefined when a command changed the bot meanwhile:
 * nothing is saved then, the next step starts from that.
 */
export async function saveOutcome(
  { unitOfWork, clock, events, ...deps }: BotDeps,
  seen: Bot,
  change: (current: Bot, stores: Stores) => Bot | Promise<Bot>,
  notice?: BotNotice,
): Promise<Bot | undefined> {
  const now = clock.now();
  const bot = await unitOfWork.run(async (stores) => {
    const current = await stores.bots.find(seen.id);
    if (!isUnchanged(seen, current)) return undefined;
    const changed = await change(current, stores);
    const next = {
      ...changed,
      nextRunAt: nextRun(seen, current, changed.nextRunAt),
      updatedAt: now,
    };
    await stores.bots.save(next);
    return next;
  });
  if (!bot) return undefined;
  events.publish({ kind: 'bot_changed', bot, at: now });
  if (notice) await tell(deps, bot, notice.kind, notice.text);
  return bot;
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
): Promise<BotOrder[]> => unitOfWork.read(({ botOrders }) => botOrders.outstanding(botId));
