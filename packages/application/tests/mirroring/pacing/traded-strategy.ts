import { type Bot, type Trade, decimal, id } from '@slipstream/domain';
import { ACME, type BotWorld } from '../bot-world.js';

/** Makes the trades by which a strategy came to what it holds, each with an id of its own. */
export function madeTrades() {
  let made = 0;
  return (action: Trade['action'], stockId = ACME): Partial<Trade> => {
    made += 1;
    return { id: id<'trade'>(`trade-${made}`), stockId, action, amount: decimal('0.001') };
  };
}

/** A second later the strategy holds something else, and the bots are checked. */
export async function holdLater(
  world: BotWorld,
  ...given: Parameters<BotWorld['hold']>
): Promise<void> {
  world.clock.advance(1_000);
  await world.hold(...given);
  await world.run();
}

/** What the bot's account holds, in whole shares. */
export const wholeShares = async (world: BotWorld, bot: Bot): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(await world.holdings(bot)).map(([stockId, amount]) => [
      stockId,
      Math.round(Number(amount)),
    ]),
  );
