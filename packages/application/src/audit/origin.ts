import type { Caller } from '../caller.js';
import type { Doer } from './audited.js';

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

/** The caller as the one who does it. */
export const doerOf = (caller: Caller, { action, ip, requestId }: RequestSource): Doer => ({
  actor: caller.kind === 'user' ? caller.userId : caller.kind,
  tokenId: caller.kind === 'user' ? caller.tokenId : null,
  ip,
  requestId,
  action,
});
