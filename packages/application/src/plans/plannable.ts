import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { botOperations } from '../mirroring/bot-operations.js';
import type { StartBot } from '../mirroring/index.js';
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
      (caller: Caller, { botId, rebalanceOnStart }: StartBot) =>
        previewBot(core)(caller, { botId, rebalanceOnStart }),
  },
  bookOperations: ['newOrder', 'newOrderAllocations', 'deleteOrder'],
};
