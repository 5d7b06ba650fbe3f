import {
  type Order,
  type RefusedRequest,
  type ReportContent,
  type ReportTrade,
  type Strategy,
  type Trade,
  decimalText,
  grants,
  isoDay,
  Refusal,
} from '@slipstream/domain';
import type { Page, ReadStores, ReportPages } from '@slipstream/ports';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { finished } from '../finished.js';
import { botReportOf } from '../mirroring/history/bot-report.js';
import { isFollower, requireUser, visibleStrategy } from '../strategies/access.js';
import { viewStrategies } from '../strategies/strategy-views.js';
import { claimedHistory } from './claimed-history.js';
import { type StatisticsCommand, statisticsOf } from './strategy-statistics.js';

/** A page of a list; as many pages as the report shows. */
const [PAGE, PAGES] = [100, 2];

type Names = Pick<Core['live'], 'stocks'>;

const nameOf = ({ stocks }: Names, stockId: Trade['stockId']): string => {
  const stock = stocks.find(stockId);
  return stock ? `${stock.symbol}:${stock.exchange}` : stockId;
};

const shownTrade = (live: Names, trade: Trade): ReportTrade => ({
  at: trade.createdAt,
  stock: nameOf(live, trade.stockId),
  action: trade.action,
  amount: decimalText(trade.amount),
  price: decimalText(trade.price),
  total: decimalText(trade.total),
  fee: decimalText(trade.feeTotal),
  strategyValue: trade.strategyValue && decimalText(trade.strategyValue),
});

const refusedRequest = (live: Names, order: Order): RefusedRequest[] =>
  order.status === 'rejected'
    ? [
        {
          at: order.closedAt,
          request: `${order.action} ${nameOf(live, order.stockId)}`,
          reason: order.reason,
        },
      ]
    : [];

/** The last rows of a list, oldest first: one more than the report shows tells it that there are others. */
async function lastOf<Row extends { readonly id: string }>(
  { unitOfWork, pause }: Core,
  list: (stores: ReadStores, page: Page) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let page = 0; page <= PAGES; page++, await pause()) {
    const cursor = found.at(-1)?.id;
    const limit = page < PAGES ? PAGE : 1;
    const rows = await unitOfWork.read((stores) => list(stores, { limit, cursor }));
    found.push(...rows);
    if (rows.length < limit) break;
  }
  return found.reverse();
}

/** Its last trades, and its last orders that could not execute. */
async function lastOfStrategy(core: Core, { id: strategyId }: Strategy) {
  const trades = await lastOf(core, (stores, page) => stores.trades.list(strategyId, page));
  const rejected = await lastOf(core, ({ orders }, page) =>
    orders.list(strategyId, 'rejected', page),
  );
  return {
    trades: trades.map((trade) => shownTrade(core.live, trade)),
    refused: rejected.flatMap((order) => refusedRequest(core.live, order)),
  };
}

/** What the owner imported of the time before the strategy was here. */
async function claimsOf(stores: ReadStores, strategy: Strategy): Promise<ReportContent['claimed']> {
  if (!strategy.claimed) return undefined;
  const { importedAt } = strategy.claimed;
  const points = await claimedHistory(stores, strategy, { strategyId: strategy.id });
  return {
    importedAt,
    points: points.map(({ at, value }) => ({ date: isoDay(at), value: decimalText(value) })),
  };
}

/** Everything that a report of the strategy shows; strangers see no dated trades (contract 2, 14). */
async function contentOf(
  core: Core,
  caller: Caller,
  command: StatisticsCommand,
): Promise<ReportContent> {
  const { unitOfWork, clock, live } = core;
  const { strategy, mayTrade, benchmark, view } = await statisticsOf(core, caller, command);
  const read = mayTrade ? await lastOfStrategy(core, strategy) : null;
  const { shown, segments, head, claimed } = await unitOfWork.read(async (stores) => {
    // Whoever may not see them any more gets none that were made since.
    const seen = await visibleStrategy(stores, caller, strategy.id);
    const follows = mayTrade && (await isFollower(stores, caller, seen));
    const [viewed] = await viewStrategies(core, stores, [strategy]);
    return {
      shown: follows ? read : null,
      segments: viewed?.segments ?? [],
      head: await stores.track.head(strategy.id),
      claimed: await claimsOf(stores, strategy),
    };
  });
  return {
    name: strategy.name,
    at: clock.now(),
    statistics: view,
    series: view.series ?? [],
    segments: segments.map((segment) => ({
      from: segment.start,
      to: segment.end,
      basis: segment.basis,
      reason: segment.reason,
      return: segment.return && decimalText(segment.return),
      maxDrawdown: decimalText(segment.maxDrawdown),
    })),
    trades: shown?.trades ?? null,
    beside: 'service',
    refused: shown?.refused ?? null,
    benchmark: benchmark && {
      name: nameOf(live, benchmark.stockId),
      closes: benchmark.closes,
    },
    claimed,
    head: head?.hash ?? null,
    notes: [],
  };
}

const pagesOf = ({ reportPages }: Core): ReportPages => {
  if (reportPages) return reportPages;
  throw new Refusal('not_found', 'this server draws no reports');
};

/** A report of a strategy or of a bot: exactly one of them is named. */
export interface ReportCommand extends Omit<StatisticsCommand, 'strategyId'> {
  readonly strategyId?: string | undefined;
  readonly botId?: string | undefined;
}

/** A report of a bot tells what getBotStatistics and getBotOrders answer: the token needs their scopes too. */
const OF_A_BOT = ['getBotStatistics', 'getBotOrders'];

async function botReport(core: Core, caller: Caller, command: ReportCommand): Promise<string> {
  const { botId = '', strategyId, benchmark, ...terms } = command;
  if (strategyId !== undefined)
    throw new Refusal('invalid_field', 'give strategy_id or bot_id, not both');
  if (benchmark !== undefined)
    throw new Refusal('invalid_field', 'benchmark: a bot is compared with its target');
  const user = requireUser(caller);
  const { tokenType: type, scope } = user;
  if (!OF_A_BOT.every((name) => grants({ type, scope }, name)))
    throw new Refusal(
      'unauthenticated',
      `a report of a bot needs the scopes ${OF_A_BOT.join(', ')}`,
    );
  const content = await botReportOf(core, user, { ...terms, botId });
  return finished(pagesOf(core).ofBot(content), core.pause);
}

/** A report of a strategy's present segment, or of the caller's own bot, as one HTML file (contract 12). */
export const getReport =
  (core: Core) =>
  async (caller: Caller, command: ReportCommand): Promise<string> => {
    const { strategyId } = command;
    if (command.botId !== undefined) return botReport(core, caller, command);
    if (strategyId === undefined) throw new Refusal('invalid_field', 'give strategy_id or bot_id');
    const content = await contentOf(core, caller, { ...command, strategyId });
    return finished(pagesOf(core).ofStrategy(content), core.pause);
  };
