import { createHash } from 'node:crypto';
import type { Client } from '@slipstream/client';
import {
  type Decimal,
  ONE,
  type TrackEntry,
  ZERO,
  decimal,
  id,
  verifyTrack,
  withBodies,
} from '@slipstream/domain';
import { brokenPromises } from './ledger.js';
import { type Scene, clientOf } from './scene.js';

const PAGE = 100;
const STATUSES = ['open', 'filled', 'cancelled', 'rejected'] as const;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface From {
  readonly limit: number;
  readonly cursor?: string;
}

/** Every page of a list. */
export async function everyPage<Row>(
  page: (from: From) => Promise<readonly Row[]>,
  cursorOf: (row: Row) => string,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const last = all.at(-1);
    const rows = await page({ limit: PAGE, ...(last && { cursor: cursorOf(last) }) });
    all.push(...rows);
    if (rows.length < PAGE) return all;
  }
}

const ordersOf = async (client: Client, strategy_id: string) => {
  const found = STATUSES.map(async (order_status) => {
    const orders = await everyPage(
      (from) => client.getOrders({ strategy_id, order_status, ...from }),
      ({ order_id }) => order_id,
    );
    return orders.map(({ order_id, total }) => ({ id: order_id, status: order_status, total }));
  });
  return (await Promise.all(found)).flat();
};

const tradesOf = (client: Client, strategy_id: string) =>
  everyPage(
    (from) => client.getTrades({ strategy_id, ...from }),
    ({ trade_id }) => trade_id,
  );

async function recordOf(client: Client, strategy_id: string): Promise<TrackEntry[]> {
  const entries = await everyPage(
    async (from) => (await client.getTrackRecord({ strategy_id, ...from })).entries,
    ({ seq }) => String(seq),
  );
  const strategyId = id<'strategy'>(strategy_id);
  return withBodies(
    entries.map(({ at, previous_hash: previousHash, ...entry }) => ({
      ...entry,
      strategyId,
      at: Date.parse(at),
      previousHash,
    })),
  );
}

/** The difference of cash and positions from the sum of the trades. */
async function misplaced(
  client: Client,
  strategy_id: string,
  trades: Awaited<ReturnType<typeof tradesOf>>,
): Promise<string[]> {
  const held = new Map<string, Decimal>();
  const add = (stockId: string, amount: Decimal): void =>
    void held.set(stockId, (held.get(stockId) ?? ZERO).plus(amount));
  for (const { stock_id, action, amount } of trades)
    add(stock_id, action === 'buy' ? decimal(amount) : ZERO.minus(amount));
  const { cash, positions } = await client.getPositions({ strategy_id });
  for (const { stock_id, amount } of positions) add(stock_id, ZERO.minus(amount));
  const booked = trades.reduce(
    (sum, { action, total, fee_total, rounding }) =>
      (action === 'buy' ? sum.minus(total) : sum.plus(total)).minus(fee_total).minus(rounding),
    ONE,
  );
  add('cash', booked.minus(cash));
  return [...held]
    .filter(([, rest]) => !rest.eq(ZERO))
    .map(([stockId, rest]) => `${strategy_id} ${stockId}: its trades say ${rest.toFixed()} more`);
}

/**
 * The faults of a storage that only its server reads, as a client sees it: every answered effect is there, requests with one
 * key took effect once, positions are the sum of the trades, and the track records verify.
 */
export async function faultsAt({ token, strategyIds, promised }: Scene, url: string) {
  const client = clientOf(url, token);
  const faults: string[] = [];
  const orders: Awaited<ReturnType<typeof ordersOf>> = [];
  const trades: { readonly id: string; readonly order_id: string }[] = [];
  for (const strategy_id of strategyIds) {
    const traded = await tradesOf(client, strategy_id);
    trades.push(...traded.map(({ trade_id, order_id }) => ({ id: trade_id, order_id })));
    orders.push(...(await ordersOf(client, strategy_id)));
    faults.push(...(await misplaced(client, strategy_id, traded)));
    const record = await recordOf(client, strategy_id);
    const verdict = verifyTrack(record, sha256, promised.heads.get(strategy_id));
    if (verdict.intact) promised.heads.set(strategy_id, verdict.head);
    else faults.push(`track record of ${strategy_id}, entry ${verdict.seq}: ${verdict.reason}`);
    const recorded = record.filter(({ kind }) => kind === 'trade').length;
    if (recorded !== traded.length)
      faults.push(`${traded.length} trades of ${strategy_id} have ${recorded} track entries`);
  }
  return [...faults, ...brokenPromises(orders, trades, promised)];
}
