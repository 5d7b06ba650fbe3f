import {
  type Anchor,
  HOUR,
  MINUTE,
  type TimeStamp,
  type Timestamp,
  anchorText,
  branchOf,
  branchesOfLeaves,
  daysToAnchor,
  endOfDay,
  isoDay,
  newAnchor,
} from '@slipstream/domain';
import { isSure } from '@slipstream/ports';
import type { Core } from '../../core.js';
import type { Housekeeping } from '../../housekeeping/housekeeping.js';
import { breathing } from '../breathing.js';
import { headsOfChains } from './heads.js';

type Needs = Pick<
  Core,
  'unitOfWork' | 'clock' | 'pause' | 'fingerprints' | 'timestampAuthority' | 'log'
>;

/** After a failed request for a stamp; twice as long after each further one. */
const ASKED_AGAIN = MINUTE;
const ASKED_AGAIN_AT_MOST = HOUR;
/** The most stamps that a command waits for. */
const STAMPS_AT_ONCE = 5;

/** Makes one anchor for each day, and gets their stamps (contract 8). */
export class Anchoring {
  /** The newest day with an anchor; null while there is none, undefined while it is not known. */
  private last: string | null | undefined;
  /** The time of the oldest kept entry of the audit log: no day before it is anchored. */
  private since: Timestamp | undefined;
  private failures = 0;
  private askAt: Timestamp = -Infinity;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly core: Needs,
    private readonly records: Pick<Housekeeping, 'recordedBefore' | 'recordDays'>,
  ) {}

  /** Makes the anchors of the days that are over, and asks for one stamp. A failure is tried again. */
  tick(): Promise<void> {
    return this.inTurn(async () => {
      if (!isSure(this.core.clock)) return;
      const due = await this.dueDays(this.core.clock.now());
      // An anchor has the entry of its day, also after a stop over midnight.
      await this.makeAll(due.filter((day) => endOfDay(day) <= this.records.recordedBefore()));
      if (this.core.clock.now() >= this.askAt) await this.stampNext();
    });
  }

  /** Makes every anchor that is missing now, today's too, by that unit of work, and asks for stamps at once. Answers the newest one. */
  makeNow(unitOfWork: Needs['unitOfWork']): Promise<Anchor | undefined> {
    return this.inTurn(async () => {
      // One moment for all days: the present one may end meanwhile.
      const now = this.core.clock.now();
      const today = isoDay(now);
      // In the first minute of a day, yesterday's entries may still be missing.
      await this.records.recordDays();
      const due = await this.dueDays(now, 0);
      const isMade = this.since === undefined || (this.last ?? '') >= today;
      await this.makeAll(isMade ? due : [...due, today], unitOfWork);
      for (let asked = 0; asked < STAMPS_AT_ONCE; asked += 1) if (!(await this.stampNext())) break;
      return unitOfWork.read(({ anchors }) => anchors.last());
    });
  }

  /** One after another: two runs would make the same day twice. */
  private inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const run = this.running.then(work);
    this.running = run.catch(() => undefined);
    return run;
  }

  private async dueDays(now: Timestamp, completeAfter?: number): Promise<string[]> {
    const { unitOfWork } = this.core;
    if (this.last === undefined)
      this.last = (await unitOfWork.read(({ anchors }) => anchors.last()))?.day ?? null;
    this.since ??= (await unitOfWork.read(({ audit }) => audit.listAfter(0, 1)))[0]?.at;
    if (this.since === undefined) return [];
    return daysToAnchor(now, this.since, this.last ?? undefined, completeAfter);
  }

  private async makeAll(days: readonly string[], unitOfWork = this.core.unitOfWork): Promise<void> {
    for (const day of days) {
      try {
        await this.make(day, unitOfWork);
        this.last = day;
        // A new anchor does not wait for the retry of an old one.
        if (this.failures === 0) this.askAt = -Infinity;
      } catch (error) {
        this.last = undefined;
        throw error;
      }
    }
  }

  private async make(day: string, unitOfWork: Needs['unitOfWork']): Promise<void> {
    const { clock, log, fingerprints } = this.core;
    const madeAt = clock.now();
    const leaves = await headsOfChains(this.core);
    const parts = branchesOfLeaves(leaves);
    const breathe = breathing(this.core);
    const branches: string[] = [];
    for (const part of parts) {
      branches.push(branchOf(day, part, fingerprints.sha256));
      await breathe();
    }
    const anchor = newAnchor({ day, madeAt, size: leaves.length, branches }, fingerprints.sha256);
    await unitOfWork.run(({ anchors }) => anchors.save(anchor, parts));
    log.info({ day, root: anchor.root, chains: anchor.size }, 'made an anchor');
  }

  /** Asks for the stamp of the newest anchor without one. False if there is none, or no stamp came. */
  private async stampNext(): Promise<boolean> {
    const { unitOfWork, clock, log, timestampAuthority } = this.core;
    if (!timestampAuthority) return false;
    const [anchor] = await unitOfWork.read(({ anchors }) => anchors.unstamped(1));
    if (!anchor) {
      this.askAt = Infinity;
      return false;
    }
    let stamp: TimeStamp;
    try {
      stamp = await timestampAuthority.stamp(anchorText(anchor));
    } catch (error) {
      const wait = Math.min(ASKED_AGAIN * 2 ** this.failures, ASKED_AGAIN_AT_MOST);
      this.failures += 1;
      this.askAt = clock.now() + wait;
      log.warn({ day: anchor.day, error: String(error) }, 'an anchor has no stamp yet; will retry');
      return false;
    }
    this.failures = 0;
    this.askAt = -Infinity;
    await unitOfWork.run(({ anchors }) => anchors.save({ ...anchor, stamp }));
    log.info({ day: anchor.day, at: stamp.at }, 'stamped an anchor');
    return true;
  }
}
