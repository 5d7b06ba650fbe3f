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
  const listed = Object.entries(account.amounts).filter(([one]) => world.market.latest(one));
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
      if (fills && !fills.eq(decimal(order.filledAmount)))
        world.violate(
          'B11',
          `${order.clientOrderId}: ${order.filledAmount} are filled, ${fills.toFixed()} are known`,
        );
    }
  }
}
