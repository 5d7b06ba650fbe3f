import type { Ledger } from './ledger.js';
import { DAY, type Sold } from './deals.js';
import type { Account, World } from './world.js';

/** Whether the primary payout source is three days old. */
export async function isOldEnough({ clock, server }: World, owner: Account): Promise<boolean> {
  const all = await server.ask('getPaymentSources', {}, owner.token);
  const out = all.find(({ direction, primary }) => direction === 'out' && primary);
  return out !== undefined && Date.parse(out.created_at) + 3 * DAY <= clock.now();
}

/** Whether the owner's earnings pay for the unused days, and nothing is on its way. */
export function mayEnd(world: World, { owner }: Sold, which: Ledger['deals']): boolean {
  const { ledger, clock } = world;
  const now = clock.now();
  const isBusy = ledger.outs.some(
    (one) => one.owner === owner && ['pending', 'processing'].includes(one.status),
  );
  const { balance } = ledger.earnings(owner, now);
  if (isBusy || balance < 0) return false;
  return balance + ledger.effectOfEnd(which, now) >= 0;
}

/** The strategy is deleted: its followers get the unused days back. */
export function gone({ ledger }: World, strategy: Sold, now: number): void {
  strategy.isDeleted = true;
  for (const deal of ledger.deals) {
    if (deal.strategy !== strategy || deal.status === 'cancelled') continue;
    ledger.end(deal, now, true);
  }
}

/** Its value falls below zero and stays there. */
export async function ruin(world: World, strategy: Sold, owner: Account): Promise<void> {
  const { server, clock, ledger, sold } = world;
  const { background } = server.application;
  const strategy_id = strategy.id;
  await server.quotes({ 'AAPL:NASDAQ': 200 });
  const alert = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', leverage: 2 };
  await server.attempt('newOrderWebhook', alert, owner.token);
  for (let looks = 0; looks < 60; looks += 1) {
    clock.advance(20_000);
    await server.quotes({ 'AAPL:NASDAQ': 80 });
    await background.tick();
  }
  for (const one of sold.filter(({ isOver, isDeleted }) => !isOver && !isDeleted)) {
    const whose = world.people.find(({ name }) => name === one.owner) as Account;
    const [view] = await server.ask('getStrategies', { strategy_id: [one.id] }, whose.token);
    const at = view?.ended_at;
    if (!at) continue;
    one.isOver = true;
    ledger.say(one.owner, 'over');
    for (const deal of ledger.deals) {
      if (deal.strategy !== one || deal.status === 'cancelled' || deal.price === 0) continue;
      ledger.end(deal, Date.parse(at), true);
    }
  }
  world.acts.push(`${strategy.name} ${strategy.isOver ? 'is over' : 'goes on'}`);
}
