import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type OfBot, botOperations } from '../mirroring/bot-operations.js';
import { previewOrderAllocations } from '../trading/allocations.js';
import { previewOrder } from '../trading/orders.js';
import type { Plannable } from './prepare-plan.js';

const { previewBot } = botOperations;

/** Which operations a plan can show beforehand, and which of them are bound to a book. */
export const plannable: Plannable = {
  previews: {
    newOrder: previewOrder,
    newOrderAllocations: previewOrderAllocations,
    newBot: previewBot,
    updateBot: previewBot,
    startBot:
      (core: Core) =>
      (caller: Caller, { botId }: OfBot) =>
        previewBot(core)(caller, { botId }),
  },
  bookOperations: ['newOrder', 'newOrderAllocations', 'deleteOrder'],
};
