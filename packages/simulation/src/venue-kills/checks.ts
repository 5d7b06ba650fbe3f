import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@slipstream/client';
import { type Decimal, ONE, ZERO, decimal, sum } from '@slipstream/domain';
import type { AlpacaOrder } from '@slipstream/stand-ins';
import { require } from '../torture/checks.js';
import type { Server } from '../torture/program.js';
import {
  MAX_ORDER,
  type Owned,
  type Scene,
  TRADED,
  calm,
  ownerOf,
  sendQuotes,
  stockIdOf,
} from './scene.js';

/** An order in doubt is asked for during a minute; then the bot backs off for at most as long. */
const SETTLED_WITHIN = 240_000;
const PAGE = 100;

/** The orders of an account that no person gave. */
export const sentOrders = ({ account }: Owned): readonly AlpacaOrder[] =>
  account.orders.filter(({ clientOrderId }) => !clientOrderId.startsWith('by-'));

const signed = ({ side, filledQty }: AlpacaOrder): Decimal =>
  side === 'buy' ? filledQty : ZERO.minus(filledQty);

type BotOrders = Awaited<ReturnType<Client['getBotOrders']>>;
type Bots = Awaited<ReturnType<Client['getBots']>>;

async function allBotOrders(client: Client, bot_id: string): Promise<BotOrders> {
  const all: BotOrders[number][] = [];
  for (;;) {
    const cursor = all.at(-1)?.bot_order_id;
    const page = await client.getBotOrders({ bot_id, limit: PAGE, cursor });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** Holds at every moment, whatever the server knows: nothing is sent twice, beyond a limit or unknown; what is kept stays. */
export async function checkAlways(scene: Scene, server: Server, when: string): Promise<void> {
  const client = ownerOf(scene, server);
  for (const bot of await client.getBots()) {
    const owned = ownedBy(scene, bot);
    const sent = sentOrders(owned);
    const ids = new Set(sent.map(({ clientOrderId }) => clientOrderId));
    const rows = await allBotOrders(client, bot.bot_id);
    const stored = new Set(rows.map((one) => one.bot_order_id));
    const faults = [
      ...(ids.size < sent.length ? ['an order was placed twice under its id'] : []),
      ...[...ids].filter((one) => !stored.has(one)).map((one) => `order ${one} has no row`),
      ...sent
        .filter(({ side }) => side === 'buy')
        .filter(({ qty, limitPrice }) => qty.times(limitPrice ?? ONE).gt(MAX_ORDER))
        .map(({ clientOrderId }) => `order ${clientOrderId} is beyond max_order`),
      ...[...owned.byHand].flatMap(([symbol, kept]) => {
        const held = heldIn(scene, owned, symbol);
        return held.lt(kept) ? [`${symbol}: ${held.toFixed()} are left of ${kept.toFixed()}`] : [];
      }),
    ];
    require(faults, when);
  }
}

const ownedBy = ({ accounts }: Scene, bot: { readonly account_id: string }): Owned => {
  const owned = accounts.find(({ account }) => account.number === bot.account_id);
  if (!owned) throw new Error(`the venue has no account ${bot.account_id}`);
  return owned;
};

export const heldIn = ({ standIn }: Scene, { account }: Owned, symbol: string): Decimal =>
  account.positions.get(standIn.asset(symbol).id) ?? ZERO;

/** What the server does not know yet, once the venue is well again. */
async function unsettled(scene: Scene, client: Client, bot: Bots[number]): Promise<string[]> {
  const rows = await allBotOrders(client, bot.bot_id);
  const orders = new Map(rows.map((order) => [order.bot_order_id, order]));
  return [
    ...(bot.status === 'running' ? [] : [`a bot is ${bot.status}: ${bot.status_reason}`]),
    ...sentOrders(ownedBy(scene, bot)).flatMap(({ clientOrderId, filledQty }) => {
      const known = orders.get(clientOrderId)?.filled_amount ?? 'nothing';
      return known === filledQty.toFixed()
        ? []
        : [`${clientOrderId}: ${filledQty.toFixed()} filled, ${known} known`];
    }),
    ...rows.flatMap(({ bot_order_id, status }) =>
      ['unknown', 'open', 'intent'].includes(status) ? [`${bot_order_id} is ${status}`] : [],
    ),
  ];
}

/** The holdings that are not divided between the owner and the bot as they were bought. */
async function wrongParts(scene: Scene, client: Client, bot: Bots[number]): Promise<string[]> {
  const owned = ownedBy(scene, bot);
  const { positions } = await client.getBotAccount({ bot_id: bot.bot_id });
  return [...new Set([...TRADED, ...owned.byHand.keys()])].flatMap((symbol) => {
    const asset = scene.standIn.asset(symbol);
    const sent = sentOrders(owned).filter((one) => one.asset === asset);
    const kept = owned.byHand.get(symbol) ?? ZERO;
    const isExplained = heldIn(scene, owned, symbol).eq(sum(sent.map(signed)).plus(kept));
    const seen = positions.find((one) => one.stock_id === stockIdOf(symbol))?.kept ?? '0';
    return [
      ...(isExplained ? [] : [`${symbol}: the fills do not explain the holding`]),
      ...(decimal(seen).eq(kept) ? [] : [`${symbol}: ${seen} kept, not ${kept.toFixed()}`]),
    ];
  });
}

/** Each bot knows every fill, its account is in line, and what is kept is what its owner bought. */
export async function checkSettled(scene: Scene, server: Server, when: string): Promise<void> {
  calm(scene);
  const until = performance.now() + SETTLED_WITHIN;
  for (;;) {
    await sendQuotes(server);
    const client = ownerOf(scene, server);
    const bots = await client.getBots();
    const faults = (await Promise.all(bots.map((bot) => unsettled(scene, client, bot)))).flat();
    if (faults.length === 0) {
      const parts = await Promise.all(bots.map((bot) => wrongParts(scene, client, bot)));
      return require(parts.flat(), when);
    }
    if (performance.now() > until) require(faults, when);
    await wait(500);
  }
}
