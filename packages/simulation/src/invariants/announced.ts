import { type SourcedAction, decimal, divide } from '@slipstream/domain';
import { stockStatus } from '../world/places.js';
import type { TradeRow } from '../world/rows.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';

interface AnnouncedRow {
  readonly id: string;
  readonly stock_id: string;
  readonly kind: SourcedAction['kind'];
  readonly name: string;
  readonly due_at: number;
  readonly status: 'pending' | 'booked' | 'held' | 'missed' | 'withdrawn' | 'closed';
}

interface BookedRow {
  readonly kind: string;
  readonly figure: string;
  readonly created_at: number;
}

const announcedRows = (world: World): AnnouncedRow[] =>
  world.database.rows<AnnouncedRow>('SELECT * FROM announced_actions');

/** Whether the stock waits for a split that is due: its quotes are in shares that are not booked yet. */
export const awaitsSplit = (world: World, stockId: string, at: number): boolean =>
  announcedRows(world).some(
    ({ stock_id, kind, status, due_at }) =>
      stock_id === stockId && kind === 'split' && status === 'pending' && due_at <= at,
  );

/** An announced action is booked with the source's figures, once it is due. */
function checkBooked(world: World, row: AnnouncedRow): void {
  const say = (text: string): void =>
    world.violate('S4', `the announced ${row.name} of ${row.stock_id} ${text}`);
  const [booked] = world.database.rows<BookedRow>(
    'SELECT * FROM stock_actions WHERE id = ?',
    row.id,
  );
  if (!booked) return say('is booked, and there is no such corporate action');
  if (booked.created_at < row.due_at) return say('is booked before it is due');
  const figures = world.announcements.all
    .filter(
      ({ stockId, kind, dueAt }) =>
        stockId === row.stock_id && kind === row.kind && dueAt === row.due_at,
    )
    .map(({ newShares, oldShares, amount }) =>
      newShares && oldShares ? divide(newShares, oldShares) : (amount ?? decimal('0')),
    );
  if (!figures.some((figure) => figure.eq(decimal(booked.figure))))
    say(`is booked with ${booked.figure}, which nobody announced`);
}

/** S4: announced actions are booked as they were announced; a merger holds its stock until the operator decides, and nothing trades it. */
export function checkAnnounced({ world, memory }: Run): void {
  const trades = world.database.rows<TradeRow>('SELECT * FROM trades');
  const early = trades.find(
    ({ id, stock_id }) =>
      !memory.trades.has(id) &&
      memory.heldStocks.has(stock_id) &&
      stockStatus(world, stock_id) !== 'delisted',
  );
  const rows = announcedRows(world);
  const held = rows.filter(({ status }) => status === 'held');
  if (early && held.some(({ stock_id }) => stock_id === early.stock_id))
    world.violate('S4', `trade ${early.id} is of ${early.stock_id}, which is held`);
  memory.heldStocks.clear();
  for (const { stock_id } of held) memory.heldStocks.add(stock_id);
  for (const row of rows) {
    const before = memory.announced.get(row.id);
    if (before === row.status) continue;
    memory.announced.set(row.id, row.status);
    world.reach(`announced: ${row.kind} ${row.status}`);
    if (row.status === 'booked') checkBooked(world, row);
    if (row.status === 'closed' && row.kind === 'other' && before !== 'held')
      world.violate('S4', `the announced ${row.name} of ${row.stock_id} came to nothing`);
    if (row.status === 'held' && row.kind === 'other') takesEffect(world, row);
  }
}

/** At Alpaca a merger pays its holders, whatever we think of it. */
function takesEffect({ broker, market }: World, { stock_id: stockId }: AnnouncedRow): void {
  const figure = market.latest(stockId)?.last;
  if (broker.name === 'alpaca_paper' && figure)
    broker.takesEffect({ kind: 'delisting', figure, stockId });
}

/** At rest nothing that is due waits. */
export function checkAnnouncedRest(world: World): void {
  const now = world.clock.now();
  const late = announcedRows(world).find(
    ({ status, due_at }) => status === 'pending' && due_at <= now,
  );
  if (late)
    world.violate('liveness', `the announced ${late.name} of ${late.stock_id} is still to be done`);
}
