import { type AuditEvent, nextAuditEntry } from '@slipstream/domain';
import type { Ports, Stores } from '@slipstream/ports';
import type { Caller } from '../caller.js';

/** How a request came, for the audit log. */
export interface RequestSource {
  /** The operation's name, or what else was asked. */
  readonly action: string;
  readonly ip: string | null;
  /** What the address counts for: itself, or the /64 of an IPv6 one. */
  readonly network?: string | null;
  readonly requestId: string | null;
  /** The program that asks, by its own word. */
  readonly userAgent?: string | null;
}

/** A call within the process: it came from no address. */
export const within = (action: string): RequestSource => ({ action, ip: null, requestId: null });

/** Who does something, how it came, and what it is called. */
export type Actor = Pick<AuditEvent, 'actor' | 'tokenId' | 'ip' | 'requestId' | 'action'>;

/** What the service does by itself. */
export const systemActor = (action: string): Actor => ({
  actor: 'system',
  tokenId: null,
  ip: null,
  requestId: null,
  action,
});

/** The caller as the one who does it. */
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
