import {
  type AccountActivity,
  type Bot,
  type HeldParts,
  hasFewer,
  needsReport,
  reportedSince,
  REPORTED_WITHIN,
} from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import type { BotReading } from '../bot-step.js';
import { type Booked, type ReadAccount, readingOf } from './losses.js';

/** After so many failures in a row a reading does not wait for the report any more: a limit would block reductions. */
const REPORT_ATTEMPTS = 5;

/** What the broker reports since the bot's account was read; null when it does not answer again and again, or makes no report. */
async function askReport(
  { deps, broker, access }: BotReading,
  { id: botId, attempts, lossWatch }: Bot,
): Promise<readonly AccountActivity[] | null> {
  if (!broker.activities) return null;
  const since = lossWatch ? reportedSince(lossWatch) : deps.clock.now() - REPORTED_WITHIN;
  try {
    const found = await broker.activities(access, deps.instruments, since);
    const others = found.filter(({ kind }) => kind === 'other').map(({ name }) => name);
    if (others.length > 0)
      deps.log.info({ botId, names: others.join(' ') }, 'activities that explain nothing');
    return found;
  } catch (error) {
    if (error instanceof BrokerUnreachable && attempts >= REPORT_ATTEMPTS) return null;
    throw error;
  }
}

/** The broker's report, when the reading does not add up without it; null otherwise. */
export async function reportOf(
  step: BotReading,
  bot: Bot,
  managed: ReadAccount & { readonly heldParts: HeldParts },
  booked: Booked,
): Promise<readonly AccountActivity[] | null> {
  const { lossWatch, type, heldParts } = bot;
  const reading = { ...readingOf(step.deps, bot, managed, booked), activities: null };
  const isAsked =
    (lossWatch !== null && needsReport(lossWatch, reading)) ||
    (type === 'stock' && hasFewer(heldParts, managed.heldParts));
  return isAsked ? askReport(step, bot) : null;
}
