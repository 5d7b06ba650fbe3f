import { type Bot, advance, planClosure } from '@slipstream/domain';
import { finished } from '../../finished.js';
import { type BotStep, saveOutcome } from '../bot-step.js';
import { tradedStocks } from '../compare-account.js';
import { readManagedAccount } from '../managed-account.js';
import { heldUpText } from '../restraints/held-up-orders.js';
import { planWithin } from '../restraints/plan-within.js';
import { DRY_RUN, keepPlan } from '../trial/dry-run.js';
import { intentsOf, restraintText, textOf, trade, wait, waitsText } from './trade.js';

/** The bot when it is off: it has no next run and no drift. */
export const switchedOff = (bot: Bot, statusReason: string | null): Bot => ({
  ...advance(bot, 'close'),
  statusReason,
  attempts: 0,
  nextRunAt: null,
  closesPositions: false,
  drift: null,
});

/** Closes the bot's positions if it shall, then it is off. */
export async function close(step: BotStep): Promise<void> {
  const { deps, bot } = step;
  const off = async (notes: readonly string[]): Promise<void> => {
    const outcome = bot.closesPositions ? 'positions closed' : 'positions kept';
    await saveOutcome(deps, bot, (current) => switchedOff(current, textOf(notes)), {
      kind: 'stop',
      text: [`Off, ${outcome}.`, ...notes].join(' '),
    });
  };
  const heldUp = heldUpText(step);
  if (!bot.closesPositions && heldUp.length > 0)
    return void (await wait(step, { statusReason: textOf(heldUp) }));
  if (!bot.closesPositions) return off([]);
  const managed = await readManagedAccount(step);
  const { account } = managed;
  const market = deps.market();
  const held = account.positions.map(({ stockId }) => stockId);
  const stocks = await tradedStocks(step, market, managed, held);
  // Nobody knows whether they are ever traded again: a closure that waited for them would never end.
  const left = held.flatMap((stockId) => {
    if (stocks.has(stockId)) return [];
    const { symbol = stockId, status } = market.stock(stockId) ?? {};
    const why = status === 'delisted' ? 'was delisted' : 'is not traded by the broker';
    return [`${symbol} ${why} and is left as it is.`];
  });
  const steps = planWithin(step, account, (tradable) => planClosure(tradable, stocks));
  const plan = await finished(steps, deps.pause);
  const { orders } = plan;
  const waits = [...new Set([...waitsText(plan), ...heldUp])];
  const notes = [
    ...(waits.length > 0 && plan.blocked === null ? restraintText(step) : []),
    ...plan.notes,
    ...left,
  ];
  if (orders.length > 0 && bot.dryRun) {
    const reasons = [DRY_RUN, ...notes];
    const off = (current: Bot): Bot => switchedOff(current, textOf(reasons));
    const notice = { kind: 'stop', text: ['Off.', ...reasons].join(' ') } as const;
    return keepPlan(step, intentsOf(step, orders), true, off, notice);
  }
  if (orders.length > 0) return trade(step, orders, { statusReason: textOf(notes) });
  if (waits.length === 0) return off(notes);
  await wait(step, { statusReason: textOf([...waits, ...notes]) });
}
