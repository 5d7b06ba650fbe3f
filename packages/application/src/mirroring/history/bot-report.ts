import {
  type AccountBucket,
  type Bot,
  type BotOrder,
  type BotReportContent,
  type ReportBotOrder,
  type ReportFlow,
  type ReportReading,
  accountDisclosure,
  decimal,
  decimalText,
} from '@slipstream/domain';
import type { UserCaller } from '../../caller.js';
import type { Core } from '../../core.js';
import { visibleStrategies } from '../../strategies/access.js';
import { type BotStatisticsCommand, botStatisticsOf } from './bot-statistics.js';

/** One more than the report shows: so it tells that there are others. */
const MOST_ORDERS = 201;

const readingOf = ({ at, equity, cash }: AccountBucket): ReportReading => ({
  at,
  equity: decimalText(equity),
  cash: decimalText(cash),
});

/** Less than a cent is the rounding of fills, and no movement of money. */
const LEAST_FLOW = decimal('0.01');

const flowsOf = (buckets: readonly AccountBucket[]): ReportFlow[] =>
  buckets.flatMap((bucket) =>
    bucket.flow?.abs().gte(LEAST_FLOW)
      ? { ...readingOf(bucket), flow: decimalText(bucket.flow) }
      : [],
  );

/** More strategies than these are counted, not named. */
const NAMED = 3;

/** The name that its owner gave it; without one it is called by what it mirrors. */
function nameOfBot({ name }: Bot, mirrored: BotReportContent['mirrored']): string {
  if (name !== null) return name;
  const names = mirrored.map((strategy) => strategy.name);
  if (names.length === 0) return 'Bot';
  return `Bot of ${names.length > NAMED ? `${names.length} strategies` : names.join(', ')}`;
}

const shownOrder = (stock: string, order: BotOrder): ReportBotOrder => ({
  ...{ at: order.createdAt, stock, action: order.action, status: order.status },
  amount: decimalText(order.amount),
  filledAmount: decimalText(order.filledAmount),
  filledPrice: order.filledPrice && decimalText(order.filledPrice),
  strategyPrice: order.strategyPrice && decimalText(order.strategyPrice),
  plannedPrice: order.plannedPrice && decimalText(order.plannedPrice),
  fee: order.fee && decimalText(order.fee),
  reason: order.reason,
});

/** The strategies that the bot mirrors, by their names; by their ids where its owner may not see them any more. */
async function mirroredBy({ unitOfWork }: Core, caller: UserCaller, { allocations }: Bot) {
  const ids = allocations.map(({ strategyId }) => strategyId);
  const visible = await unitOfWork.read((stores) => visibleStrategies(stores, caller, ids));
  return allocations.map(({ strategyId, percent }) => ({
    name: visible.find(({ id }) => id === strategyId)?.name ?? strategyId,
    percent: decimalText(percent),
  }));
}

/** Everything that a report of the user's bot shows: the figures of getBotStatistics, and what they are of. */
export async function botReportOf(
  core: Core,
  caller: UserCaller,
  command: BotStatisticsCommand,
): Promise<BotReportContent> {
  const { clock, live, settings } = core;
  const { view, buckets, orders } = await botStatisticsOf(core, caller.userId, command);
  const { bot } = view;
  const last = buckets.at(-1);
  const mirrored = await mirroredBy(core, caller, bot);
  const nameOf = ({ stockId }: BotOrder): string => {
    const stock = live.stocks.find(stockId);
    return stock ? `${stock.symbol}:${stock.exchange}` : stockId;
  };
  return {
    name: nameOfBot(bot, mirrored),
    account: `${bot.broker} ${bot.accountId}`,
    at: clock.now(),
    live: bot.live,
    disclosure: accountDisclosure(bot.live, settings.disclosure),
    statistics: view,
    mirrored,
    last: last ? readingOf(last) : null,
    flows: flowsOf(buckets),
    orders: orders
      .slice(0, MOST_ORDERS)
      .reverse()
      .map((order) => shownOrder(nameOf(order), order)),
  };
}
