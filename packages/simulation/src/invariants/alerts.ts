import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import type { AlertRow } from '../world/rows.js';

const RESEND_WINDOW = 30_000;

const read = (row: Omit<AlertRow, 'repeats'>): AlertRow => ({
  ...row,
  repeats: row.verdict === 'duplicate' ? row.reason?.replace('repeats ', '') : undefined,
});

export function alertRow(world: World, id: string): AlertRow | undefined {
  const [row] = world.database.rows<AlertRow>('SELECT * FROM alerts WHERE id = ?', id);
  return row && read(row);
}

/** W1: after a 5xx nothing was done. */
export function checkNoEffect(world: World, delivery: string): void {
  if (alertRow(world, delivery))
    world.violate('W1', `the alert ${delivery} failed and is in the inbox`);
}

/** W1: a repeat gets the first answer. */
export function checkStoredAnswer({ world, memory }: Run, row: AlertRow, answer: string): void {
  const { answers } = memory.inbox;
  const first = row.repeats ?? row.id;
  const before = answers.get(first);
  if (before !== undefined && before !== answer)
    world.violate('W1', `the repeat ${row.id} of ${first} is answered otherwise`);
  answers.set(first, answer);
}

/** Whether two alerts have the same body, token and strategy. */
const isLike = (one: AlertRow, other: AlertRow): boolean =>
  one.fingerprint !== null && one.fingerprint === other.fingerprint;

/**
 * W1: an alert that may be unanswered and its repeat have one effect; an `alert_id` has one effect forever. The 30 seconds are
 * elapsed time: setting a clock back makes no alert younger, because the service may have forgotten it by then.
 */
function checkOneEffect({ world, memory }: Run, row: AlertRow, earlier: readonly AlertRow[]): void {
  const { heard, storedAt } = memory.inbox;
  const carriedOut = earlier.filter(
    (one) => one.answer !== null && one.strategy_id === row.strategy_id,
  );
  if (row.alert_id !== null) {
    const first = carriedOut.find((one) => one.alert_id === row.alert_id);
    if (first)
      world.violate('W1', `${row.alert_id} of ${first.id} was carried out again by ${row.id}`);
    return;
  }
  const last = carriedOut.findLast((one) => isLike(one, row));
  if (!last || heard.has(last.id)) return;
  const apart = (storedAt.get(row.id) ?? Infinity) - (storedAt.get(last.id) ?? -Infinity);
  if (apart > RESEND_WINDOW) return;
  world.violate('W1', `${row.id} repeats ${last.id}, which nobody heard of, and has an effect`);
}

/** W1: only an alert that may be unanswered can have a repeat; after an answer an equal alert is the next step. */
function checkRepeat({ world, memory }: Run, row: AlertRow, earlier: readonly AlertRow[]): void {
  const first = earlier.find((one) => one.id === row.repeats);
  const say = (text: string): void => world.violate('W1', `${row.id} is a repeat, and ${text}`);
  if (!first || first.answer === null) return say('the first was not carried out');
  if (first.order_id !== row.order_id) say('shows another order than the first');
  if (row.alert_id !== null && row.alert_id === first.alert_id) return;
  if (!isLike(first, row)) say('says something else than the first');
  if (first.created_at < row.created_at - RESEND_WINDOW) say('comes too late for one');
  if (memory.inbox.heardBefore.get(row.id)?.has(first.id)) say('the first was answered');
}

interface Answered {
  readonly id: string;
  readonly verdict: AlertRow['verdict'];
  readonly status: string;
  readonly reason: string | null;
}

/** Contract 3, "Inbox": an alert is superseded exactly if a later alert cancelled its orders before they filled. */
function checkSuperseded(world: World): void {
  const answered = world.database.rows<Answered>(
    'SELECT a.id, a.verdict, o.status, o.reason FROM alerts a JOIN orders o ON o.id = a.order_id WHERE a.answer IS NOT NULL',
  );
  for (const { id, verdict, status, reason } of answered) {
    const gaveWay = status === 'cancelled' && reason === 'replaced by newOrderWebhook';
    if (gaveWay !== (verdict === 'superseded'))
      world.violate('W1', `the alert ${id} is ${verdict}, its order is ${status}`);
  }
}

/** Every verdict is final, except that an accepted alert can still be superseded. */
export function checkAlerts(run: Run): void {
  const { world, memory } = run;
  const { rows, storedAt } = memory.inbox;
  const all = world.database.rows<AlertRow>('SELECT * FROM alerts ORDER BY rowid').map(read);
  all.forEach((row, index) => {
    const before = rows.get(row.id);
    rows.set(row.id, row);
    if (!before) storedAt.set(row.id, row.created_at + world.setBackBy);
    if (before?.verdict === row.verdict) return;
    if (before) {
      const gaveWay = before.verdict === 'accepted' && row.verdict === 'superseded';
      if (!gaveWay)
        world.violate('W1', `the alert ${row.id} was ${before.verdict} and is ${row.verdict}`);
      world.reach('alert: superseded');
      return;
    }
    const earlier = all.slice(0, index);
    if (row.verdict === 'duplicate') checkRepeat(run, row, earlier);
    else if (row.answer !== null) checkOneEffect(run, row, earlier);
  });
  checkSuperseded(world);
}
