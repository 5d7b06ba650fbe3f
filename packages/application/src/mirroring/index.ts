export { type BotDeps } from './bot-deps.js';
export { BotReconciler } from './bot-reconciler.js';
export { unlinkAll } from './broker-access.js';
export { removeConnections } from './connect/granted-access.js';
export { deleteBot } from './delete-bot.js';
export { type StandingHalts, removeHalts, standingHalts } from './restraints/halts.js';
export { inTurns } from './checks/in-turns.js';
export { getBotHistory } from './history/account-history.js';
export {
  type BotStatisticsCommand,
  type BotStatisticsView,
  getBotStatistics,
} from './history/bot-statistics.js';
export { type BotSettings, type NewBot, newBot } from './new-bot.js';
export { getBotAccount, getBotOrders, getBots } from './read-bots.js';
export { type BotPreview, type PreviewBot, previewBot } from './trial/preview-bot.js';
export { type StartBot, resetBot, startBot, stopBot } from './switch-bot.js';
export { type UpdateBot, updateBot, updateBotNotifications } from './update-bot.js';
