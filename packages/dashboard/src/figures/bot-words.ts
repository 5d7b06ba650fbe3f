import type { Bot } from '../service/folds.js';

/** The state of a bot as a sentence. */
export function botSentence(bot: Bot): string {
  const sentences: Record<Bot['status'], string> = {
    off: 'It is off: it places no orders.',
    scheduled_rebalance: 'It starts: the first orders come within moments.',
    rebalancing: 'It brings the account to its target now.',
    running: 'It runs, and follows every trade of its strategies.',
    stopping: 'It stops.',
    closing: 'It closes its positions.',
    error: 'It met an error and tries again.',
  };
  const dry = bot.dry_run && bot.status !== 'off' ? ' Trial: it plans, and sends nothing.' : '';
  const modes = {
    normal: '',
    reduce_only: ' It only reduces.',
    paused: ' It is paused: it places no order at all.',
  };
  return `${sentences[bot.status]}${modes[bot.mode]}${dry}`;
}

/** The tone of a bot's state. */
export const botTone = (bot: Bot): 'good' | 'bad' | 'caution' | '' =>
  bot.breach !== null || bot.status === 'error'
    ? 'bad'
    : bot.status === 'running'
      ? 'good'
      : bot.status === 'off'
        ? ''
        : 'caution';
