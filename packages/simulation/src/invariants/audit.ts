import { type AuditEntry, CHAIN_BEGINNING, verifyAudit } from '@slipstream/domain';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import type { BookRow } from '../world/rows.js';

/** What may change without a word: the market's figures, and what only comes with changes that are told. */
const UNTOLD: ReadonlySet<string> = new Set([
  'audit_entries',
  'quotes',
  'value_buckets',
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

/** K2: each link of the audit log covers the one before; from the first one on. */
export function checkWholeAudit(world: World): void {
  const found = verifyAudit(
    CHAIN_BEGINNING,
    entriesAfter(world, 0),
    world.secrets.fingerprints.sha256,
  );
  if (!found.intact)
    world.violate('K2', `the audit log is broken at ${found.seq}: ${found.reason}`);
}

/** Whether of the tokens only their use has changed since the last look: when, and until when that keeps them. */
function onlyUsed({ world, memory }: Run): boolean {
  const rows = world.database.rows<object>(
    'SELECT id, user_id, type, name, scope, strategy_ids, digest, parent_id FROM tokens ORDER BY id',
  );
  const before = memory.auditedTokens;
  memory.auditedTokens = JSON.stringify(rows);
  return before === undefined || before === memory.auditedTokens;
}

/** K2: a commit that changed something says so in the audit log, and names every book that it changed. */
export function checkAudit(run: Run, written: ReadonlySet<string>): void {
  const { world, memory } = run;
  const fresh = entriesAfter(world, memory.audited.seq);
  const found = verifyAudit(memory.audited, fresh, world.secrets.fingerprints.sha256);
  if (found.intact) memory.audited = found.head;
  else world.violate('K2', `the audit log is broken at ${found.seq}: ${found.reason}`);
  const silent = written.has('tokens') && onlyUsed(run) ? new Set([...UNTOLD, 'tokens']) : UNTOLD;
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
