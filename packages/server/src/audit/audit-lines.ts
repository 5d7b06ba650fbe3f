import { type AuditEntry, type AuditOutcome, id } from '@slipstream/domain';

/** An entry as a line of JSON, as the API would write it. */
export const lineOf = (entry: AuditEntry): string => {
  const { seq, at, actor, tokenId, ip, action, objects, outcome, code, requestId } = entry;
  return JSON.stringify({
    seq,
    at: new Date(at).toISOString(),
    actor,
    token_id: tokenId,
    ip,
    action,
    objects,
    outcome,
    code,
    request_id: requestId,
    prev_hash: entry.prevHash,
    hash: entry.hash,
  });
};

type Line = Readonly<Record<string, unknown>>;

/** The entry of a line. The line is not trusted: the chain shows whether it is the original one. */
export function entryOf(line: Line): AuditEntry {
  const text = (name: string): string => String(line[name]);
  const optional = (name: string): string | null =>
    line[name] === null || line[name] === undefined ? null : text(name);
  const tokenId = optional('token_id');
  const { objects } = line;
  return {
    seq: Number(line['seq']),
    at: Date.parse(text('at')),
    actor: text('actor'),
    tokenId: tokenId === null ? null : id(tokenId),
    ip: optional('ip'),
    action: text('action'),
    objects: Array.isArray(objects) ? objects.map(String) : [],
    outcome: text('outcome') as AuditOutcome,
    code: optional('code'),
    requestId: optional('request_id'),
    prevHash: text('prev_hash'),
    hash: text('hash'),
  };
}
