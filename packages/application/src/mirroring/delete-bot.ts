import { Refusal, type UserId } from '@slipstream/domain';
import { type BotDeps, ownBot } from './bot-deps.js';
import { removeHalts } from './restraints/halts.js';
import { unlinkAll } from './broker-access.js';

/** Removes a bot that is off, and its orders. The brokerage account stays as it is. */
export const deleteBot =
  (deps: BotDeps) =>
  async (userId: UserId, command: { readonly botId: string }): Promise<void> => {
    const { unitOfWork, clock } = deps;
    const deleted = await unitOfWork.run(async (stores) => {
      const bot = await ownBot(stores, userId, command.botId);
      if (bot.status !== 'off') {
        throw new Refusal(
          'bot_not_off',
          `only a bot that is off can be deleted; this one is ${bot.status}`,
        );
      }
      await stores.bots.remove(bot.id);
      await removeHalts(stores, { scope: 'bot', target: bot.id });
      await stores.events.add({ kind: 'bot_deleted', botId: bot.id, at: clock.now() });
      stores.answerWith(undefined);
      return bot;
    });
    await unlinkAll(deps, [deleted]);
  };
