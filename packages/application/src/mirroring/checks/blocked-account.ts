import { type BrokerAccount, accountBlock, tradingDay, withoutFigures } from '@slipstream/domain';
import type { BotStep } from '../bot-step.js';
import { notifyOnce } from '../limits/envelope.js';

type Blockable = Pick<BrokerAccount, 'allows' | 'because'>;

/** What the broker does not let the account do, as a sentence for users; nothing when it lets it do everything. */
export const blockText = (account: Blockable): readonly string[] => {
  const block = accountBlock(account);
  return block === null ? [] : [block];
};

/**
 * Notifies the owner, once a day, of what the broker does not let the account do, also while there is nothing to trade: the bot could not
 * follow its strategies out. Undefined when a command changed the bot meanwhile.
 */
export async function tellBlock(step: BotStep, account: Blockable): Promise<BotStep | undefined> {
  const due = blockText(account).map((text) => [`blocked|${withoutFigures(text)}`, text] as const);
  return notifyOnce(step, tradingDay(step.bot.type, step.deps.clock.now()), new Map(due));
}
