import type { Bot, BotAllocation } from './bot.js';
import { type Decimal, TWO, ZERO, decimal, decimalText, isMultipleOf } from '../numbers/decimal.js';
import { Refusal } from '../refusal.js';
import { MAX_LISTED_STOCKS } from './stock-lists.js';
import { requireRebalance } from './pacing/rebalance-rule.js';
import type { Security } from '../market/stock.js';

/** Smallest balance to start with, in USD (spec 3). */
export const MIN_BALANCE = {
  stock: decimal('2000'),
  cryptocurrency: decimal('100'),
} as const satisfies Record<Security, Decimal>;

/** Bots of one user that are not off at the same time (contract 4). */
export const MAX_BOTS = 10;

/** Strategies that one bot mirrors at most. */
export const MAX_BOT_ALLOCATIONS = 100;

/** Default gross exposure of a bot, as a multiple of its equity. */
export const DEFAULT_BOT_LEVERAGE = decimal('1');

const LEVERAGE_STEP = decimal('0.01');
const SLIPPAGE_STEP = decimal('0.001');
const MAX_SLIPPAGE = decimal('0.05');
const HALF = decimal('0.5');

const invalid = (message: string): Refusal => new Refusal('invalid_field', message);

/**
 * Refuses settings beyond contract 4: leverage 0.01 to 2, slippage 0 to 0.05, percent 0 to 2, each strategy once. Contract 10:
 * price_collar 0 to 0.5, max_spread above 0 and at most 0.5.
 * @throws {Refusal} `invalid_field`.
 */
export function requireBotSettings(
  bot: Pick<
    Bot,
    | 'leverage'
    | 'slippage'
    | 'priceCollar'
    | 'maxSpread'
    | 'allocations'
    | 'allowStocks'
    | 'denyStocks'
    | 'rebalance'
  >,
): void {
  const { leverage, slippage, priceCollar, maxSpread, allocations } = bot;
  requireRebalance(bot.rebalance);
  for (const [name, list] of [
    ['allow_stocks', bot.allowStocks ?? []],
    ['deny_stocks', bot.denyStocks],
  ] as const)
    if (list.length > MAX_LISTED_STOCKS)
      throw invalid(`${name} must name at most ${MAX_LISTED_STOCKS} stocks`);
  if (leverage.lt(LEVERAGE_STEP) || leverage.gt(TWO) || !isMultipleOf(leverage, LEVERAGE_STEP)) {
    throw invalid('leverage must be 0.01 to 2, a multiple of 0.01');
  }
  if (slippage.lt(ZERO) || slippage.gt(MAX_SLIPPAGE) || !isMultipleOf(slippage, SLIPPAGE_STEP)) {
    throw invalid('slippage must be 0 to 0.05, a multiple of 0.001');
  }
  if (priceCollar.lt(ZERO) || priceCollar.gt(HALF)) {
    throw invalid('price_collar must be 0 to 0.5');
  }
  if (maxSpread && (maxSpread.lte(ZERO) || maxSpread.gt(HALF))) {
    throw invalid('max_spread must be above 0 and at most 0.5');
  }
  if (allocations.length > MAX_BOT_ALLOCATIONS) {
    throw invalid(`allocations must name at most ${MAX_BOT_ALLOCATIONS} strategies`);
  }
  if (new Set(allocations.map(({ strategyId }) => strategyId)).size < allocations.length) {
    throw invalid('allocations must name each strategy once');
  }
  if (allocations.some(({ percent }) => percent.lt(ZERO) || percent.gt(TWO))) {
    throw invalid('percent of an allocation must be 0 to 2');
  }
}

/**
 * Refuses a bot that mirrors nothing.
 * @throws {Refusal} `no_allocations`.
 */
export function requireAllocations(allocations: readonly BotAllocation[]): void {
  if (allocations.length > 0) return;
  throw new Refusal('no_allocations', 'the bot has no allocations: name a strategy to mirror');
}

/** Why an account is too small to start a bot on it (spec 3), as text for users; undefined when it is not. `balance` in USD. */
export function balanceFault({ type }: Pick<Bot, 'type'>, balance: Decimal): string | undefined {
  const least = MIN_BALANCE[type];
  if (balance.gte(least)) return undefined;
  return `the broker balance is ${decimalText(balance.round(2, 0))} USD; at least ${decimalText(least)} USD is needed`;
}

/**
 * Spec 3, startBot: refuses a bot without allocations or an account below the minimum. `balance` in USD.
 * @throws {Refusal} `no_allocations` or `insufficient_balance`.
 */
export function requireStartable(bot: Pick<Bot, 'type' | 'allocations'>, balance: Decimal): void {
  requireAllocations(bot.allocations);
  const fault = balanceFault(bot, balance);
  if (fault !== undefined) throw new Refusal('insufficient_balance', fault);
}

/**
 * Contract 4: one active bot a brokerage account, 10 a user. Counts are of other bots that are not off.
 * @throws {Refusal} `account_limit`.
 */
export function requireRoom(onAccount: number, ofUser: number): void {
  if (onAccount > 0) {
    throw new Refusal('account_limit', 'another bot is active on this brokerage account');
  }
  if (ofUser >= MAX_BOTS) {
    throw new Refusal(
      'account_limit',
      `${MAX_BOTS} of your bots are active already; stop one first`,
    );
  }
}
