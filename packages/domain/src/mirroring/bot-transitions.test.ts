import { describe, expect, it } from '@jest/globals';
import { BOT_COMMANDS, type BotCommand, advance, nextStatus } from './bot-transitions.js';
import { BOT_STATUSES, type Bot, type BotCondition, type BotStatus } from './bot.js';
import { Refusal } from '../refusal.js';

type Table = readonly (readonly [
  BotStatus,
  BotCondition,
  Partial<Record<BotCommand, readonly [BotStatus, BotCondition]>>,
])[];

const whileActive = {
  stop: ['stopping', 'closing'],
  reset: ['scheduled_rebalance', 'active'],
  trade: ['rebalancing', 'active'],
  converge: ['running', 'active'],
  wait: ['scheduled_rebalance', 'active'],
  halt: ['error', 'active'],
} as const;

const whileClosing = {
  reset: ['stopping', 'closing'],
  trade: ['closing', 'closing'],
  wait: ['stopping', 'closing'],
  close: ['off', 'off'],
  halt: ['error', 'closing'],
} as const;

const table: Table = [
  ['off', 'off', { start: ['scheduled_rebalance', 'active'], reset: ['off', 'off'] }],
  ['scheduled_rebalance', 'active', whileActive],
  ['rebalancing', 'active', whileActive],
  ['running', 'active', whileActive],
  ['stopping', 'closing', whileClosing],
  ['closing', 'closing', whileClosing],
  ['error', 'active', { reset: ['scheduled_rebalance', 'active'], stop: ['stopping', 'closing'] }],
  ['error', 'closing', { reset: ['stopping', 'closing'], stop: ['stopping', 'closing'] }],
];

const rows = table.flatMap(([status, condition, allowed]) =>
  BOT_COMMANDS.map((command) => ({ status, condition, command, to: allowed[command] })),
);

const bot = (status: BotStatus, condition: BotCondition): Bot => ({ status, condition }) as Bot;

describe('the states of a bot (spec 3, contract 4)', () => {
  it('are all in the table', () => {
    expect(new Set(table.map(([status]) => status))).toEqual(new Set(BOT_STATUSES));
  });

  it.each(rows.filter(({ to }) => to))(
    '$status ($condition) on $command becomes $to.0',
    ({ status, condition, command, to }) => {
      const { status: next, condition: held } = advance(bot(status, condition), command);
      expect([next, held]).toEqual(to);
    },
  );

  it.each(rows.filter(({ to }) => !to))(
    '$status ($condition) refuses $command',
    ({ status, condition, command }) => {
      expect(nextStatus(bot(status, condition), command)).toBeUndefined();
      expect(() => advance(bot(status, condition), command)).toThrow();
    },
  );

  it.each([
    ['start', 'running', 'active', 'bot_not_off'],
    ['start', 'error', 'active', 'bot_not_off'],
    ['stop', 'off', 'off', 'bot_not_active'],
    ['stop', 'closing', 'closing', 'bot_not_active'],
  ] as const)('%s of a %s bot is refused with its own code', (command, status, condition, code) => {
    const attempt = () => advance(bot(status, condition), command);
    expect(attempt).toThrow(Refusal);
    expect(attempt).toThrow(expect.objectContaining({ code }));
  });

  it('start of a bot in error is refused with what lets it go on', () => {
    expect(() => advance(bot('error', 'active'), 'start')).toThrow(/resetBot lets it go on/);
    expect(() => advance(bot('running', 'active'), 'start')).toThrow(/this one is running$/);
  });
});
