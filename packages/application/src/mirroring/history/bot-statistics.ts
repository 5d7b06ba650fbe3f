import {
  type AccountBucket,
  type AccountStatisticsView,
  type Bot,
  type BotId,
  type BotOrder,
  type Timestamp,
  type UserId,
  accountStatistics,
  isOfPresentAccount,
} from '@slipstream/domain';
import type { Core } from '../../core.js';
import {
  type RequestedStatistics,
  statisticsSpan,
  statisticsRequest,
} from '../../performance/counted-days.js';
import { finished } from '../../finished.js';
import { ownBot } from '../bot-deps.js';

/** The span and the terms of a bot's statistics. */
export interface BotStatisticsCommand extends RequestedStatistics {
  readonly botId: string;
}

/** Statistics of a bot with their terms. */
export interface BotStatisticsView extends AccountStatisticsView {
  readonly bot: Bot;
}

/** The statistics of a bot, and the readings and orders that they are of. */
interface FoundBotStatistics {
  readonly view: BotStatisticsView;
  /** Oldest first. */
  readonly buckets: readonly AccountBucket[];
  /** Newest first. */
  readonly orders: readonly BotOrder[];
}

type StatisticsCore = Pick<Core, 'unitOfWork' | 'clock' | 'live' | 'tradingHours' | 'pause'>;

const PAGE = 100;

/** The bot's orders made at that moment or later, newest first, in turns. */
async function ordersSince(
  { unitOfWork, pause }: Pick<Core, 'unitOfWork' | 'pause'>,
  botId: BotId,
  from: Timestamp,
): Promise<BotOrder[]> {
  const orders: BotOrder[] = [];
  for (let cursor: string | undefined; ; await pause()) {
    const page = await unitOfWork.read(({ botOrders }) =>
      botOrders.list(botId, { limit: PAGE, cursor }),
    );
    orders.push(...page.filter(({ updatedAt }) => updatedAt >= from));
    cursor = page.at(-1)?.id;
    if (page.length < PAGE || (page.at(-1)?.createdAt ?? 0) < from) return orders;
  }
}

/** The statistics of a bot's account beside its target (contract 10), with what they are of. */
export async function botStatisticsOf(
  core: StatisticsCore,
  userId: UserId,
  command: BotStatisticsCommand,
): Promise<FoundBotStatistics> {
  const { unitOfWork, clock } = core;
  const span = statisticsSpan(command, clock.now());
  const { bot, buckets } = await unitOfWork.read(async (stores) => {
    const found = await ownBot(stores, userId, command.botId);
    return { bot: found, buckets: await stores.botHistory.list(found.id, 0) };
  });
  const since = await ordersSince(core, bot.id, buckets[0]?.start ?? Infinity);
  const orders = since.filter((order) => isOfPresentAccount(bot, order));
  const { request, riskFree } = await statisticsRequest(core, bot, span, command);
  const { daysPerYear } = request;
  const statistics = await finished(accountStatistics(buckets, orders, request), core.pause);
  return { view: { bot, daysPerYear, riskFree, ...statistics }, buckets, orders };
}

/** The statistics of a bot's account beside its target. */
export const getBotStatistics =
  (core: StatisticsCore) =>
  async (userId: UserId, command: BotStatisticsCommand): Promise<BotStatisticsView> =>
    (await botStatisticsOf(core, userId, command)).view;
