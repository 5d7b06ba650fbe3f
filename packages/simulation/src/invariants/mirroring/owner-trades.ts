import type { OwnerTrades } from '@slipstream/domain';
import {
  type Exact,
  ONE,
  ZERO,
  exact,
  exactOf,
  isPositive,
  largest,
  smallest,
  total,
} from '../../reference/engine/exact.js';
import type { BotOrderRow, BotRow, TradeRow } from '../../world/rows.js';
import type { World } from '../../world/world.js';

const SPAN = 90 * 86_400_000;
const SHOWN_FROM = exact('0.9');
/** What rounding may take off: each part is rounded down to 18 places. */
const HAIR = exact('0.000000000000001');

interface StrategyRow {
  readonly id: string;
  readonly user_id: string;
  readonly segments: string;
  readonly segment_opening: string | null;
  readonly deleted_at: number | null;
}

type FollowingOrder = BotOrderRow & { readonly trade_ids: string; readonly cycle: number };

/** What the rows say that owner_trades should be. */
interface Expected {
  readonly share: Exact;
  readonly since: number;
  readonly bots: number;
}

/** The part of the trade that the bot's orders mirrored: each cycle fills a part of what the ones before left. */
function partOf(orders: readonly FollowingOrder[], tradeId: string): Exact {
  const cycles = new Map<number, { amount: Exact; filled: Exact }>();
  for (const order of orders) {
    if (!(JSON.parse(order.trade_ids) as string[]).includes(tradeId)) continue;
    const { amount, filled } = cycles.get(order.cycle) ?? { amount: ZERO, filled: ZERO };
    cycles.set(order.cycle, {
      amount: amount.add(exact(order.amount)),
      filled: filled.add(exact(order.filled_amount)),
    });
  }
  const left = [...cycles.values()].reduce(
    (rest, { amount, filled }) =>
      isPositive(amount) ? rest.mul(ONE.sub(smallest(ONE, filled.div(amount)))) : rest,
    ONE,
  );
  return ONE.sub(left);
}

const absolute = (value: Exact): Exact => (value.s < 0n ? value.neg() : value);

/** The live bots of the owner that mirror the strategy. */
const ownBots = (world: World, { id, user_id }: StrategyRow): BotRow[] =>
  world.database
    .rows<BotRow>('SELECT * FROM bots WHERE user_id = ? AND live = 1', user_id)
    .filter(({ allocations }) =>
      (JSON.parse(allocations) as [string, string][]).some(([name]) => name === id),
    );

/** From the trades, the orders and the accounts of this story; undefined while nothing was mirrored. */
function expectedOf(world: World, strategy: StrategyRow, bots: readonly BotRow[], now: number) {
  if (strategy.segment_opening !== null) return undefined;
  const segments = JSON.parse(strategy.segments) as { readonly startedAt: number }[];
  const from = Math.max(now - SPAN, segments.at(-1)?.startedAt ?? 0);
  const trades = world.database.rows<TradeRow>(
    // What a delisting settled, without a quote, is no fill that anybody mirrors.
    'SELECT * FROM trades WHERE strategy_id = ? AND created_at >= ? AND quote_at IS NOT NULL',
    strategy.id,
    from,
  );
  const orders = bots.map(({ id }) =>
    world.database.rows<FollowingOrder>(
      'SELECT * FROM bot_orders WHERE bot_id = ? AND created_at >= ?',
      id,
      now - SPAN,
    ),
  );
  const parts = trades.map((trade) => orders.map((ofBot) => partOf(ofBot, trade.id)));
  const most = parts.map((ofBots) => largest(ZERO, ...ofBots));
  const notionals = trades.map(({ total: text }) => absolute(exact(text)));
  const whole = total(notionals);
  const mirrored = trades.filter((_, at) => isPositive(most[at] ?? ZERO));
  if (mirrored.length === 0 || !isPositive(whole)) return undefined;
  const sum = total(notionals.map((notional, at) => notional.mul(most[at] ?? ZERO)));
  const used = bots.filter((_, bot) => parts.some((ofBots) => isPositive(ofBots[bot] ?? ZERO)));
  return {
    share: sum.div(whole),
    since: Math.min(...mirrored.map(({ created_at: at }) => at)),
    bots: used.length,
  } satisfies Expected;
}

/** Whether a figure says the same, but for rounding. */
const isSame = (figure: OwnerTrades, { share, since, bots }: Expected): boolean => {
  const off = absolute(exactOf(figure.share).sub(share));
  return !off.gt(HAIR) && figure.since === since && figure.bots === bots;
};

const inWords = (one: { since: number; bots: number } | undefined, share?: Exact): string =>
  one ? `${share?.valueOf().toFixed(6)} by ${one.bots} bots since ${one.since}` : 'nothing';

/**
 * P1: right after they were computed, the published share and bots of each strategy that its owner mirrors with real money follow from
 * its fills and the orders that followed them, and a share below nine tenths is not shown.
 */
export async function checkOwnerTrades(
  world: World,
  publishedOf: (strategy: StrategyRow) => Promise<OwnerTrades | null | undefined>,
): Promise<void> {
  // While the clock was set back, the newest rows are not the latest.
  if (world.interleaves || world.setBackBy > 0) return;
  const now = world.clock.now();
  const all = world.database.rows<StrategyRow>('SELECT * FROM strategies WHERE deleted_at IS NULL');
  for (const strategy of all) {
    const bots = ownBots(world, strategy);
    if (bots.length === 0) continue;
    const expected = expectedOf(world, strategy, bots, now);
    const isShown = expected !== undefined && !expected.share.lt(SHOWN_FROM);
    world.reach(`owner trades: ${expected ? (isShown ? 'shown' : 'too little') : 'none'}`);
    const published = (await publishedOf(strategy)) ?? undefined;
    const isRight = published === undefined ? !isShown : isShown && isSame(published, expected);
    if (!isRight)
      world.violate(
        'P1',
        `${strategy.id} shows ${inWords(published, published && exactOf(published.share))}, its owner mirrored ${inWords(expected, expected?.share)}`,
      );
  }
}
