import { type Bot, type StockId, type TradedStock, advance, planClosure } from '@slipstream/domain';
import { finished } from '../../finished.js';
import { type BotStep, saveOutcome } from '../bot-step.js';
import { tradedStocks } from '../compare-account.js';
import { tellBlock } from './blocked-account.js';
import { type ManagedAccount, readManagedAccount } from '../managed-account.js';
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

/** What of the holdings its broker does not trade now: the symbols that a closure waits for, with the reason, and what it leaves. */
function untraded(
  { deps }: BotStep,
  { account, renamed }: ManagedAccount,
  stocks: ReadonlyMap<StockId, TradedStock>,
): { readonly awaited: readonly string[]; readonly left: readonly string[] } {
  const market = deps.market();
  const [awaited, left]: [string[], string[]] = [[], []];
  for (const { stockId } of account.positions) {
    if (stocks.has(stockId)) continue;
    const { symbol = stockId, status } = market.stock(stockId) ?? {};
    // The broker trades it again once both sides have its new symbol.
    if (renamed.has(stockId)) awaited.push(`${symbol} (its symbol changes)`);
    else if (status === 'halted') awaited.push(`${symbol} (halted)`);
    else {
      // Nobody knows whether it is ever traded again: a closure that waited for it would never end.
      const why = status === 'delisted' ? 'was delisted' : 'is not traded by the broker';
      left.push(`${symbol} ${why} and is left as it is.`);
    }
  }
  return { awaited, left };
}

/** Closes the bot's positions if it shall, then it is off. */
export async function close(begun: BotStep): Promise<void> {
  const { deps, bot } = begun;
  const off = async (notes: readonly string[]): Promise<void> => {
    const outcome = bot.closesPositions ? 'positions closed' : 'positions kept';
    await saveOutcome(deps, bot, (current) => switchedOff(current, textOf(notes)), {
      kind: 'stop',
      text: [`Off, ${outcome}.`, ...notes].join(' '),
    });
  };
  const heldUp = heldUpText(begun);
  if (!bot.closesPositions && heldUp.length > 0)
    return void (await wait(begun, { statusReason: textOf(heldUp) }));
  if (!bot.closesPositions) return off([]);
  const managed = await readManagedAccount(begun);
  const { account } = managed;
  const step = account.positions.length > 0 ? await tellBlock(begun, account) : begun;
  if (!step) return;
  const market = deps.market();
  const held = account.positions.map(({ stockId }) => stockId);
  const stocks = await tradedStocks(step, market, managed, held);
  const { awaited, left } = untraded(step, managed, stocks);
  const steps = planWithin(step, account, (tradable) => planClosure(tradable, stocks));
  const plan = await finished(steps, deps.pause);
  const { orders } = plan;
  const waitsFor = [...plan.waitsFor, ...awaited];
  const waits = [...new Set([...waitsText({ ...plan, waitsFor }), ...heldUp])];
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
