import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import TinyQueue from 'tinyqueue';
import type { Bar, Prices } from './bar.js';
import { writingSync } from '../../settings/writing.js';

/** The numbers of a bar: symbol, times, file, line, and two sides of four prices. */
const FIELDS = 13;
const BYTES = FIELDS * 8;
/** The bars that are sorted in memory; more are sorted in runs and merged from a file. */
const RUN = 100_000;
/** The bars of a run that are read at once. */
const PIECE = 512;

const pricesAt = (row: Float64Array, at: number): Prices => ({
  open: row[at] as number,
  high: row[at + 1] as number,
  low: row[at + 2] as number,
  close: row[at + 3] as number,
});

const barOf = (rows: Float64Array, index: number): Bar => {
  const at = index * FIELDS;
  return {
    startsAt: rows[at] as number,
    symbol: rows[at + 1] as number,
    endsAt: rows[at + 2] as number,
    file: rows[at + 3] as number,
    line: rows[at + 4] as number,
    prices: pricesAt(rows, at + 5),
    asks: Number.isNaN(rows[at + 9]) ? null : pricesAt(rows, at + 9),
  };
};

const before = (one: Bar, other: Bar): number =>
  one.startsAt - other.startsAt ||
  one.endsAt - other.endsAt ||
  one.symbol - other.symbol ||
  one.file - other.file ||
  one.line - other.line;

interface Run {
  readonly count: number;
  read(first: number, count: number): Float64Array;
}

/** The next bar of a run. */
interface Head {
  bar: Bar;
  readonly rest: Iterator<Bar>;
}

function* barsOf(run: Run): Generator<Bar> {
  for (let first = 0; first < run.count; first += PIECE) {
    const count = Math.min(PIECE, run.count - first);
    const rows = run.read(first, count);
    for (let index = 0; index < count; index += 1) yield barOf(rows, index);
  }
}

/** Takes bars in any order and returns them by time, then by symbol. Its memory does not grow with their number. */
export class BarStore {
  private rows: Float64Array;
  private readonly runs: Run[] = [];
  private handle: number | undefined;
  private written = 0;
  private held = 0;
  size = 0;

  /** `path` is the file for what memory shall not hold; it is made when it is needed, and removed by `close`. */
  constructor(
    private readonly path: string,
    private readonly longestRun = RUN,
  ) {
    this.rows = new Float64Array(longestRun * FIELDS);
  }

  add({ startsAt, symbol, endsAt, file, line, prices, asks }: Bar): void {
    if (this.held === this.longestRun) this.spill();
    const { rows } = this;
    let at = this.held * FIELDS;
    for (const field of [startsAt, symbol, endsAt, file, line]) rows[at++] = field;
    for (const side of [prices, asks])
      for (const price of side
        ? [side.open, side.high, side.low, side.close]
        : [NaN, NaN, NaN, NaN])
        rows[at++] = price;
    this.held += 1;
    this.size += 1;
  }

  /** Every bar, in order. */
  *sorted(): Generator<Bar> {
    const inMemory = this.sortedRows();
    const rest: Run = {
      count: this.held,
      read: (first, count) => inMemory.subarray(first * FIELDS, (first + count) * FIELDS),
    };
    if (this.runs.length === 0) {
      yield* barsOf(rest);
      return;
    }
    const queue = new TinyQueue<Head>([], (one, other) => before(one.bar, other.bar));
    for (const run of [...this.runs, rest]) {
      const bars = barsOf(run);
      const first = bars.next();
      if (first.done !== true) queue.push({ bar: first.value, rest: bars });
    }
    for (let head = queue.pop(); head; head = queue.pop()) {
      yield head.bar;
      const next = head.rest.next();
      if (next.done === true) continue;
      head.bar = next.value;
      queue.push(head);
    }
  }

  close(): void {
    if (this.handle === undefined) return;
    closeSync(this.handle);
    unlinkSync(this.path);
    this.handle = undefined;
  }

  private sortedRows(): Float64Array {
    const { rows, held } = this;
    const all = Array.from({ length: held }, (_, index) => barOf(rows, index));
    const isSorted = all.every(
      (bar, index) => index === 0 || before(all[index - 1] as Bar, bar) <= 0,
    );
    if (isSorted) return rows.subarray(0, held * FIELDS);
    const order = Array.from(all, (_, index) => index);
    order.sort((one, other) => before(all[one] as Bar, all[other] as Bar));
    const sorted = new Float64Array(held * FIELDS);
    order.forEach((from, to) =>
      sorted.set(rows.subarray(from * FIELDS, (from + 1) * FIELDS), to * FIELDS),
    );
    return sorted;
  }

  private spill(): void {
    const sorted = this.sortedRows();
    this.handle ??= openSync(this.path, 'w+', 0o600);
    const handle = this.handle;
    const [start, count] = [this.written, this.held];
    let done = 0;
    const bytes = Buffer.from(sorted.buffer, sorted.byteOffset, count * BYTES);
    while (done < bytes.length)
      done += writingSync(this.path, () =>
        writeSync(handle, bytes, done, bytes.length - done, start + done),
      );
    this.written += bytes.length;
    this.runs.push({
      count,
      read: (first, some) => {
        const rows = new Float64Array(some * FIELDS);
        const into = Buffer.from(rows.buffer);
        let read = 0;
        while (read < into.length) {
          const got = readSync(
            handle,
            into,
            read,
            into.length - read,
            start + first * BYTES + read,
          );
          if (got === 0) throw new Error(`${this.path} was cut short`);
          read += got;
        }
        return rows;
      },
    });
    this.rows = new Float64Array(this.longestRun * FIELDS);
    this.held = 0;
  }
}
