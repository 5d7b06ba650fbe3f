import {
  type RecordFigures,
  type RecordReader,
  type Strategy,
  type StrategyId,
  dayBody,
  recordReader,
} from '@slipstream/domain';
import type { Pause, UnitOfWork } from '@slipstream/ports';

/** The number of entries that are read at once: about 5 ms of work. */
const PAGE = 500;
/** The number of entries of all records that stay read: about 200 bytes each. */
const MOST_ENTRIES = 500_000;

/** Lists of their own: the reader's grow when a later call reads on. */
const copied = ({ segment, days, flows, trips, held }: RecordFigures): RecordFigures => ({
  ...{ segment, days: [...days], flows: [...flows], trips: [...trips], held: [...held] },
});

interface KnownRecord {
  readonly reader: RecordReader;
  /** The last entry that it has read. */
  seq: number;
}

/** The track records that statistics were computed of. They stay read, so that the next call reads only later entries. */
export class KnownRecords {
  /** The least recently used first. */
  private readonly known = new Map<StrategyId, KnownRecord>();

  /** The figures of a strategy's whole record. */
  async figures(
    { unitOfWork, pause }: { readonly unitOfWork: Pick<UnitOfWork, 'read'>; readonly pause: Pause },
    { id: strategyId, createdAt }: Pick<Strategy, 'id' | 'createdAt'>,
  ): Promise<RecordFigures> {
    const record = this.known.get(strategyId) ?? { reader: recordReader(createdAt), seq: 0 };
    for (;;) {
      const { seq } = record;
      const { page, last } = await unitOfWork.read(async ({ track, valueDays }) => ({
        page: await track.listAfter(strategyId, seq, PAGE),
        last: await valueDays.find(strategyId),
      }));
      for (const entry of page) {
        // Another call may have read it meanwhile.
        if (entry.seq <= record.seq) continue;
        record.reader.add(entry);
        record.seq = entry.seq;
      }
      if (page.length < PAGE) {
        this.keep(strategyId, record);
        // Its day may be over, and not be in the record yet for up to a minute.
        const isPending = last !== undefined && !last.isRecorded;
        return copied(
          record.reader.figures(isPending ? { at: last.lastAt, body: dayBody(last) } : undefined),
        );
      }
      await pause();
    }
  }

  private keep(strategyId: StrategyId, record: KnownRecord): void {
    this.known.delete(strategyId);
    this.known.set(strategyId, record);
    let entries = 0;
    for (const { seq } of this.known.values()) entries += seq;
    for (const [strategyId, { seq }] of this.known) {
      if (entries <= MOST_ENTRIES || this.known.size === 1) return;
      this.known.delete(strategyId);
      entries -= seq;
    }
  }
}
