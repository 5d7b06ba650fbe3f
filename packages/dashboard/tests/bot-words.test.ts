import { describe, expect, it } from '@jest/globals';
import { botSentence } from '../src/figures/bot-words.js';
import type { Bot } from '../src/service/folds.js';

const RUNNING = {
  status: 'running',
  mode: 'normal',
  dry_run: false,
  breach: null,
  on_breach: 'reduce_only',
  status_reason: null,
  last_rebalanced_at: '2026-03-04T15:00:00.000Z',
} as const;
const BREACH = { limit: 'max_daily_loss', at: '', equity: '9500', from: '10000' } as const;
const sentenceOf = (fields: Partial<Bot>): string => botSentence({ ...RUNNING, ...fields } as Bot);

describe('the sentence about a bot', () => {
  const started = { status: 'scheduled_rebalance', last_rebalanced_at: null } as const;

  it('promises orders within moments to one that starts and that nothing holds up', () => {
    expect(sentenceOf(started)).toBe('It starts: the first orders come within moments.');
    expect(sentenceOf({ status: 'scheduled_rebalance' })).toBe(
      'The next rebalance is due: its orders come within moments.',
    );
  });

  it.each<readonly [why: string, fields: Partial<Bot>]>([
    ['that waits', { status_reason: 'Waits until AAPL can be traded.' }],
    ['whose trading is halted', { status_reason: 'Trading is halted by you: look.' }],
    ['that is paused', { mode: 'paused', status_reason: 'The bot is paused.' }],
    ['that holds after a breach', { breach: BREACH, on_breach: 'hold' }],
    ['that only plans', { dry_run: true, status_reason: 'This is a dry run.' }],
  ])('promises no order of one %s', (_, fields) => {
    for (const state of [started, { status: 'scheduled_rebalance' }] as const)
      expect(sentenceOf({ ...state, ...fields })).not.toMatch(/moments|orders come/);
    for (const status of ['running', 'rebalancing'] as const)
      if (fields.mode === 'paused' || fields.breach)
        expect(sentenceOf({ ...fields, status })).not.toMatch(/follows every|brings/);
  });

  it('says what a breach leaves it', () => {
    expect(sentenceOf({ breach: BREACH, on_breach: 'hold' })).toBe(
      'It places no order until you acknowledge the breach.',
    );
    expect(sentenceOf({ breach: BREACH })).toBe(
      'It only reduces until you acknowledge the breach.',
    );
  });

  it('is of its mode beside its state', () => {
    expect(sentenceOf({ mode: 'reduce_only' })).toBe(
      'It runs, and follows every trade of its strategies. It only reduces.',
    );
    expect(sentenceOf({ mode: 'paused' })).toBe('It is paused: it places no order at all.');
    expect(sentenceOf({ mode: 'paused', status: 'off' })).toBe(
      'It is off: it places no orders. It is paused: it places no order at all.',
    );
    expect(sentenceOf({ dry_run: true })).toMatch(/Trial: it plans, and sends nothing\.$/);
  });
});
