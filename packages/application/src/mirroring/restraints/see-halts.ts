import { type Bot, type Halt, type Restraint, haltText } from '@slipstream/domain';
import { type BotDeps, type BotNotice } from '../bot-deps.js';
import { restraintBy } from './bot-restraint.js';
import { saveOutcome } from '../bot-step.js';

const RESUMED: BotNotice = { kind: 'info', text: 'Trading goes on: no halt is left.' };

/**
 * The bot with what restrains it now. Its owner is notified once of each halt that hits it, and when the last one is lifted: in the
 * transaction that stores which halts it has seen. Undefined when a command changed the bot meanwhile.
 */
export async function seeHalts(
  deps: BotDeps,
  bot: Bot,
  halts: readonly Halt[],
): Promise<{ readonly bot: Bot; readonly restraint: Restraint } | undefined> {
  const restraint = restraintBy(halts, bot);
  const haltsSeen = halts.map(({ id }) => id);
  const fresh = halts.filter(({ id }) => !bot.haltsSeen.includes(id));
  if (fresh.length === 0 && haltsSeen.length === bot.haltsSeen.length) return { bot, restraint };
  const notice: BotNotice | undefined =
    fresh.length > 0
      ? { kind: 'warning', text: fresh.map((halt) => haltText(halt)).join(' ') }
      : haltsSeen.length === 0
        ? RESUMED
        : undefined;
  const seen = await saveOutcome(
    deps,
    bot,
    (current) => {
      const { status, statusReason } = current;
      return {
        ...current,
        // A bot in `error` keeps the reason of its error.
        statusReason: status === 'error' ? statusReason : restraint.because,
        haltsSeen,
      };
    },
    notice,
  );
  return seen && { bot: seen, restraint };
}
