import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import type { IdempotencyRow } from '../world/rows.js';

const KEPT_FOR = 24 * 60 * 60 * 1000;

/** The stored answer, unless its 24 hours have passed (contract 1, "Idempotency"). */
export const stillKept = (
  world: World,
  row: IdempotencyRow | undefined,
): IdempotencyRow | undefined =>
  row && row.created_at > world.clock.now() - KEPT_FOR ? row : undefined;

/** The stored answer to a request under a key, until it expires. */
export function keptAnswer(world: World, name: string): IdempotencyRow | undefined {
  const sql = 'SELECT * FROM kept_answers WHERE name = ?';
  const [row] = world.database.rows<IdempotencyRow>(sql, name);
  return stillKept(world, row);
}

interface Sent {
  readonly name: string;
  readonly body: string;
  /** The answer that was stored when the request was sent. */
  readonly before: IdempotencyRow | undefined;
}

const isSameBody = (world: World, { name, body }: Sent, { body_mac }: IdempotencyRow): boolean =>
  world.secrets.secretBox.verify(body_mac, body, name);

/** I1: a request that took effect gets the same answer again; another body under the key never gets it. */
export function checkKeptAnswer({ world, memory }: Run, sent: Sent, text: string): void {
  const { name, before } = sent;
  const { answers } = memory.keys;
  const say = (what: string): void => world.violate('I1', `the request ${name} ${what}`);
  if (before) {
    world.reach('key: answered again');
    if (!isSameBody(world, sent, before)) say('was answered though its body is another');
    else if (before.sealed_answer === null) say('was interrupted, and is answered');
    else if (world.secrets.secretBox.open(before.sealed_answer, name) !== text)
      say('is answered otherwise than it is kept');
    const first = answers.get(name);
    if (first?.at === before.created_at && first.text !== text) say('is answered otherwise');
  }
  const kept = keptAnswer(world, name);
  if (kept) answers.set(name, { text, at: kept.created_at });
  else if (world.faults.met() === 0) say('was answered, and its answer is not kept');
}

/** I1: a repeat is refused only if its body differs, or if the first was interrupted before its answer was known. */
export function checkKeptRefusal(
  world: World,
  sent: Sent,
  error: Error & { readonly code?: string },
): void {
  if (error.name !== 'Refusal') return;
  const { name, before } = sent;
  const say = (what: string): void => world.violate('I1', `the request ${name} ${what}`);
  const kept = before ?? keptAnswer(world, name);
  if (error.code === 'idempotency_conflict') {
    world.reach('key: conflict');
    if (!kept || isSameBody(world, sent, kept)) say('is refused for a body that is the same');
  } else if (error.code === 'idempotency_interrupted') {
    world.reach('key: interrupted');
    if (!kept || kept.sealed_answer !== null) say('is refused though its answer is kept');
  } else if (before) say(`took effect, and comes to nothing when it is repeated: ${error.message}`);
}

/** The table to which a route adds a row. */
const ADDS_TO: Readonly<Record<string, string>> = {
  newStrategy: 'strategies',
  newOrder: 'orders',
  newStrategySubscription: 'subscriptions',
  newBot: 'bots',
  newPaymentSource: 'payment_sources',
  newWithdrawal: 'withdrawals',
  newStockAction: 'stock_actions',
};

/** The number of rows in each of these tables. */
export const countRows = (world: World): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(ADDS_TO).map(([route, table]) => {
      const [row] = world.database.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
      return [route, row?.n ?? 0];
    }),
  );

/** I1: all repeats of a request in one step add at most one row together. */
export function checkDoneOnce({ world, memory }: Run, before: ReadonlyMap<string, number>): void {
  const { sent } = memory.keys;
  const [route, ...others] = new Set(sent.map((one) => one.route));
  if (route === undefined || others.length > 0) return;
  const names = new Set(
    sent.filter(({ found }) => !stillKept(world, found)).map(({ name }) => name),
  );
  const added = (countRows(world).get(route) ?? 0) - (before.get(route) ?? 0);
  if (added > names.size) world.violate('I1', `${route} under ${names.size} keys added ${added}`);
}
