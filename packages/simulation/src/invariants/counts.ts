import type { OverviewView } from '@slipstream/domain';
import type { World } from '../world/world.js';

const RECOUNTED = `
SELECT 'users' AS name, count(*) AS count FROM users WHERE deleted_at IS NULL
UNION ALL SELECT 'strategies', count(*) FROM strategies WHERE deleted_at IS NULL
UNION ALL SELECT 'bots ' || status, count(*) FROM bots GROUP BY status
UNION ALL SELECT 'failed_mails', count(*) FROM mails WHERE failure IS NOT NULL
UNION ALL SELECT 'failed_payments', (SELECT count(*) FROM invoices WHERE status = 'failed')
  + (SELECT count(*) FROM withdrawals WHERE status = 'failed')`;

interface CountRow {
  readonly name: string;
  readonly count: number;
}

const countsOf = (world: World, sql: string): ReadonlyMap<string, number> =>
  new Map(world.database.rows<CountRow>(sql).map(({ name, count }) => [name, count]));

/** C1: the numbers that are kept of users, strategies, bots and failures are those of the rows. */
export function checkCounts(world: World): void {
  const kept = countsOf(world, 'SELECT name, count FROM counts');
  const found = countsOf(world, RECOUNTED);
  for (const name of new Set([...kept.keys(), ...found.keys()])) {
    const [is, should] = [kept.get(name) ?? 0, found.get(name) ?? 0];
    if (is !== should) world.violate('C1', `${is} ${name} are counted, there are ${should}`);
  }
}

/** C1: getOverview tells the rows of this moment. */
export function checkOverview(world: World, overview: OverviewView): void {
  const found = countsOf(world, RECOUNTED);
  const told = new Map<string, number>([
    ['users', overview.users],
    ['strategies', overview.strategies],
    ['failed_mails', overview.failedMails],
    ['failed_payments', overview.failedPayments],
    ...Object.entries(overview.bots).map(([status, count]) => [`bots ${status}`, count] as const),
  ]);
  for (const name of new Set([...told.keys(), ...found.keys()])) {
    const [is, should] = [told.get(name) ?? 0, found.get(name) ?? 0];
    if (is !== should) world.violate('C1', `the overview tells ${is} ${name}, there are ${should}`);
  }
  const halts = world.database.rows<{ id: string }>('SELECT id FROM halts');
  const shown = new Set<string>(overview.halts.map(({ id }) => id));
  if (shown.size !== halts.length || halts.some(({ id }) => !shown.has(id)))
    world.violate('C1', `the overview tells ${shown.size} halts, ${halts.length} stand`);
}
