import type { Bot } from '../service/folds.js';

const SENTENCES: Record<Bot['status'], string> = {
  off: 'It is off: it places no orders.',
  scheduled_rebalance: 'It waits to bring the account to its target.',
  rebalancing: 'It brings the account to its target now.',
  running: 'It runs, and follows every trade of its strategies.',
  stopping: 'It stops.',
  closing: 'It closes its positions.',
  error: 'It met an error.',
};
const PAUSED = 'It is paused: it places no order at all.';
const ACTIVE: readonly Bot['status'][] = ['scheduled_rebalance', 'rebalancing', 'running'];

/** What an active bot does: what holds it up comes before what it would do. */
function activity(bot: Bot): string {
  if (bot.mode === 'paused') return PAUSED;
  if (bot.breach !== null)
    return `It ${bot.on_breach === 'hold' ? 'places no order' : 'only reduces'} until you acknowledge the breach.`;
  if (bot.status !== 'scheduled_rebalance' || bot.status_reason !== null)
    return SENTENCES[bot.status];
  return bot.last_rebalanced_at === null
    ? 'It starts: the first orders come within moments.'
    : 'The next rebalance is due: its orders come within moments.';
}

/** The state of a bot as a sentence. */
export function botSentence(bot: Bot): string {
  const isActive = ACTIVE.includes(bot.status);
  const modes = {
    normal: '',
    reduce_only: ' It only reduces.',
    paused: isActive ? '' : ` ${PAUSED}`,
  };
  const dry = bot.dry_run && bot.status !== 'off' ? ' Trial: it plans, and sends nothing.' : '';
  return `${isActive ? activity(bot) : SENTENCES[bot.status]}${modes[bot.mode]}${dry}`;
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
