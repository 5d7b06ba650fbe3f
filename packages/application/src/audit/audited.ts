import { type AuditEvent, nextAuditEntry } from '@slipstream/domain';
import type { Ports, Stores, UnitOfWork } from '@slipstream/ports';
import { NotedStores } from './noted-stores.js';

type Needs = Pick<Ports, 'clock' | 'fingerprints'>;

/** Who does something, how it came, and what it is called. */
export type Doer = Pick<AuditEvent, 'actor' | 'tokenId' | 'ip' | 'requestId' | 'action'>;

/** What the service does by itself. */
export const bySystem = (action: string): Doer => ({
  actor: 'system',
  tokenId: null,
  ip: null,
  requestId: null,
  action,
});

/** Adds to the log, in the transaction of the stores. */
export async function append(
  { audit }: Pick<Stores, 'audit'>,
  { fingerprints: { sha256 } }: Pick<Ports, 'fingerprints'>,
  event: AuditEvent,
): Promise<void> {
  await audit.save(nextAuditEntry(await audit.last(), event, sha256));
}

/**
 * A unit of work whose every work adds one entry to the audit log when it changes something, in the same transaction: no
 * use case knows of it and none can forget it. A work that changes nothing leaves no entry.
 */
export const audited = (unitOfWork: UnitOfWork, ports: Needs, doer: Doer): UnitOfWork => ({
  read: (work) => unitOfWork.read(work),
  run: (work, terms) =>
    unitOfWork.run(async (stores) => {
      const noted = new NotedStores(stores, doer.actor === 'system');
      const answer = await work(noted as unknown as Stores);
      if (!noted.hasChanged) return answer;
      const { actor, tokenId, ip, requestId, action } = doer;
      const { refused: code } = noted;
      const outcome = code === null ? 'ok' : 'refused';
      const objects = noted.objects();
      const at = ports.clock.now();
      // prettier-ignore
      await append(stores, ports, { at, actor, tokenId, ip, action, objects, outcome, code, requestId });
      return answer;
    }, terms),
});
