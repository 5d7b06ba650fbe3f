import { type AuditEvent, nextAuditEntry } from '@slipstream/domain';
import type { Ports, Stores } from '@slipstream/ports';
import type { Caller } from '../caller.js';

/** The source of a request, for the audit log. */
export interface RequestSource {
  /** The name of the operation or other request. */
  readonly action: string;
  readonly ip: string | null;
  /** The network that limits count: the address itself, or the /64 of an IPv6 address. */
  readonly network?: string | null;
  readonly requestId: string | null;
  /** The client program, as it names itself. */
  readonly userAgent?: string | null;
}

/** A call within the process, without an address. */
export const within = (action: string): RequestSource => ({ action, ip: null, requestId: null });

/** Who acts, the source of the request, and the name of the action. */
export type Actor = Pick<AuditEvent, 'actor' | 'tokenId' | 'ip' | 'requestId' | 'action'>;

/** The service's own actions. */
export const systemActor = (action: string): Actor => ({
  actor: 'system',
  tokenId: null,
  ip: null,
  requestId: null,
  action,
});

/** The caller as an actor. */
export const actorOf = (caller: Caller, { action, ip, requestId }: RequestSource): Actor => ({
  actor: caller.kind === 'user' ? caller.userId : caller.kind,
  tokenId: caller.kind === 'user' ? caller.tokenId : null,
  ip,
  requestId,
  action,
});

/** Adds to the audit log, in the transaction of the stores. */
export async function addAuditEntry(
  { audit }: Pick<Stores, 'audit'>,
  { fingerprints: { sha256 } }: Pick<Ports, 'fingerprints'>,
  event: AuditEvent,
): Promise<void> {
  await audit.save(nextAuditEntry(await audit.last(), event, sha256));
}
