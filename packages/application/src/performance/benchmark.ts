import {
  type Benchmark,
  type DailyClose,
  type StockId,
  dayOf,
  dayStart,
  splitAdjusted,
} from '@slipstream/domain';
import type { Core } from '../core.js';

/** The number of closes that are read at once: about a millisecond. */
const PAGE = 500;

/** The parts of the core that closes are read by. */
type ReadingCore = Pick<Core, 'live' | 'pause'> & {
  readonly unitOfWork: Pick<Core['unitOfWork'], 'read'>;
};

/** The daily closes of a stock until `to` (a date), in the shares of now (contract 9). */
export async function benchmarkOf(
  { unitOfWork, live, pause }: ReadingCore,
  stockId: StockId,
  to: string,
): Promise<Benchmark> {
  const byDay = new Map<number, DailyClose>();
  for (let after = -1; ; await pause()) {
    const page = await unitOfWork.read(({ dailyCloses }) =>
      dailyCloses.listAfter(stockId, after, PAGE),
    );
    for (const close of page) byDay.set(close.day, close);
    after = page.at(-1)?.day ?? after;
    if (page.length < PAGE) break;
  }
  for (const close of live.quotes.latestCloses(stockId)) byDay.set(close.day, close);
  const last = dayOf(dayStart(to));
  const closes = [...byDay.values()].filter(({ day }) => day <= last);
  const first = closes[0];
  const actions = first
    ? await unitOfWork.read(({ stockActions }) => stockActions.ofStock(stockId, first.at))
    : [];
  const splits = actions.filter(({ kind }) => kind === 'split');
  return { stockId, closes: splitAdjusted(closes, splits) };
}
