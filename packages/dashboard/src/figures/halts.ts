import type { ResponseOf } from '@slipstream/wire';
import type { Bot } from '../service/folds.js';

type Halt = ResponseOf<'getTradingHalts'>[number];

/** Whether a halt that the reader sees hits this bot: the service tells those that hit any bot of the reader. */
export function hits(
  { scope, id }: Pick<Halt, 'scope' | 'id'>,
  { bot_id, broker }: Pick<Bot, 'bot_id' | 'broker'>,
): boolean {
  if (scope === 'broker') return id === broker;
  return scope !== 'bot' || id === bot_id;
}
