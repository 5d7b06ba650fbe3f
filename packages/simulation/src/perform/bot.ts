import type { Caller } from '@slipstream/application';
import { decimal } from '@slipstream/domain';
import { hundredths } from './hundredths.js';
import { type CommandContext, requireExisting } from './context.js';
import { botAt, haltAt, nameOf, stockAt, strategyAt, userIdOf } from '../world/places.js';
import type { BotCommand } from '../story/story.js';
import { REAL_MONEY } from '../world/accounts.js';
import type { BotRow } from '../world/rows.js';

/** The limits go with the leverage, so that one story has bots with and without them. */
function limitsOf({
  leverage,
  rebalanceOnStart,
}: Pick<Extract<BotCommand, { do: 'newBot' }>, 'leverage' | 'rebalanceOnStart'>) {
  if (leverage === 100) {
    const limits = { maxDailyLoss: decimal('0.01'), maxDrawdown: decimal('0.01') };
    return { limits, onBreach: rebalanceOnStart ? ('reduce_only' as const) : ('hold' as const) };
  }
  if (leverage !== 150) return {};
  return { limits: { maxOrder: decimal('1500'), maxCapital: decimal('6000') } };
}

const rebalanceOf = ({ rebalance }: Extract<BotCommand, { do: 'newBot' | 'updateBot' }>) =>
  typeof rebalance === 'object'
    ? { ...rebalance, band: rebalance.band === undefined ? null : hundredths(rebalance.band) }
    : rebalance;

async function newBot(
  context: CommandContext,
  command: Extract<BotCommand, { do: 'newBot' }>,
): Promise<void> {
  const { world, memory, application } = context;
  const found = command.strategies.map((place) => requireExisting(strategyAt(world, place)));
  const { type } = requireExisting(found[0]);
  const isSimulated = world.broker.name === 'simulated';
  const strategies = new Set(found.filter((one) => one.type === type).map((one) => one.id));
  const bot = await application.operations.newBot(await context.callerOf(command.by), {
    type,
    broker: command.real === true && isSimulated ? REAL_MONEY : world.broker.name,
    ...(world.broker.name === 'alpaca_paper' && { credentials: world.broker.newKey() }),
    allocations: [...strategies].map((strategyId) => ({ strategyId, percent: decimal('1') })),
    leverage: hundredths(command.leverage),
    closeOnStop: command.closeOnStop,
    rebalanceOnStart: command.rebalanceOnStart,
    join: command.join,
    rebalance: rebalanceOf(command),
    ...limitsOf(command),
  });
  const sql = 'SELECT id FROM bots WHERE id = ?';
  memory.acknowledged.push(() =>
    memory.deletedBots.has(bot.id) || world.database.rows(sql, bot.id).length > 0
      ? undefined
      : `bot ${bot.id} was made`,
  );
}

/** Whether the account tells the stock by a new symbol in which the bot has not recognized it yet: with another amount it could not. */
function isStrange({ broker, database }: CommandContext['world'], bot: BotRow, stockId: string) {
  if (broker.name !== 'alpaca_paper') return false;
  const there = broker.symbolOf(stockId);
  const sql = 'SELECT symbol FROM stocks WHERE id = ? AND symbol <> ?';
  const isOther = !there.includes('/') && database.rows(sql, stockId, there).length > 0;
  return isOther && !bot.held_parts.includes(`"alpaca:${there}"]`);
}

/** Somebody trades in the account beside the bot. */
async function foreignTrade(
  { world, memory }: CommandContext,
  command: Extract<BotCommand, { do: 'foreignTrade' }>,
): Promise<void> {
  const bot = requireExisting(botAt(world, command.bot));
  const { stock, quote } = stockAt(world, command.stock, bot.type);
  if (isStrange(world, bot, stock.id)) return;
  memory.foreign += 1;
  const { dollars } = command;
  const count = memory.foreign;
  await world.broker.tradeByHand(bot, { stock, dollars, price: quote.last, count });
}

/** Something happens to the account or the stock at the broker. */
function trouble(
  { world }: CommandContext,
  { bot: place, stock: stockPlace, what }: Extract<BotCommand, { do: 'trouble' }>,
): void {
  const bot = requireExisting(botAt(world, place));
  const { id: stockId } = stockAt(world, stockPlace, bot.type);
  const { broker } = world;
  if (broker.name === 'alpaca_paper' && broker.trouble(what, bot.account_id, stockId))
    world.reach(`trouble: ${what}`);
}

const OPERATOR = { kind: 'operator' } as const;

/** Halts the trading of a bot, or of more of them. */
async function haltTrading(
  { world, memory, application, callerOf }: CommandContext,
  { bot: place, rank, scope }: Extract<BotCommand, { do: 'haltTrading' }>,
): Promise<void> {
  const bot = requireExisting(botAt(world, place));
  const target = { all: undefined, broker: world.broker.name, user: bot.user_id, bot: bot.id }[
    scope
  ];
  const caller = rank === 'operator' ? OPERATOR : await callerOf(nameOf(world, bot.user_id));
  const given = { scope, target, reason: 'a story' };
  const halt = await application.operations.haltTrading(caller, given);
  memory.answeredHalts.add(halt.id);
  world.reach(`halt: ${scope} by the ${rank}`);
}

async function resumeTrading(
  { world, application, callerOf }: CommandContext,
  { halt: place }: Extract<BotCommand, { do: 'resumeTrading' }>,
): Promise<void> {
  const { id: haltId, by } = requireExisting(haltAt(world, place));
  const caller = by === 'operator' ? OPERATOR : await callerOf(nameOf(world, by));
  await application.operations.resumeTrading(caller, { haltId });
  world.reach('halt: lifted');
}

/** Acknowledges the stored breach: the core knows it too (B8). */
async function resetBot(
  { world, memory, application }: CommandContext,
  { id: botId, breach }: BotRow,
  caller: Caller,
): Promise<void> {
  const acknowledgeBreach = breach !== null;
  if (acknowledgeBreach) memory.acknowledgedBreaches.add(botId);
  try {
    await application.operations.resetBot(caller, { botId, acknowledgeBreach });
  } catch (error) {
    if (String(error).includes('no breach of this bot') && !world.interleaves)
      world.violate('B8', `the core does not know the breach of bot ${botId}`);
    throw error;
  }
}

/** Performs the bots' operations and events in their accounts. */
export async function performBot(context: CommandContext, command: BotCommand): Promise<void> {
  const { world, memory, application } = context;
  if (command.do === 'newBot') return newBot(context, command);
  if (command.do === 'foreignTrade') return foreignTrade(context, command);
  if (command.do === 'trouble') return trouble(context, command);
  if (command.do === 'haltTrading') return haltTrading(context, command);
  if (command.do === 'resumeTrading') return resumeTrading(context, command);
  const bot = requireExisting(botAt(world, command.bot));
  const by = ('by' in command ? command.by : undefined) ?? nameOf(world, bot.user_id);
  const caller = await context.callerOf(by);
  const botId = bot.id;
  switch (command.do) {
    case 'startBot':
      await application.operations.startBot(caller, {
        botId,
        ...(bot.live === 1 && bot.dry_run === 0 && { live: true }),
      });
      break;
    case 'stopBot':
      await application.operations.stopBot(caller, { botId });
      break;
    case 'resetBot':
      await resetBot(context, bot, caller);
      break;
    case 'updateBot':
      await application.operations.updateBot(caller, {
        botId,
        ...(command.leverage !== undefined && { leverage: hundredths(command.leverage) }),
        ...(command.rebalance !== undefined && { rebalance: rebalanceOf(command) }),
      });
      break;
    case 'deleteBot':
      memory.deletedBots.add(botId);
      await application.operations.deleteBot(caller, { botId });
      break;
  }
  if (userIdOf(world, by) !== bot.user_id)
    world.violate('A1', `${by} did ${command.do} to ${botId}`);
}
