import { type Decimal, ZERO, decimal, sum } from '@slipstream/domain';
import type { KeptAccount } from '../../world/accounts.js';
import type { BotOrderRow, BotRow } from '../../world/rows.js';
import type { World } from '../../world/world.js';

/** An order as it is sent over HTTP. */
interface SentOrder {
  readonly client_order_id: string;
  readonly side: string;
  readonly qty: string;
  readonly limit_price?: string;
}

type StoredOrder = BotOrderRow & { readonly limit_price: string | null };

/** B11: the broker gets each order as it is stored. */
export function checkAsStored(world: World, body: string): void {
  const sent = JSON.parse(body) as SentOrder;
  const sql = 'SELECT * FROM bot_orders WHERE id = ?';
  const [stored] = world.database.rows<StoredOrder>(sql, sent.client_order_id);
  if (!stored) return;
  const isSame =
    sent.side === stored.action &&
    decimal(sent.qty).eq(decimal(stored.amount)) &&
    (sent.limit_price ?? null) === stored.limit_price;
  if (!isSame) world.violate('B11', `order ${stored.id} is sent otherwise than stored: ${body}`);
}

/** B6: whatever a bot does, its account keeps what the owner held before, less what he sold since. */
export function checkOwned({ broker, ...world }: World): void {
  if (broker.name !== 'alpaca_paper') return;
  for (const [accountId, { amounts }] of broker.accounts())
    for (const [stockId, owned] of broker.owned(accountId)) {
      const held = decimal(amounts[stockId] ?? '0');
      // Where nothing is left of it, the bot may sell short.
      if (owned.gt(ZERO) && held.lt(owned))
        world.violate(
          'B6',
          `${held.toFixed()} of ${stockId} are left in ${accountId}, its owner had ${owned.toFixed()}`,
        );
    }
}

/** B14: nobody trades a stock while a split of it is known here and has not reached the broker. */
export function checkNotBehind({ broker, ...world }: World, body: string): void {
  const { client_order_id: orderId } = JSON.parse(body) as SentOrder;
  const sql =
    'SELECT stock_id, account_id, held_parts FROM bot_orders JOIN bots ON bots.id = bot_id WHERE bot_orders.id = ?';
  const [order] = world.database.rows<
    Pick<BotRow, 'account_id' | 'held_parts'> & { readonly stock_id: string }
  >(sql, orderId);
  if (broker.name !== 'alpaca_paper' || !order) return;
  // Of what only its owner held, nobody may have seen the shares of before.
  const parts = JSON.parse(order.held_parts) as [string, string, string][];
  const isOwn = parts.some(([stockId, , own]) => stockId === order.stock_id && own !== '0');
  if (!isOwn || !broker.isBehind(order.stock_id, order.account_id)) return;
  world.violate('B14', `order ${orderId} leaves before the split of ${order.stock_id} is there`);
}

/** A fraction that is left out when shares are counted anew. */
const FRACTION = decimal('0.000001');

/** B14: at rest no more is kept for the owner of an account than he had and bought. */
export function checkKept({ broker, ...world }: World): void {
  if (broker.name !== 'alpaca_paper') return;
  for (const bot of world.database.rows<BotRow>("SELECT * FROM bots WHERE status <> 'off'")) {
    const most = broker.mostOwned(bot.account_id);
    for (const [stockId, kept] of keptParts(bot))
      if (kept.gt((most.get(stockId) ?? ZERO).plus(FRACTION)))
        world.violate(
          'B14',
          `${kept.toFixed()} of ${stockId} are kept in ${bot.account_id}, its owner had ${(most.get(stockId) ?? ZERO).toFixed()}`,
        );
  }
}

/** What the core keeps of each holding for the owner of the account. */
function keptParts({ held_parts }: BotRow): ReadonlyMap<string, Decimal> {
  const parts = JSON.parse(held_parts) as [string, string, string, number][];
  return new Map(parts.map(([stockId, kept]) => [stockId, decimal(kept)]));
}

/** The listed holdings without what is kept, and the cash without what would buy kept shorts back. */
export function ownPart(
  world: World,
  bot: BotRow,
): Pick<KeptAccount, 'cash' | 'amounts'> | undefined {
  const account = world.broker.account(bot.account_id);
  if (!account || world.broker.name === 'simulated') return account;
  const kept = keptParts(bot);
  const { broker } = world;
  // While a split has reached one side alone, shares there and shares here are not comparable.
  const listed = Object.entries(account.amounts).filter(
    ([one]) => world.market.latest(one) && !broker.isBetween(one, bot.account_id),
  );
  const traded = new Set(
    account.orders.flatMap(({ stockId, filledAmount }) => (filledAmount === '0' ? [] : [stockId])),
  );
  const amounts = listed.flatMap(([stockId, amount]) => {
    // What is not divided yet (its price is in doubt) is the owner's, unless the bot traded it; so is what he took by hand of his own.
    const whole = traded.has(stockId) ? ZERO : decimal(amount);
    const part = kept.get(stockId) ?? whole;
    const isTaken = !traded.has(stockId) && part.gt(amount) && decimal(amount).gt(ZERO);
    const own = isTaken ? ZERO : decimal(amount).minus(part);
    return own.eq(ZERO) ? [] : [[stockId, own.toFixed()] as const];
  });
  const reserved = [...kept].map(([stockId, amount]) =>
    amount.lt(ZERO) ? amount.times(world.market.latest(stockId)?.ask ?? ZERO) : ZERO,
  );
  return {
    amounts: Object.fromEntries(amounts),
    cash: decimal(account.cash).plus(sum(reserved)).toFixed(),
  };
}

/** Whether the owner holds the stock on the side on which the bot cannot. */
export const isAgainstKept = (world: World, bot: BotRow, stockId: string, wanted: Decimal) =>
  world.broker.name !== 'simulated' && (keptParts(bot).get(stockId) ?? ZERO).times(wanted).lt(ZERO);

/** B11: at rest the core knows every fill of its orders. */
export function checkNoneLost(world: World): void {
  for (const bot of world.database.rows<BotRow>('SELECT * FROM bots')) {
    if (bot.status !== 'running' && bot.status !== 'off') continue;
    const known = new Map(
      world.database
        .rows<BotOrderRow>('SELECT * FROM bot_orders WHERE bot_id = ?', bot.id)
        .map((row) => [row.id, decimal(row.filled_amount)]),
    );
    for (const order of world.broker.account(bot.account_id)?.orders ?? []) {
      const fills = known.get(order.clientOrderId);
      // Of orders that are older nobody asks for late fills.
      const isBeyond =
        world.broker.name === 'alpaca_paper' && world.broker.isBeyond(order.clientOrderId);
      if (fills && !isBeyond && !fills.eq(decimal(order.filledAmount)))
        world.violate(
          'B11',
          `${order.clientOrderId}: ${order.filledAmount} are filled, ${fills.toFixed()} are known`,
        );
    }
  }
}
