import { type RefusalCode, MINUTE } from '@slipstream/domain';
import type { Ports } from '@slipstream/ports';
import { type Actor, addAuditEntry, systemActor } from './actor.js';

/** The most entries per minute: of one token or address, and of all, so that denied requests cannot fill the disk. */
const MOST_OF_ONE = 30;
const MOST = 600;

/** A denied access. */
export interface Denial extends Actor {
  readonly code: RefusalCode;
  /** The requested objects, as `kind:id`. */
  readonly objects: readonly string[];
}

/** Records denied accesses in the audit log, each in its own transaction. */
export interface Denials {
  /** Does not wait for the storage, so that the duration of a refusal does not show whether the thing exists. */
  record(denial: Denial): void;
  /** Records, after each minute, the number of omitted denials. */
  tick(): Promise<void>;
  /** Resolves when all denials so far are recorded, or have failed to be. */
  idle(): Promise<void>;
}

export function createDenials({
  unitOfWork,
  clock,
  fingerprints,
  log,
}: Pick<Ports, 'unitOfWork' | 'clock' | 'fingerprints' | 'log'>): Denials {
  let minute = 0;
  let kept = 0;
  let leftOut = 0;
  const keptOf = new Map<string, number>();
  const pending = new Set<Promise<void>>();

  const minuteNow = (): number => Math.floor(clock.now() / MINUTE);

  /** Counts a denial; false if there were too many. */
  const fits = ({ tokenId, ip }: Actor): boolean => {
    if (minute !== minuteNow()) {
      minute = minuteNow();
      kept = 0;
      keptOf.clear();
    }
    const who = tokenId ?? ip ?? '';
    const already = keptOf.get(who) ?? 0;
    if (already >= MOST_OF_ONE || kept >= MOST) return false;
    keptOf.set(who, already + 1);
    kept += 1;
    return true;
  };

  const keep = async ({ code, ...denial }: Denial): Promise<void> => {
    const event = { ...denial, at: clock.now(), outcome: 'denied', code } as const;
    await unitOfWork.run((stores) => addAuditEntry(stores, { fingerprints }, event));
  };

  return {
    record(denial) {
      if (!fits(denial)) {
        leftOut += 1;
        return;
      }
      const keeping = keep(denial)
        .catch((error: unknown) =>
          log.error({ error: String(error) }, 'could not record a denied access'),
        )
        .finally(() => pending.delete(keeping));
      pending.add(keeping);
    },
    async tick() {
      if (leftOut === 0 || minute === minuteNow()) return;
      const omitted = leftOut;
      await keep({
        ...systemActor('leaveOutDenials'),
        code: 'too_many',
        objects: [`denials:${omitted}`],
      });
      leftOut -= omitted;
    },
    idle: async () => void (await Promise.all(pending)),
  };
}
