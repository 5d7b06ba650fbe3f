import { type Bot, type Timestamp, advance, isoMinute, tradingDay } from '@slipstream/domain';
import {
  AccountUnsettled,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  SecretUnreadable,
} from '@slipstream/ports';
import type { BotDeps } from './bot-deps.js';
import { afterFailure } from './bot-schedule.js';
import { BotHalted, saveOutcome } from './bot-step.js';
import { switchedOff } from './checks/close.js';
import { newToday } from './limits/envelope.js';

const SHORTEST_WAIT = 1_000;

/** After so many failures in a row, a minute, an account that does not settle is told to its owner. */
const TOLD_AFTER = 5;

/** The bot after a failed check: it keeps its status while orders may be open at the broker, and waits otherwise. */
const backOff = (bot: Bot, now: Timestamp, reason: string, outstanding: number): Bot =>
  afterFailure(outstanding > 0 ? bot : advance(bot, 'wait'), now, reason);

const halt = (deps: BotDeps, bot: Bot, reason: string) =>
  saveOutcome(
    deps,
    bot,
    async (current, { botOrders }) => {
      const { length } = await botOrders.outstanding(bot.id);
      return {
        ...advance(current, 'halt'),
        // It does nothing more than to withdraw what is open at the broker.
        nextRunAt: length > 0 ? deps.clock.now() : null,
        statusReason: reason,
        attempts: current.attempts + 1,
      };
    },
    { kind: 'error', text: reason },
  );

/** For a bot that is stopping and was halted before: if the broker refuses access, waiting for its answer is useless. */
const giveUpAccess = (deps: BotDeps, bot: Bot, reason: string) =>
  saveOutcome(
    deps,
    bot,
    async (current, { botOrders }) => {
      const left = await botOrders.outstanding(bot.id);
      const orders = left.map(({ id }) => id).join(', ');
      const unknown = orders && ` Not known to have ended: ${orders}.`;
      return switchedOff(current, `${reason}${unknown}`);
    },
    { kind: 'stop', text: 'Off without an answer of its broker.' },
  );

/** By its next try the account was not read for so long: nobody looks after what it holds, and its owner should know. */
const UNREAD_FOR = 10 * 60_000;

/** What the owner should know of pauses that take too long, by its key: once each time that the account is not read. */
async function longPause(
  { unitOfWork }: BotDeps,
  bot: Bot,
  reason: string,
  nextRunAt: Timestamp,
): Promise<ReadonlyMap<string, string>> {
  const last = await unitOfWork.read(({ botHistory }) => botHistory.last(bot.id));
  const since = last?.at ?? bot.createdAt;
  if (nextRunAt - since < UNREAD_FOR) return new Map();
  const read = last ? `was last read at ${isoMinute(last.at)}` : 'was not read yet';
  return new Map([[`slow|${since}`, `${reason} The account ${read}.`]]);
}

async function slowDown(
  deps: BotDeps,
  bot: Bot,
  now: Timestamp,
  { message, retryAfter }: BrokerRateLimited,
): Promise<void> {
  const reason = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const nextRunAt = now + Math.max(SHORTEST_WAIT, retryAfter);
  const due = await longPause(deps, bot, reason, nextRunAt);
  const { texts, noticesOfDay } = newToday(bot, tradingDay(bot.type, now), due);
  await saveOutcome(
    deps,
    bot,
    async (current, { botOrders }) => {
      const { length } = await botOrders.outstanding(bot.id);
      const { attempts } = current;
      return { ...backOff(current, now, reason, length), nextRunAt, attempts, noticesOfDay };
    },
    texts.length > 0 ? { kind: 'warning', text: texts.join(' ') } : undefined,
  );
}

/** Decides what a failed check means for the bot: it halts until its owner acts, gives up, slows down or tries again later. */
export async function handleFailure(deps: BotDeps, bot: Bot, error: unknown): Promise<void> {
  const now = deps.clock.now();
  const isRefused = error instanceof BrokerRefused;
  if (isRefused || error instanceof BotHalted || error instanceof SecretUnreadable) {
    const reason = isRefused ? `The broker refused access: ${error.message}.` : error.message;
    const givesUp = bot.condition === 'closing' && !bot.closesPositions && bot.attempts > 0;
    await (givesUp ? giveUpAccess(deps, bot, reason) : halt(deps, bot, reason));
    return;
  }
  if (error instanceof BrokerRateLimited) {
    await slowDown(deps, bot, now, error);
    return;
  }
  const isKnown = error instanceof BrokerUnreachable;
  if (!isKnown) deps.log.error({ botId: bot.id, error: String(error) }, 'could not run a bot');
  const isUnsettled = error instanceof AccountUnsettled;
  const what = isUnsettled ? 'The account cannot be read yet' : 'The broker cannot be reached';
  const reason = `${what}${isKnown ? `: ${error.message}` : ''}.`;
  const isNews = isUnsettled ? bot.attempts === TOLD_AFTER : bot.statusReason !== reason;
  await saveOutcome(
    deps,
    bot,
    async (current, { botOrders }) =>
      isUnsettled
        ? afterFailure(current, now, reason)
        : backOff(current, now, reason, (await botOrders.outstanding(bot.id)).length),
    isNews ? { kind: 'warning', text: reason } : undefined,
  );
}
