import {
  type Bot,
  type Decimal,
  type Envelope,
  type StockId,
  type Timestamp,
  envelopeOf,
  isOfPresentAccount,
  stoppedToday,
  tradingDay,
} from '@slipstream/domain';
import type { BotDeps, BotNotice } from '../bot-deps.js';
import { type BotStep, saveOutcome } from '../bot-step.js';

/** What a bot may still do today, by its stored orders, and the notices that its owner should have had of it. */
export interface DayOfBot {
  readonly envelope: Envelope;
  readonly day: Timestamp;
}

/** Counts the bot's orders of its day at its present account: rows, which survive a restart. */
export async function dayOf(
  { unitOfWork, clock }: Pick<BotDeps, 'unitOfWork' | 'clock'>,
  bot: Bot,
  equity: Decimal,
): Promise<DayOfBot> {
  const now = clock.now();
  const day = tradingDay(bot.type, now);
  const all = await unitOfWork.read(({ botOrders }) => botOrders.since(bot.id, day));
  const orders = all.filter((order) => isOfPresentAccount(bot, order));
  return { envelope: envelopeOf(bot.limits, equity, orders, now), day };
}

/** Notices that are due once a day, by their keys. */
function noticesOf(
  { resting, ...left }: Envelope,
  symbolOf: (stockId: StockId) => string,
): ReadonlyMap<string, string> {
  const notices = new Map<string, string>();
  for (const [stockId, reason] of resting) {
    const text = `${symbolOf(stockId)} was rejected three times for one reason (${reason}): it is not increased again today.`;
    notices.set(`rest|${stockId}`, text);
  }
  const stopped = stoppedToday(left);
  if (stopped !== null) notices.set('stopped', stopped);
  return notices;
}

/** Those of the notices, by their keys, that the owner did not have today; and the keys to keep. */
export function newToday(
  { noticesOfDay }: Pick<Bot, 'noticesOfDay'>,
  day: Timestamp,
  due: ReadonlyMap<string, string>,
): { readonly texts: readonly string[]; readonly noticesOfDay: readonly string[] } {
  const keyOf = (name: string): string => `${day}|${name}`;
  const fresh = [...due].filter(([name]) => !noticesOfDay.includes(keyOf(name)));
  const ofToday = noticesOfDay.filter((key) => key.startsWith(`${day}|`));
  return {
    texts: fresh.map(([, text]) => text),
    noticesOfDay: [...ofToday, ...fresh.map(([name]) => keyOf(name))],
  };
}

/** Notifies the owner of these notices, by their keys, each once that day. Undefined when a command changed the bot meanwhile. */
export async function notifyOnce(
  step: BotStep,
  day: Timestamp,
  due: ReadonlyMap<string, string>,
): Promise<BotStep | undefined> {
  const { deps, bot } = step;
  const { texts, noticesOfDay } = newToday(bot, day, due);
  if (texts.length === 0) return step;
  const notice: BotNotice = { kind: 'warning', text: texts.join(' ') };
  const notified = await saveOutcome(
    deps,
    bot,
    (current) => ({ ...current, noticesOfDay }),
    notice,
  );
  // A wake-up from before the notice came after the check read its target: the check's outcome still has to see it.
  return notified && { ...step, bot: { ...notified, nextRunAt: bot.nextRunAt } };
}

/** Notifies the owner of what stops increases today, each once. Undefined when a command changed the bot meanwhile. */
export function notifyOfDay(
  step: BotStep,
  { envelope, day }: DayOfBot,
): Promise<BotStep | undefined> {
  const market = step.deps.market();
  const due = noticesOf(envelope, (stockId) => market.stock(stockId)?.symbol ?? stockId);
  return notifyOnce(step, day, due);
}
