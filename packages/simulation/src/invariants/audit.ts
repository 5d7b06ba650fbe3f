import { type AuditEntry, CHAIN_BEGINNING, verifyAudit } from '@slipstream/domain';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import type { BookRow } from '../world/rows.js';

/** Tables that may change without an audit entry: market data, and rows that only accompany recorded changes. */
const WITHOUT_ENTRY: ReadonlySet<string> = new Set([
  'audit_entries',
  'quotes',
  'daily_closes',
  'quote_feeds',
  'bot_history',
  'market_runs',
  'value_buckets',
  'value_days',
  'track_entries',
  'kept_answers',
  'key_proofs',
  'tallies',
  'broker_accounts',
  'bots',
  'bot_strategies',
]);

interface AuditRow {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly token_id: string | null;
  readonly ip: string | null;
  readonly action: string;
  readonly objects: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly request_id: string | null;
  readonly prev_hash: string;
  readonly hash: string;
}

const entryOf = ({ token_id, request_id, prev_hash, objects, ...row }: AuditRow): AuditEntry =>
  ({
    ...row,
    tokenId: token_id,
    requestId: request_id,
    prevHash: prev_hash,
    objects: JSON.parse(objects) as string[],
  }) as AuditEntry;

const entriesAfter = (world: World, seq: number): AuditEntry[] =>
  world.database
    .rows<AuditRow>('SELECT * FROM audit_entries WHERE seq > ? ORDER BY seq', seq)
    .map(entryOf);

/** K2: the links of the whole audit log form one chain. */
export function checkWholeAudit(world: World): void {
  const found = verifyAudit(
    CHAIN_BEGINNING,
    entriesAfter(world, 0),
    world.secrets.fingerprints.sha256,
  );
  if (!found.intact)
    world.violate('K2', `the audit log is broken at ${found.seq}: ${found.reason}`);
}

/** Whether at most the use of the tokens has changed since the last check: their last use and their expiry. */
function onlyUsed({ world, memory }: Run): boolean {
  const rows = world.database.rows<object>(
    'SELECT id, user_id, type, name, scope, strategy_ids, digest, parent_id FROM tokens ORDER BY id',
  );
  const before = memory.auditedTokens;
  memory.auditedTokens = JSON.stringify(rows);
  return before === undefined || before === memory.auditedTokens;
}

/** K2: a commit with a change adds an audit entry, which names every changed book. */
export function checkAudit(run: Run, written: ReadonlySet<string>): void {
  const { world, memory } = run;
  const fresh = entriesAfter(world, memory.audited.seq);
  const found = verifyAudit(memory.audited, fresh, world.secrets.fingerprints.sha256);
  if (found.intact) memory.audited = found.head;
  else world.violate('K2', `the audit log is broken at ${found.seq}: ${found.reason}`);
  const silent =
    written.has('tokens') && onlyUsed(run) ? new Set([...WITHOUT_ENTRY, 'tokens']) : WITHOUT_ENTRY;
  const untold = [...written].filter((table) => !silent.has(table));
  if (fresh.length === 0 && untold.length > 0)
    world.violate('K2', `${untold.join(', ')} changed without a word in the audit log`);
  if (!written.has('books')) return;
  const named = new Set(fresh.flatMap(({ objects }) => objects));
  for (const { strategy_id, version } of world.database.rows<BookRow>('SELECT * FROM books')) {
    const isNew = version > (memory.auditedVersions.get(strategy_id) ?? 0);
    memory.auditedVersions.set(strategy_id, version);
    if (isNew && !named.has(`strategy:${strategy_id}`))
      world.violate('K2', `the book of ${strategy_id} changed and the audit log does not name it`);
  }
}
