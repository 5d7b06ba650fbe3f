import type { Bot, BotCondition, BotStatus } from './bot.js';
import { Refusal } from '../refusal.js';

/** `start`, `stop` and `reset` are the owner's; the others come from the reconciler. */
export const BOT_COMMANDS = [
  'start',
  'stop',
  'reset',
  'trade',
  'converge',
  'wait',
  'close',
  'halt',
] as const;
export type BotCommand = (typeof BOT_COMMANDS)[number];

type Row = Partial<Record<BotCommand, BotStatus>>;

/** Spec 3 and contract 4, row by row. A missing entry is a refused command. */
// oxfmt-ignore
const transitions = {
  off:     { start: 'scheduled_rebalance', reset: 'off' },
  active:  { stop: 'stopping', reset: 'scheduled_rebalance',
             trade: 'rebalancing', converge: 'running', wait: 'scheduled_rebalance', halt: 'error' },
  closing: { reset: 'stopping',
             trade: 'closing', wait: 'stopping', close: 'off', halt: 'error' },
} as const satisfies Record<BotCondition, Row>;

/** `error` is halted: only its owner moves it, by the condition it came from. */
// oxfmt-ignore
const fromError = {
  off:     {},
  active:  { stop: 'stopping', reset: 'scheduled_rebalance' },
  closing: { stop: 'stopping', reset: 'stopping' },
} as const satisfies Record<BotCondition, Row>;

/** The condition of each status; `error` keeps the one it came from. */
const conditions = {
  off: 'off',
  scheduled_rebalance: 'active',
  rebalancing: 'active',
  running: 'active',
  stopping: 'closing',
  closing: 'closing',
  error: undefined,
} as const satisfies Record<BotStatus, BotCondition | undefined>;

/** The bot's next state after the command, or undefined when the command is refused. */
export const nextStatus = (
  { status, condition }: Pick<Bot, 'status' | 'condition'>,
  command: BotCommand,
): BotStatus | undefined => {
  const row: Row = status === 'error' ? fromError[condition] : transitions[condition];
  return row[command];
};

/** What its owner has to know: once the bot is in line after one of them, its owner is notified again. */
const OUT_OF_LINE: readonly BotCommand[] = ['start', 'reset', 'wait', 'halt'];

/**
 * The bot after the command. Refuses what spec 3 does not allow.
 * @throws {Refusal} `bot_not_off` or `bot_not_active`.
 */
export function advance(bot: Bot, command: BotCommand): Bot {
  const status = nextStatus(bot, command);
  if (status) {
    const isKnownInLine = bot.isKnownInLine && !OUT_OF_LINE.includes(command);
    return { ...bot, status, condition: conditions[status] ?? bot.condition, isKnownInLine };
  }
  if (command === 'start') {
    const otherwise = bot.status === 'error' ? '; resetBot lets it go on' : '';
    throw new Refusal(
      'bot_not_off',
      `only a bot that is off can be started; this one is ${bot.status}${otherwise}`,
    );
  }
  if (command === 'stop') {
    throw new Refusal(
      'bot_not_active',
      `only an active bot can be stopped; this one is ${bot.status}`,
    );
  }
  throw new Error(`a bot that is ${bot.status} cannot ${command}`);
}
