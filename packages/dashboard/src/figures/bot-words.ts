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
    error: 'It met an error.',
  };
  const dry = bot.dry_run && bot.status !== 'off' ? ' Trial: it plans, and sends nothing.' : '';
  const modes = {
    normal: '',
    reduce_only: ' It only reduces.',
    paused: ' It is paused: it places no order at all.',
  };
  return `${sentences[bot.status]}${modes[bot.mode]}${dry}`;
}

/** What its owner does about an error: nothing while it tries again by itself. */
export function whatToDo(bot: Bot): string {
  if (bot.status !== 'error') return '';
  return bot.next_run_at === null
    ? 'It waits for you: mend the cause at your broker and press “Try again now”. If the broker no longer takes its keys, stop it and give it new access below.'
    : 'It tries again by itself; you need do nothing unless it lasts.';
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
