import { type Decimal, HOUR, MINUTE, ZERO, decimal, divide } from '@slipstream/domain';
import type { Run } from '../../run/run.js';
import type { SeenPace } from '../../run/seen-pace.js';
import { targetOf, valueOfHolding } from '../../world/targets.js';
import type { BotOrderRow, BotRow } from '../../world/rows.js';
import { isAgainstKept, ownPart } from './venue.js';

interface Rule {
  readonly band: string | null;
  readonly cooldownHours: number | null;
  readonly at: string | null;
}

const DAY_MINUTES = 24 * 60;
/** A rebalance may take several orders within this time. */
const LASTS = HOUR;

const clocks = {
  stock: new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' },
  }),
  cryptocurrency: new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'UTC', hour: '2-digit', minute: '2-digit' },
  }),
};

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** When clocks last showed that time, to the minute; of days on which they change it is an hour off. */
function lastShown(type: BotRow['type'], at: string, now: number): number {
  const passed = (minutesOf(clocks[type].format(now)) - minutesOf(at) + DAY_MINUTES) % DAY_MINUTES;
  return now - (now % MINUTE) - passed * MINUTE;
}

/** Whether an increase now goes on with a rebalance that was not in line after its hour. */
const isTakenUp = ({ increasedAt, wasInLine }: SeenPace, now: number): boolean =>
  increasedAt !== undefined && !wasInLine && now - increasedAt >= LASTS;

/** Why the rule forbids an increase now; undefined when it does not. */
function forbidden(
  rule: Rule,
  seen: SeenPace,
  type: BotRow['type'],
  now: number,
): string | undefined {
  const { increasedAt, since, wasInLine } = seen;
  const hasEnded = increasedAt === undefined || wasInLine || now - increasedAt >= LASTS;
  if (!hasEnded) return undefined;
  const hours = rule.cooldownHours;
  if (rule.at === null) {
    if (hours === null || increasedAt === undefined || now >= increasedAt + hours * HOUR)
      return undefined;
    return `${Math.round((now - increasedAt) / MINUTE)} minutes after the one before`;
  }
  // What a time of the day began and did not end is taken up once more.
  if (isTakenUp(seen, now) && !seen.isAgain) return undefined;
  const used = increasedAt ?? since;
  return now >= used && lastShown(type, rule.at, now) + MINUTE <= used
    ? `no ${rule.at} since the one before, or the start`
    : undefined;
}

/** The distance between holding and target as a part of equity; undefined if it cannot be told exactly. */
function distanceOf({ world, memory }: Run, bot: BotRow, stockId: string) {
  const account = ownPart(world, bot);
  if (!account || world.interleaves || bot.status_reason !== null || bot.join !== 'all')
    return undefined;
  const { broker } = world;
  if (broker.name === 'alpaca_paper' && broker.betweenAny()) return undefined;
  const isKnown = [...Object.keys(account.amounts), stockId].every((one) => {
    const [known, quote] = [memory.knownQuotes.get(one), world.market.latest(one)];
    return known && quote && known.bid.eq(quote.bid) && known.ask.eq(quote.ask);
  });
  const holdings = Object.entries(account.amounts);
  const equity = holdings.reduce(
    (total, [one, amount]) => total.plus(valueOfHolding(world, one, amount)),
    decimal(account.cash),
  );
  const wanted = targetOf(world, bot).get(stockId) ?? ZERO;
  if (!isKnown || !equity.gt(ZERO) || isAgainstKept(world, bot, stockId, wanted)) return undefined;
  const held = valueOfHolding(world, stockId, account.amounts[stockId] ?? '0');
  return divide(held, equity).minus(wanted).abs();
}

const isToward = (action: 'buy' | 'sell', held: Decimal): boolean =>
  action === 'buy' ? !held.lt(ZERO) : !held.gt(ZERO);

/** B13: an increase of a bot with a paced rebalance waits for the band, the cooldown and the time of the day. */
export function checkPaced(run: Run, bot: BotRow, orders: readonly BotOrderRow[]): void {
  const { world, memory } = run;
  if (bot.condition !== 'active' || bot.rebalance === '"every_trade"') {
    memory.paces.delete(bot.id);
    return;
  }
  const now = world.clock.now();
  const known = memory.paces.get(bot.id);
  const seen =
    known?.rule === bot.rebalance
      ? known
      : {
          ...{ rule: bot.rebalance, since: now, increasedAt: undefined },
          ...{ wasInLine: true, isAgain: false, turning: new Set<string>() },
        };
  memory.paces.set(bot.id, seen);
  // The cooldown of a moment in which the clock was ahead counts as over.
  if (seen.increasedAt !== undefined && now < seen.increasedAt) seen.increasedAt = undefined;
  if (bot.status === 'running') {
    seen.wasInLine = true;
    seen.turning.clear();
  }
  const rule = JSON.parse(bot.rebalance) as Rule;
  const account = ownPart(world, bot);
  let isIncreased = false;
  for (const order of orders) {
    const { id: orderId, stock_id: stockId, action, closes, created_at: at } = order;
    const held = decimal(account?.amounts[stockId] ?? '0');
    // What was bought too little of such an order is bought by the next one.
    const crosses = !isToward(action, held) && decimal(order.amount).gt(held.abs());
    if (closes === 1 || crosses) seen.turning.add(stockId);
    if (closes === 1 || seen.turning.has(stockId) || !isToward(action, held)) continue;
    isIncreased = true;
    world.reach('bot order: increase of a paced bot');
    const why = forbidden(rule, seen, bot.type, at);
    if (why !== undefined) world.violate('B13', `${orderId} increases ${stockId}: ${why}`);
    const distance = rule.band === null ? undefined : distanceOf(run, bot, stockId);
    // Prices are rounded, and the plan is made at other ones by a hair: half of the band is surely within it.
    if (rule.band !== null && distance?.lt(divide(decimal(rule.band), decimal('2'))) === true)
      world.violate(
        'B13',
        `${orderId} increases ${stockId}, ${distance.toFixed(4)} off its target`,
      );
  }
  if (!isIncreased) return;
  seen.isAgain = isTakenUp(seen, now) || (seen.isAgain && !seen.wasInLine);
  seen.increasedAt = now;
  seen.wasInLine = false;
}
