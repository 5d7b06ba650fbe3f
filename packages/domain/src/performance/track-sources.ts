import type { Timestamp } from '../ids.js';
import { FILL_MARKETS, type FillMarket } from '../market/source.js';
import { decimal } from '../numbers/decimal.js';
import { SEGMENT_KINDS, type SegmentKind, segmentKind } from './segments.js';
import { SOURCED_FORMAT, type TrackEntryKind } from './track-bodies.js';

type Body = Readonly<Record<string, unknown>>;

interface RecordedEntry {
  readonly kind: TrackEntryKind;
  readonly at: Timestamp;
  readonly body: string;
}

function bodyOf(text: string): Body | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Body) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const marketOf = ({ market }: Body): FillMarket | undefined =>
  FILL_MARKETS.find((known) => known === market);

const PRICE = /^\d+(\.\d+)?$/;

function quoteFault(body: Body, at: Timestamp): string | undefined {
  const { quote_bid: bid, quote_ask: ask, quote_at: quotedAt } = body;
  if (bid === null && ask === null && quotedAt === null) return undefined;
  const isPriced =
    typeof bid === 'string' && typeof ask === 'string' && PRICE.test(bid) && PRICE.test(ask);
  if (!isPriced || typeof quotedAt !== 'number') return 'its quote is incomplete';
  if (decimal(bid).gt(ask)) return 'the bid of its quote is above the ask';
  return quotedAt > at ? 'its quote is later than the fill' : undefined;
}

/** Whether the body of a fill names the quote that it filled at: those without a format are older than that, and a delisting has none. */
export const namesQuote = (fill: string): boolean => typeof bodyOf(fill)?.['quote_at'] === 'number';

/**
 * Checks the entries of a record in their order: every fill is of the kind of its segment, at a quote that it could have met, and
 * after the first fill that names its source none lacks it. Answers the fault of an entry; undefined without one.
 */
export function sourceCheck(): (entry: RecordedEntry) => string | undefined {
  let kind: SegmentKind | undefined;
  let isSourced = false;

  const fillFault = (body: Body, at: Timestamp): string | undefined => {
    if (body['format'] === undefined && !isSourced) {
      kind ??= 'unknown';
      return kind === 'unknown' ? undefined : 'it does not name its market';
    }
    isSourced = true;
    const market = body['format'] === SOURCED_FORMAT ? marketOf(body) : undefined;
    if (!market) return 'it does not name its market';
    kind ??= segmentKind(market);
    if (segmentKind(market) !== kind)
      return `it is of market ${market}, in a segment of kind ${kind}`;
    return quoteFault(body, at);
  };

  const segmentFault = (body: Body): string | undefined => {
    const named = SEGMENT_KINDS.find((known) => known === body['kind']);
    if (!named) return 'its segment is of no known kind';
    if (body['state'] === 'started' && named !== kind)
      return 'its segment starts with another kind than it opened with';
    kind = named;
    return undefined;
  };

  return ({ kind: entryKind, at, body: text }) => {
    if (entryKind !== 'trade' && entryKind !== 'segment') return undefined;
    const body = bodyOf(text);
    if (!body) return 'its body is no JSON object';
    return entryKind === 'trade' ? fillFault(body, at) : segmentFault(body);
  };
}
