import {
  type Bot,
  DAY,
  HOUR,
  MirroredTrades,
  OWNER_TRADES_SPAN,
  OwnerShare,
  type OwnerTrades,
  type Strategy,
  type StrategyId,
  type Timestamp,
  type UserId,
  isOfPresentAccount,
  ownerTradesFrom,
} from '@slipstream/domain';
import type { Page } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import type { Core } from '../core.js';
import { breathing } from './breathing.js';
import { runEach } from '../run-each.js';
import { Throttle } from '../housekeeping/throttle.js';

type Needs = Pick<Core, 'unitOfWork' | 'clock' | 'pause' | 'live'>;

const EVERY = DAY;
/** The next attempt after a failure. */
const AGAIN = HOUR;
/** The number of rows, or of strategies, that are read before other work runs. */
const AT_ONCE = 100;

/** The rows of a list from that moment on, newest first. Other work runs between its pages, and between rows that took long. */
async function* since<Row extends { readonly id: string; readonly createdAt: Timestamp }>(
  core: Pick<Needs, 'clock' | 'pause'>,
  from: Timestamp,
  list: (page: Page) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  const breathe = breathing(core);
  let cursor: string | undefined;
  for (;;) {
    const rows = await list({ limit: AT_ONCE, cursor });
    for (const row of rows) {
      if (row.createdAt < from) return;
      yield row;
      await breathe();
    }
    cursor = rows.at(-1)?.id;
    if (rows.length < AT_ONCE) return;
    await core.pause();
  }
}

/** What the bot mirrored since then at its present account: one that it had before may have held play money. */
async function mirroredBy(core: Needs, bot: Bot, from: Timestamp): Promise<MirroredTrades> {
  const mirrored = new MirroredTrades();
  const orders = since(core, from, (page) =>
    core.unitOfWork.read(({ botOrders }) => botOrders.list(bot.id, page)),
  );
  for await (const order of orders) if (isOfPresentAccount(bot, order)) mirrored.add(order);
  return mirrored;
}

async function figureOf(
  core: Needs,
  strategy: Strategy,
  bots: readonly MirroredTrades[],
  now: Timestamp,
): Promise<OwnerTrades | null> {
  const from = ownerTradesFrom(strategy, now);
  if (from === undefined) return null;
  const share = new OwnerShare(bots);
  const fills = since(core, from, (page) =>
    core.unitOfWork.read(({ trades }) => trades.list(strategy.id, page)),
  );
  for await (const fill of fills) share.add(fill);
  return share.figure(now);
}

/** The strategies that bots mirror, by owner. */
async function mirroredStrategies({
  unitOfWork,
  live,
  pause,
}: Needs): Promise<ReadonlyMap<UserId, readonly StrategyId[]>> {
  const found = new Map<UserId, StrategyId[]>();
  for (const some of chunksOf(live.strategies(), AT_ONCE)) {
    await unitOfWork.read(async ({ bots, strategies }) => {
      for (const strategyId of some) {
        if ((await bots.mirroring(strategyId)).length === 0) continue;
        const strategy = await strategies.find(strategyId);
        if (strategy?.deletedAt === null)
          found.set(strategy.userId, [...(found.get(strategy.userId) ?? []), strategyId]);
      }
    });
    await pause();
  }
  return found;
}

const mirrors = ({ allocations }: Bot, strategyId: StrategyId): boolean =>
  allocations.some((allocation) => allocation.strategyId === strategyId);

/** Computes and saves the figures of an owner's strategies. */
async function measureOwner(
  core: Needs,
  userId: UserId,
  strategyIds: readonly StrategyId[],
): Promise<void> {
  const { unitOfWork, clock } = core;
  const now = clock.now();
  const bots = await unitOfWork.read((stores) => stores.bots.listOf(userId));
  const own = bots.filter(
    (bot) => bot.live && strategyIds.some((strategyId) => mirrors(bot, strategyId)),
  );
  if (own.length === 0) return;
  const mirrored = new Map<Bot, MirroredTrades>();
  for (const bot of own) mirrored.set(bot, await mirroredBy(core, bot, now - OWNER_TRADES_SPAN));
  for (const strategyId of strategyIds) {
    const strategy = await unitOfWork.read(({ strategies }) => strategies.find(strategyId));
    if (!strategy) continue;
    const ofStrategy = [...mirrored].filter(([bot]) => mirrors(bot, strategyId));
    const figure = await figureOf(
      core,
      strategy,
      ofStrategy.map(([, trades]) => trades),
      now,
    );
    if (figure === null && strategy.ownerTrades === null) continue;
    await unitOfWork.run(async ({ strategies }) => {
      const current = await strategies.find(strategyId);
      if (current) await strategies.save({ ...current, ownerTrades: figure });
    });
  }
}

/**
 * Computes once a day how much of each strategy its owner mirrors with real money (contract 8), so that no reading of a strategy
 * does. The failure of one owner's does not keep the others.
 */
export function measureOwnerTrades(core: Needs): () => Promise<void> {
  const throttle = new Throttle();
  return async () => {
    const now = core.clock.now();
    if (!throttle.isDue(now)) return;
    throttle.done(now, AGAIN);
    const byOwner = await mirroredStrategies(core);
    await runEach(
      [...byOwner].map(
        ([userId, strategyIds]) =>
          () =>
            measureOwner(core, userId, strategyIds),
      ),
    );
    throttle.done(now, EVERY);
  };
}
