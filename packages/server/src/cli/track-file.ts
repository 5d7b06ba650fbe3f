import {
  Refusal,
  SECURITIES,
  type ShownEntry,
  type TrackEntry,
  id,
  withBodies,
} from '@slipstream/domain';
import { type Client, RequestFailed } from '@slipstream/client';
import { type ResponseOf, operations, strategyResource } from '@slipstream/wire';
import { z } from 'zod';
import { textOf } from '../settings/text-of.js';

type TrackPage = ResponseOf<'getTrackRecord'>;
type Entry = TrackPage['entries'][number];
type Proof = NonNullable<TrackPage['proof']>;

const MOST_IDS = 100;

/** A downloaded track record. No entry proves what `strategy` and `stocks` say: they are names for people, and how statistics are computed. */
const trackFile = operations.getTrackRecord.response.extend({
  strategy: strategyResource
    .pick({ name: true, created_at: true })
    .extend({
      type: z.enum(SECURITIES),
      days_per_year: z.union([z.literal(252), z.literal(365)]),
      closed_days: z.array(z.iso.date()).optional(),
    })
    .optional(),
  /** The last day of a replay: days without a sample have no entry. */
  to: z.iso.date().optional(),
  /** The names of stocks by their ids. */
  stocks: z.record(z.string(), z.string()).optional(),
});
export type TrackFile = z.infer<typeof trackFile>;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The first line of a replay's record: everything but the entries. */
export type RecordHead = Omit<TrackFile, 'entries'>;

const recordLine = z.object({ strategy_id: z.string() }).loose();

/** The record of a replay: its head, and an entry a line, each with the id of its one strategy. Those of before have no head. */
function recordOfLines(text: string): unknown {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => recordLine.safeParse(jsonOf(line)));
  const said = lines.flatMap(({ data }) => (data ? [data] : []));
  const strategyIds = new Set(said.map(({ strategy_id }) => strategy_id));
  if (said.length < lines.length || strategyIds.size !== 1) return undefined;
  const [strategy_id] = strategyIds;
  const [first] = said;
  const head = first && !isEntry(first) ? first : undefined;
  const entries = said.slice(head ? 1 : 0).map(({ strategy_id: _, ...entry }) => entry);
  return { ...head, strategy_id, entries };
}

const isEntry = (line: object): boolean => 'seq' in line;

/** Reads a downloaded record, or that of a replay; refuses any other file. */
export async function readTrackFile(file: string): Promise<TrackFile> {
  const text = await textOf(file);
  const whole = jsonOf(text);
  const isLine = typeof whole === 'object' && whole !== null && !('entries' in whole);
  const json = whole === undefined || isLine ? recordOfLines(text) : whole;
  if (json === undefined && whole === undefined)
    throw new Refusal('invalid_json', `${file} is not JSON`);
  const parsed = trackFile.safeParse(json);
  if (!parsed.success) throw new Refusal('invalid_field', `${file} ${faultOf(parsed.error, json)}`);
  return parsed.data;
}

/** The days of the anchors of a file that is otherwise none. */
const daysOfAnchors = z.object({
  proof: z.object({ anchors: z.array(z.looseObject({ day: z.string().optional() })) }),
});

/** Why a file is none that `track` wrote; a field of an entry or of an anchor that was changed to what none can have is named. */
function faultOf({ issues: [issue] }: z.ZodError, json: unknown): string {
  const path = issue?.path ?? [];
  const [index, field] = path.slice(path[0] === 'proof' ? 2 : 1);
  if (typeof index === 'number' && typeof field === 'string') {
    if (path[0] === 'entries')
      return `is NOT intact at entry ${index + 1}: its ${field} is none that an entry can have`;
    const day = daysOfAnchors.safeParse(json).data?.proof.anchors[index]?.day;
    if (day !== undefined)
      return `is NOT intact at the anchor of ${day}: its ${field} is none that an anchor can have`;
  }
  return 'is not a track record';
}

/** The entries in the words of the domain. */
export const shownEntriesOf = ({ strategy_id: strategyId, entries }: TrackFile): ShownEntry[] =>
  entries.map(({ seq, kind, at, body, previous_hash: previousHash, hash }) => ({
    strategyId: id<'strategy'>(strategyId),
    ...{ seq, kind, at: Date.parse(at), body, previousHash, hash },
  }));

/** The same, as `verifyTrack` checks them; refuses a record of hashes only. */
export const entriesOf = (file: TrackFile): TrackEntry[] => withBodies(shownEntriesOf(file));

const tradedStock = z.object({ stock_id: z.string().min(1).max(50) });

async function namesOf(client: Client, entries: readonly Entry[]): Promise<Record<string, string>> {
  const ids = new Set<string>();
  for (const { kind, body } of entries) {
    // A body that was changed may be anything: `verify` says so.
    const traded = tradedStock.safeParse(kind === 'trade' && body !== null && jsonOf(body));
    if (traded.success) ids.add(traded.data.stock_id);
  }
  const [all, names]: [string[], Record<string, string>] = [[...ids], {}];
  for (let first = 0; first < all.length; first += MOST_IDS) {
    const stocks = await client.getStocks({ stock_id: all.slice(first, first + MOST_IDS) });
    for (const { stock_id, symbol, exchange } of stocks) names[stock_id] = `${symbol}:${exchange}`;
  }
  return names;
}

/** Undefined when the server cannot compute statistics, for example because an entry was changed to what it cannot read. */
async function daysOf(client: Client, strategy_id: string) {
  try {
    const { days_per_year, closed_days } = await client.getStrategyStatistics({ strategy_id });
    const days: 252 | 365 = days_per_year === 252 ? 252 : 365;
    return { days_per_year: days, ...(closed_days && { closed_days }) };
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 500) return undefined;
    throw error;
  }
}

interface Download {
  /** Also the head and the anchors; who may not see the fills then gets hashes only. */
  readonly proof: boolean;
  /** Called after each page. */
  readonly counted: (entries: number) => void;
}

/** Downloads a strategy's whole record, with its names. */
export async function downloadTrack(
  client: Client,
  strategy_id: string,
  { proof: isProven, counted }: Download,
): Promise<TrackFile> {
  const [found] = await client.getStrategies({ strategy_id: [strategy_id] });
  if (!found) throw new Refusal('not_found', `there is no strategy ${strategy_id}`);
  const entries: Entry[] = [];
  const anchors = new Map<string, Proof['anchors'][number]>();
  let proof: Proof | undefined;
  for (;;) {
    const cursor = String(entries.at(-1)?.seq ?? 0);
    const page = await client.getTrackRecord({
      strategy_id,
      cursor,
      proof: isProven ? 'true' : undefined,
    });
    entries.push(...page.entries);
    for (const anchor of page.proof?.anchors ?? []) anchors.set(anchor.day, anchor);
    proof = page.proof ?? proof;
    if (page.entries.length === 0) break;
    counted(entries.length);
  }
  const { name, type, created_at } = found;
  const days = await daysOf(client, strategy_id);
  return {
    strategy_id,
    ...(days && { strategy: { name, type, created_at, ...days } }),
    stocks: await namesOf(client, entries),
    entries,
    ...(proof && { proof: { head: proof.head, anchors: [...anchors.values()] } }),
  };
}
