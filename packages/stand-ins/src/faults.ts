import { setTimeout as pause } from 'node:timers/promises';
import type { Venue, VenueAnswer, VenueRequest } from './http.js';

/** What becomes of a request. Those that end in `after`, and what follows them, do what was asked; `delay` is in milliseconds. */
export type FaultKind =
  | { readonly status: number; readonly body?: unknown; readonly headers?: VenueAnswer['headers'] }
  | 'drop_before'
  | 'drop_after'
  | 'silent_before'
  | 'silent_after'
  | 'truncate'
  | 'garbage'
  | 'empty'
  /** Nobody answers until the caller gives up: `lost` is the time that passes. */
  | { readonly lost: () => void }
  | { readonly answer: unknown }
  | { readonly delay: number };

/** Meets the next request of that method whose path begins so, and that asks for that symbol among its `symbols`; each is left out for any. */
export interface Fault {
  readonly method?: string;
  readonly path?: string;
  readonly symbol?: string;
  readonly kind: FaultKind;
  /** How many requests it meets; 1 by default. */
  readonly times?: number;
}

export interface FaultScript {
  add(...faults: readonly Fault[]): void;
  clear(): void;
  around(venue: Venue): Venue;
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function met(kind: FaultKind, venue: Venue, request: VenueRequest) {
  if (kind === 'drop_before') return 'dropped';
  if (kind === 'silent_before') return 'silent';
  if (typeof kind === 'object' && 'lost' in kind) {
    kind.lost();
    return 'dropped';
  }
  if (typeof kind === 'object' && 'status' in kind) {
    const { status, body = {}, headers } = kind;
    return { status, body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } };
  }
  if (typeof kind === 'object' && 'delay' in kind) await pause(kind.delay);
  const outcome = await venue(request);
  if (typeof kind === 'object' && 'delay' in kind) return outcome;
  if (kind === 'drop_after') return 'dropped';
  if (kind === 'silent_after') return 'silent';
  if (typeof outcome === 'string') return outcome;
  if (kind === 'truncate') {
    return { ...outcome, body: outcome.body.slice(0, Math.floor(outcome.body.length / 2)) };
  }
  if (kind === 'garbage') return { status: 200, body: '<html><body>Please wait</body></html>' };
  const body = kind === 'empty' ? {} : kind.answer;
  return { status: 200, body: JSON.stringify(body), headers: JSON_TYPE };
}

/** Faults in the order in which they were added; the first that fits a request meets it. */
export function faultScript(): FaultScript {
  let waiting: { readonly fault: Fault; left: number }[] = [];
  return {
    add(...faults) {
      waiting.push(...faults.map((fault) => ({ fault, left: fault.times ?? 1 })));
    },
    clear() {
      waiting = [];
    },
    around: (venue) => (request) => {
      const next = waiting.find(
        ({ fault: { method = request.method, path = '/', symbol } }) =>
          method === request.method &&
          request.path.startsWith(path) &&
          (symbol === undefined ||
            request.query.get('symbols')?.split(',').includes(symbol) === true),
      );
      if (!next) return venue(request);
      next.left -= 1;
      if (next.left === 0) waiting = waiting.filter((one) => one !== next);
      return met(next.fault.kind, venue, request);
    },
  };
}
