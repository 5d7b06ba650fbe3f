import {
  type AccountActivity,
  type Bot,
  needsReport,
  reportedSince,
  splitInDoubt,
} from '@slipstream/domain';
import { AccountUnsettled, BrokerUnreachable } from '@slipstream/ports';
import type { BotReading } from '../bot-step.js';
import { type Booked, type ReadAccount, readingOf } from './losses.js';

/** After so many failures in a row a reading does not wait for the report any more: a limit would block reductions. */
const REPORT_ATTEMPTS = 5;

/** What the broker reports since the bot's account was read; null when it does not answer again and again. */
async function askReport(
  { deps, broker, access }: BotReading,
  { id: botId, attempts, lossWatch }: Bot,
): Promise<readonly AccountActivity[] | null> {
  if (!lossWatch || !broker.activities) return null;
  try {
    const found = await broker.activities(access, deps.instruments, reportedSince(lossWatch));
    const others = found.filter(({ kind }) => kind === 'other').map(({ name }) => name);
    if (others.length > 0)
      deps.log.info({ botId, names: others.join(' ') }, 'activities that explain nothing');
    return found;
  } catch (error) {
    if (error instanceof BrokerUnreachable && attempts >= REPORT_ATTEMPTS) return null;
    throw error;
  }
}

/**
 * The broker's report, when the reading does not add up without it; null otherwise.
 * @throws {AccountUnsettled} while a split of the broker's makes the reading wrong.
 */
export async function reportOf(
  step: BotReading,
  bot: Bot,
  managed: ReadAccount,
  booked: Booked,
): Promise<readonly AccountActivity[] | null> {
  const { deps } = step;
  const { lossWatch } = bot;
  if (!lossWatch) return null;
  const reading = readingOf(deps, bot, managed, booked);
  if (!needsReport(lossWatch, { ...reading, activities: null })) return null;
  const activities = await askReport(step, bot);
  const doubt = activities && splitInDoubt(lossWatch, { ...reading, activities });
  if (!doubt) return activities;
  const symbol = deps.market().stock(doubt)?.symbol ?? doubt;
  throw new AccountUnsettled(`its broker has split ${symbol}, but not its price`);
}
