import type { ResponseOf } from '@slipstream/wire';
import type { Columns } from '../output.js';

export type Bot = ResponseOf<'getBots'>[number];

export const botColumns: Columns<Bot> = {
  BOT: (bot) => bot.bot_id,
  NAME: (bot) => bot.name,
  BROKER: (bot) => `${bot.broker}${bot.live ? '' : ' (no real money)'}`,
  ACCOUNT: (bot) => bot.account_id,
  STATUS: (bot) => bot.status,
  LEVERAGE: (bot) => bot.leverage,
  DRIFT: (bot) => bot.drift,
  WHY: (bot) => bot.status_reason,
};
