import {
  type Book,
  type Market,
  type SegmentEnd,
  type ServerStart,
  type Strategy,
  type StrategyId,
  type Timestamp,
  baselineOf,
  currentSegment,
  firstValue,
  grossExposure,
  maxDrawdown,
  mayOpenSegments,
  openSegment,
  openedBody,
  openingAtStart,
  startSegment,
  startedBody,
  strategyValue,
} from '@slipstream/domain';
import type { MarketRun, ReadStores, Stores } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import type { Core } from '../core.js';
import { recordSegment, recordSegmentStart, recordValue } from '../trading/record.js';

/** The number of records that are changed in one transaction. */
const CHUNK = 50;

/** Begins the segments of records (contract 8): they open at a start of the server, and start with their first fresh value. */
export interface SegmentStarts {
  /** Opens segments after a change of the market or a long stop. Called before anything trades. */
  start(): Promise<void>;
  /** Starts the opening segments whose holdings all have fresh quotes. */
  tick(): Promise<void>;
}

/** The last figures of the segment that goes on; its last value is the last sample. */
async function endOf(
  { valueHistory }: Pick<ReadStores, 'valueHistory'>,
  strategy: Strategy,
  stoppedAt: Timestamp | null,
): Promise<SegmentEnd | undefined> {
  const [current, baseline] = [currentSegment(strategy), baselineOf(strategy)];
  if (!current || !baseline) return undefined;
  const { since, value } = baseline;
  const buckets = (await valueHistory.list(strategy.id, since)).filter(
    ({ start }) => start >= since,
  );
  const last = buckets.at(-1);
  return {
    at: Math.max(current.startedAt, last?.lastAt ?? 0, stoppedAt ?? 0),
    value: last?.last ?? value,
    maxDrawdown: maxDrawdown(buckets, -Infinity, null, value),
  };
}

type Needs = Pick<Core, 'fingerprints'>;

/**
 * Whether a holding has a quote of after that sample. Quotes are stored together, once a minute and at a stop: after a crash they may be older
 * than the last fill, and tell a value that never was.
 */
const isQuotedSince = ({ positions }: Book, market: Market, at: Timestamp): boolean =>
  [...positions.keys()].some((stockId) => (market.quote(stockId)?.at ?? -Infinity) >= at);

/** Samples the value at the last quotes before the stop: up to a minute had none, and a fall in it would be of no segment. */
async function sampleAtStop(
  { fingerprints }: Needs,
  stores: Stores,
  book: Book,
  market: Market,
  stoppedAt: Timestamp | null,
): Promise<void> {
  const { strategyId } = book;
  const [value, gross] = [strategyValue(book, market), grossExposure(book, market)];
  const last = await stores.valueHistory.last(strategyId);
  if (!last || !value || !gross || value.eq(last.last)) return;
  if (!isQuotedSince(book, market, last.lastAt)) return;
  // Of a split that is not done in all books the quote may be in other shares than the book.
  const pending = await stores.stockActions.pending();
  if (pending.some(({ stockId }) => book.positions.has(stockId))) return;
  const at = Math.max(last.lastAt, stoppedAt ?? 0);
  await recordValue(stores, fingerprints, strategyId, { at, value, gross });
}

/** Starts the segment that opens, if the book's value is fresh. Part of the transaction that the value is of. */
export async function startIfFresh(
  { fingerprints }: Needs,
  stores: Stores,
  book: Book,
  market: Market,
): Promise<void> {
  const strategy = await stores.strategies.find(book.strategyId);
  const opening = strategy?.segmentOpening;
  const value = firstValue(book, market);
  const gross = grossExposure(book, market);
  if (!opening || !value || !gross) return;
  const { id, segments } = strategy;
  const first = { at: market.now, value, gross };
  const startedAt = await recordSegmentStart(stores, fingerprints, id, first);
  const started = startSegment({ segments, segmentOpening: opening }, opening, startedAt, value);
  await recordSegment(stores, fingerprints, id, startedAt, startedBody(started));
  await stores.strategies.save({ ...strategy, ...started });
}

export function segmentStarts(core: Core): SegmentStarts {
  const { unitOfWork, clock, live, openings, fingerprints, pause, log } = core;

  const open = async (stores: Stores, strategyId: StrategyId, begun: ServerStart) => {
    const strategy = await stores.strategies.find(strategyId);
    const book = live.glance(strategyId);
    if (!strategy || !book) return;
    const opening = openingAtStart(strategy, begun, book.positions.size > 0);
    if (!opening) return;
    if (currentSegment(strategy))
      await sampleAtStop(core, stores, book, live.market(begun.now), begun.stoppedAt);
    const end = await endOf(stores, strategy, begun.stoppedAt);
    const opened = openSegment(strategy, opening, end);
    await recordSegment(stores, fingerprints, strategyId, begun.now, openedBody(opened, opening));
    await stores.strategies.save({ ...strategy, ...opened });
    // Without holdings the value needs no quote.
    if (book.positions.size === 0) await startIfFresh(core, stores, book, live.market(begun.now));
  };

  const openAll = async (begun: ServerStart): Promise<void> => {
    const strategies = await unitOfWork.read((stores) => stores.strategies.live());
    const concerned = strategies.filter((one) => openingAtStart(one, begun, true));
    for (const chunk of chunksOf(concerned, CHUNK)) {
      await unitOfWork.run(async (stores) => {
        for (const { id } of chunk) await open(stores, id, begun);
      });
      await pause();
    }
  };

  const startOne = async (strategyId: StrategyId): Promise<void> => {
    const now = clock.now();
    const isOpening = await unitOfWork.run(async (stores) => {
      const book = await stores.books.find(strategyId);
      if (book) await startIfFresh(core, stores, book, live.marketOf(strategyId, now));
      const strategy = await stores.strategies.find(strategyId);
      return strategy?.deletedAt === null && strategy.segmentOpening !== null;
    });
    if (!isOpening) openings.delete(strategyId);
  };

  const save = (run: MarketRun): Promise<void> =>
    unitOfWork.run((stores) => stores.marketRuns.save(run));

  return {
    async start() {
      const now = clock.now();
      const market = live.marketKind;
      const last = await unitOfWork.read((stores) => stores.marketRuns.last());
      const begun = { market, now, stoppedAt: last?.at ?? null };
      if (mayOpenSegments(last?.market, begun)) {
        // If this start is interrupted, the next one opens the others, or them all again on another market.
        if (last) await save({ market: 'unknown', at: last.at });
        await openAll(begun);
        await save({ market, at: now });
      }
      const opening = await unitOfWork.read((stores) => stores.strategies.segmentsOpening());
      for (const { id } of opening) openings.add(id);
    },
    async tick() {
      if (openings.size === 0) return;
      const market = live.market(clock.now());
      for (const strategyId of openings) {
        const book = live.book(strategyId);
        if (book && !firstValue(book, market)) continue;
        try {
          await startOne(strategyId);
        } catch (error) {
          log.error({ strategyId, error }, 'could not start a segment of a record; will retry');
        }
      }
    },
  };
}
