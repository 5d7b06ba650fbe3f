import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Decimal,
  type Order,
  type RefusedRequest,
  type StatisticsView,
  type Timestamp,
  type TrackEntry,
  type TradeView,
  decimalText,
  withBodies,
} from '@slipstream/domain';
import { csvText, operations, presentStatistics } from '@slipstream/wire';
import type { RecordHead } from '../../cli/track-file.js';
import { TRADE_COLUMNS, tradeLine } from '../../reports/tables.js';
import { ABSURD_EXTREMES, type Dropped } from '../data/bar.js';
import { FILES } from './folder.js';
import { LineFile } from './outputs.js';
import type { ReplayedService } from './service.js';
import { writingSync } from '../../settings/writing.js';

/** The files that grow while the replay runs, and their counts. */
export class Outputs {
  private readonly dropped: LineFile;
  private readonly trades: LineFile;
  private readonly equity: LineFile;
  private readonly refusedFile: LineFile;
  readonly counts = { dropped: 0, trades: 0, refused: 0 };
  /** The dropped rows whose extremes were absurd. */
  absurd = 0;
  readonly refusals: RefusedRequest[] = [];

  constructor(private readonly folder: string) {
    const file = (name: string, ...header: readonly string[]) =>
      new LineFile(join(folder, name), csvText([header]));
    this.dropped = file(FILES.dropped, 'file', 'line', 'reason');
    this.trades = file(FILES.trades, ...TRADE_COLUMNS);
    this.equity = file(FILES.equity, 'at', 'value');
    this.refusedFile = file(FILES.refused, 'at', 'source', 'reason');
  }

  readonly drop = ({ file, line, reason }: Dropped): void => {
    this.counts.dropped += 1;
    if (ABSURD_EXTREMES.includes(reason)) this.absurd += 1;
    this.dropped.add(csvText([[file, line, reason]]));
  };

  readonly refused = (at: Timestamp, source: string, reason: string): void => {
    this.counts.refused += 1;
    this.refusals.push({ at, request: source, reason });
    this.refusedFile.add(csvText([[new Date(at).toISOString(), source, reason]]));
  };

  readonly valued = (at: Timestamp, value: Decimal | null): void => {
    this.equity.add(csvText([[new Date(at).toISOString(), value && decimalText(value)]]));
  };

  traded(view: TradeView): void {
    this.counts.trades += 1;
    this.trades.add(tradeLine(view));
  }

  json(name: string, value: unknown): void {
    const file = join(this.folder, name);
    writingSync(file, () => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`));
  }

  close(): void {
    for (const file of [this.dropped, this.trades, this.equity, this.refusedFile]) file.close();
  }
}

/** Writes fills and refused orders at their commits. */
export function watchBook({ events, live, strategyId }: ReplayedService, outputs: Outputs): void {
  const symbolOf = (order: Order): string =>
    live.stocks.find(order.stockId)?.symbol ?? order.stockId;
  events.subscribe((event) => {
    if (event.kind !== 'book_changed' || event.strategyId !== strategyId) return;
    for (const change of event.changes) {
      if (change.kind === 'filled')
        outputs.traded({ ...change.trade, symbol: symbolOf(change.order) });
      if (change.kind === 'rejected')
        outputs.refused(
          event.at,
          `order ${change.order.id} of ${symbolOf(change.order)}`,
          change.order.reason,
        );
    }
  });
}

/** Writes the record after its head, and answers its entries. */
export async function writeRecord(
  { application, caller, strategyId }: ReplayedService,
  folder: string,
  head: RecordHead,
): Promise<readonly TrackEntry[]> {
  const all: TrackEntry[] = [];
  const file = new LineFile(join(folder, FILES.record), `${JSON.stringify(head)}\n`);
  for (let after = 0; ;) {
    const view = await application.operations.getTrackRecord(caller, { strategyId, after });
    const { entries } = operations.getTrackRecord.present(view);
    for (const entry of entries)
      file.add(`${JSON.stringify({ strategy_id: strategyId, ...entry })}\n`);
    all.push(...withBodies(view.entries));
    const last = entries.at(-1);
    if (!last) break;
    after = last.seq;
  }
  file.close();
  return all;
}

/** The wishes for the statistics that the user may state. */
export interface StatisticsChoices {
  readonly minN?: number | undefined;
  /** The id of a stock. */
  readonly benchmark?: string | undefined;
}

/** Writes the record of getStrategyStatistics, and answers it with its series. */
export async function writeStatistics(
  { application, caller, strategyId }: ReplayedService,
  outputs: Outputs,
  choices: StatisticsChoices,
): Promise<StatisticsView> {
  const command = { strategyId, ...choices, format: 'csv' } as const;
  const view = await application.operations.getStrategyStatistics(caller, command);
  outputs.json(FILES.statistics, presentStatistics(view));
  return view;
}
