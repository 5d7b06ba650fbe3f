import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type OfBot, botOperations } from '../mirroring/bot-operations.js';
import * as trades from '../trading/trades.js';
import type { Plannable } from './prepare-plan.js';

const { previewBot } = botOperations;

/** Which operations a plan can show beforehand, and which of them are bound to a book. */
export const plannable: Plannable = {
  previews: {
    newOrder: trades.previewOrder,
    newOrderAllocations: trades.previewOrderAllocations,
    newBot: previewBot,
    updateBot: previewBot,
    startBot:
      (core: Core) =>
      (caller: Caller, { botId }: OfBot) =>
        previewBot(core)(caller, { botId }),
  },
  bookOperations: ['newOrder', 'newOrderAllocations', 'deleteOrder'],
};
