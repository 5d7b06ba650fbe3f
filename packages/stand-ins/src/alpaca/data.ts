import { type FaultScript, faultScript } from '../faults.js';
import type { Venue } from '../http.js';
import type { Prices } from '../streams/public-stream.js';

export interface AlpacaDataOptions {
  readonly now: () => number;
  readonly keyId: string;
  readonly secretKey: string;
  /** The most actions of one answer; 1,000 by default. */
  readonly pageSize?: number;
}

/** An announced corporate action: its fields as Alpaca names them, `id` and `process_date` among them. */
export type AnnouncedBody = Readonly<Record<string, string | number | boolean | null>>;

/** Alpaca's market data: snapshots of stocks, corporate actions and the calendar. */
export interface AlpacaData {
  readonly venue: Venue;
  readonly faults: FaultScript;
  /** How many symbols each request asked for. */
  readonly asked: readonly number[];
  /** Quotes a symbol; `at` is the venue's time. */
  quote(symbol: string, prices: Prices, at?: number): void;
  /** Requests that name this symbol are refused, or no longer. */
  refuseSymbol(symbol: string, refuses?: boolean): void;
  /** Announces an action of that kind (`forward_splits`, …), in place of one with its id. */
  announce(kind: string, action: AnnouncedBody): void;
  /** Takes an announcement back. */
  withdraw(actionId: string): void;
  /** Sets the session of a date, `09:30` to `16:00` on working days at first; null closes the exchanges. */
  session(date: string, times: { readonly open: string; readonly close: string } | null): void;
}

const SYMBOLS = [
  'symbol',
  'old_symbol',
  'new_symbol',
  'source_symbol',
  'acquiree_symbol',
  'acquirer_symbol',
];

/** A page of the actions that name one of the symbols, in the order in which they are processed. */
function actionsBody(
  announced: ReadonlyMap<string, { readonly kind: string; readonly body: AnnouncedBody }>,
  query: URLSearchParams,
  pageSize: number,
) {
  const symbols = new Set((query.get('symbols') ?? '').split(','));
  const [start, end] = [query.get('start') ?? '', query.get('end') ?? ''];
  const found = [...announced.values()]
    .filter(({ body }) => SYMBOLS.some((field) => symbols.has(String(body[field]))))
    .filter(({ body }) => {
      const day = String(body['process_date']);
      return day >= start && day <= end;
    })
    .toSorted((one, other) =>
      String(one.body['process_date']) < String(other.body['process_date']) ? -1 : 1,
    );
  const first = Number(query.get('page_token') ?? 0);
  const page = found.slice(first, first + pageSize);
  const corporate_actions: Record<string, AnnouncedBody[]> = {};
  for (const { kind, body } of page)
    corporate_actions[kind] = [...(corporate_actions[kind] ?? []), body];
  const next = first + pageSize;
  return { corporate_actions, next_page_token: next < found.length ? String(next) : null };
}

const DAY = 86_400_000;

function calendarBody(
  sessions: ReadonlyMap<string, { readonly open: string; readonly close: string } | null>,
  query: URLSearchParams,
) {
  const days = [];
  const [start, end] = [query.get('start') ?? '', query.get('end') ?? ''];
  for (let at = Date.parse(start); at <= Date.parse(end); at += DAY) {
    const date = new Date(at).toISOString().slice(0, 10);
    const isWorkingDay = ![0, 6].includes(new Date(at).getUTCDay());
    const usual = isWorkingDay ? { open: '09:30', close: '16:00' } : null;
    const times = sessions.has(date) ? sessions.get(date) : usual;
    if (times) days.push({ date, ...times, session_open: '0400', session_close: '2000' });
  }
  return days;
}

/** Imitates Alpaca's market data for one key. */
export function alpacaData({
  now,
  keyId,
  secretKey,
  pageSize = 1_000,
}: AlpacaDataOptions): AlpacaData {
  const snapshots = new Map<string, string>();
  const refused = new Set<string>();
  const asked: number[] = [];
  const announced = new Map<string, { readonly kind: string; readonly body: AnnouncedBody }>();
  const sessions = new Map<string, { readonly open: string; readonly close: string } | null>();
  const faults = faultScript();
  const answer = (status: number, body: string) => ({
    status,
    body,
    headers: { 'content-type': 'application/json' },
  });
  const venue: Venue = async ({ method, path, query, headers }) => {
    const isKnown =
      headers['apca-api-key-id'] === keyId && headers['apca-api-secret-key'] === secretKey;
    if (!isKnown) return answer(403, '{"message":"forbidden."}');
    if (method === 'GET' && path === '/v2/calendar')
      return answer(200, JSON.stringify(calendarBody(sessions, query)));
    const isOfActions = path === '/v1/corporate-actions';
    if (method !== 'GET' || (!isOfActions && path !== '/v2/stocks/snapshots'))
      return answer(404, '{}');
    const symbols = (query.get('symbols') ?? '').split(',');
    if (!isOfActions) asked.push(symbols.length);
    const invalid = symbols.find((symbol) => refused.has(symbol));
    if (invalid !== undefined)
      return answer(
        400,
        JSON.stringify({ message: `code=400, message=invalid symbol: ${invalid}` }),
      );
    if (isOfActions) return answer(200, JSON.stringify(actionsBody(announced, query, pageSize)));
    const known = symbols.filter((symbol) => snapshots.has(symbol));
    const members = known.map(
      (symbol) => `${JSON.stringify(symbol)}:${snapshots.get(symbol) ?? ''}`,
    );
    return answer(200, `{${members.join(',')}}`);
  };
  return {
    venue: faults.around(venue),
    faults,
    asked,
    // Prices are JSON numbers, written digit by digit.
    quote: (symbol, { bid, ask, last = bid }, at = now()) => {
      const t = new Date(at).toISOString();
      snapshots.set(
        symbol,
        `{"latestTrade":{"t":"${t}","x":"V","p":${last},"s":10},"latestQuote":{"t":"${t}","ax":"V","ap":${ask},"as":1,"bx":"V","bp":${bid},"bs":2},"dailyBar":null}`,
      );
    },
    refuseSymbol: (symbol, refuses = true) =>
      void (refuses ? refused.add(symbol) : refused.delete(symbol)),
    announce: (kind, body) => void announced.set(String(body['id']), { kind, body }),
    withdraw: (actionId) => void announced.delete(actionId),
    session: (date, times) => void sessions.set(date, times),
  };
}
