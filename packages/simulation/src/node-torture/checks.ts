import { runProgram } from '@slipstream/server/testing';
import { require } from '../torture/checks.js';
import { faultsOf, unsettled } from '../torture/ledger.js';
import type { Load } from '../torture/load.js';
import { type Trading, sendQuotes } from '../torture/scene.js';
import { sendAgain } from '../torture/send-again.js';
import type { Database } from './database.js';
import { type Cluster, SECRET_KEY } from './nodes.js';
import { answeredState } from './state.js';
import type { Watcher } from './watchers.js';
import { until, within } from './within.js';

/** An order in doubt is asked for during a minute. */
const SETTLED_WITHIN = 90_000;
/** Streams tell the last commit within so many milliseconds. */
const TOLD_WITHIN = 10_000;

export interface Checked {
  readonly cluster: Cluster;
  readonly trading: Trading;
  readonly watchers: readonly Watcher[];
  readonly slack: number;
}

/** Checks everything while no client sends: what was promised, the ledger, the streams and every node's answers. */
export async function checkAll(checked: Checked, load: Load, when: string): Promise<void> {
  const { cluster, trading, watchers } = checked;
  const { database } = cluster;
  require(load.faults, when);
  require(await missed(database, watchers), when);
  const { url } = await cluster.owner();
  await sendQuotes(url);
  require(await sendAgain(trading, url, load.unanswered), when);
  require(await done(database, load), when);
  await settled(checked, when);
  require(faultsOf(await database.ledger(), trading.promised), when);
  await sameEverywhere(checked, when);
  require(watchers.flatMap(({ faults }) => faults), when);
  trading.figures.checks += 1;
}

/**
 * The versions that a commit told of and a stream did not. A limit order that begins to rest is a version that tells nothing: it met no
 * quote when it was placed, as after a takeover. Commits of two minutes are in the journal.
 */
async function missed(database: Database, watchers: readonly Watcher[]): Promise<string[]> {
  const gaps = watchers.flatMap((watcher) => watcher.gaps.splice(0));
  if (gaps.length === 0) return [];
  const rows = await database.rows<{ orders: string }>(
    'SELECT orders FROM journal WHERE orders IS NOT NULL',
  );
  const told = rows.flatMap(
    ({ orders }) => JSON.parse(orders) as readonly [string, number, number][],
  );
  return gaps.flatMap(({ stream, strategyId, after, version }) =>
    told
      .filter(([of, , one]) => of === strategyId && one > after && one < version)
      .map(([, , one]) => `${stream}: orders of ${strategyId} lack version ${one} after ${after}`),
  );
}

/** What was done that was refused, or was done twice. */
async function done(database: Database, { unavailable }: Load): Promise<string[]> {
  const refused = await database.rows<{ request_id: string; action: string }>(
    'SELECT request_id, action FROM audit_entries WHERE request_id = ANY($1)',
    unavailable,
  );
  const twice = await database.rows<{ alert_id: string; count: number }>(
    `SELECT alert_id, count(*) FROM alerts WHERE alert_id IS NOT NULL
     AND verdict NOT IN ('duplicate', 'refused') GROUP BY alert_id HAVING count(*) > 1`,
  );
  const again = await database.rows<{ request_id: string; action: string; count: number }>(
    `SELECT request_id, action, count(*) FROM audit_entries WHERE request_id IS NOT NULL
     AND action LIKE 'newOrder%' GROUP BY request_id, action HAVING count(*) > 1`,
  );
  return [
    ...refused.map((one) => `request ${one.request_id} was refused with 503 and did ${one.action}`),
    ...twice.map(({ alert_id, count }) => `alert ${alert_id} took effect ${count} times`),
    ...again.map((one) => `request ${one.request_id} did ${one.action} ${one.count} times`),
  ];
}

/** The bot settles its orders by itself, and then its account agrees with them. */
async function settled({ cluster, slack }: Checked, when: string): Promise<void> {
  let faults: readonly string[] = [];
  const agree = async (): Promise<boolean> => {
    faults = unsettled(await cluster.database.ledger());
    return faults.length === 0;
  };
  await within(SETTLED_WITHIN * slack, 'bots settle', until(agree)).catch(() =>
    require(faults, when),
  );
}

/** Every node answers the same, and every stream has told it. */
async function sameEverywhere(checked: Checked, when: string): Promise<void> {
  const { cluster, trading, watchers, slack } = checked;
  for (const strategyId of trading.strategyIds) {
    let faults: readonly string[] = [];
    const same = async (): Promise<boolean> => {
      const answers = await Promise.all(
        cluster.all().map(({ url }) => answeredState(trading, url, strategyId)),
      );
      const [first = ''] = answers;
      faults = [
        ...answers.filter((one) => one !== first).map((one) => `nodes answer ${one} and ${first}`),
        ...watchers
          .map((watcher) => watcher.knows(strategyId))
          .filter((one) => one !== first)
          .map((one) => `a stream has told ${one}, nodes answer ${first}`),
      ];
      return faults.length === 0;
    };
    await within(TOLD_WITHIN * slack, 'streams tell all', until(same)).catch(() =>
      require(faults, `${when}: ${strategyId}`),
    );
  }
}

/** The chain of the audit log is whole. */
export async function checkAudit(folder: string, database: Database, when: string): Promise<void> {
  const { code, out, complaints } = await runProgram(folder, ['audit', '--verify'], {
    DATABASE_URL: database.url,
    SECRET_KEY,
  }).ended;
  const isIntact = code === 0 && out.includes('is intact');
  require(isIntact ? [] : [`the audit log: ${out}${complaints}`], when);
}
