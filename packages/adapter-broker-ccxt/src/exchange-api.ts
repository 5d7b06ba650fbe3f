import {
  BrokerRateLimited,
  BrokerUnreachable,
  type Clock,
  type RequestBudget,
  type Urgency,
} from '@slipstream/ports';
import type { z } from 'zod';
import { readAs } from './answers.js';
import type { Ccxt, CcxtExchange } from './load.js';
import { type Refusals, isUsedNonce, meaningOf } from './meaning.js';

/** What an exchange counts apart: questions of an account, its orders and cancellations, and what needs no key. */
export type Counted = 'questions' | 'orders' | 'public';

/** An endpoint, by the name that ccxt has for it. */
export interface Endpoint {
  readonly name: string;
  readonly counts: Counted;
  /** As many requests; one unless given. */
  readonly costs?: number;
}

export interface ExchangeKey {
  readonly apiKey: string;
  readonly secret: string;
}

/** The requests of one account, each answer checked. They throw the port's errors, and `Declined`. */
export interface ExchangeApi {
  /** Asks, and reads the answer by the schema. */
  ask<T>(endpoint: Endpoint, params: object, schema: z.ZodType<T>, urgency: Urgency): Promise<T>;
  /** The name that all exchanges have for a currency, by that of this exchange. */
  codeOf(name: string): string;
  readonly now: () => number;
}

export interface ApiOptions {
  readonly ccxt: Ccxt;
  readonly venue: 'kraken' | 'coinbase';
  readonly refusals: Refusals;
  readonly clock: Clock;
  /** The exchange's own host unless given; for stand-ins. */
  readonly url: string | undefined;
  readonly fetch: typeof fetch;
  /** An answer that takes longer does not come any more. */
  readonly timeout: number;
  /** Absent for what needs no key. */
  readonly key?: ExchangeKey | undefined;
  /** A number that the key has not sent yet: an exchange takes each once, in rising order. */
  readonly nonce: () => number;
  readonly budgetOf: (counted: Counted) => RequestBudget;
}

const SERVER_FAULT = 500;
const TOO_MANY = [418, 429];
const WITHOUT_BODY = [204, 304];
const PAUSE = 10_000;
const SECOND = 1_000;
/** How often a request is sent again with another nonce. */
const NONCES = 2;

/** Each nonce of a request was used up. It had no effect. */
export class NoncesUsed extends BrokerRateLimited {
  constructor(retryAfter: number) {
    super(
      retryAfter,
      'another program uses the key of this account with larger nonces, or the clock of this server is behind',
    );
  }
}

/** An order that could not be sent within this time of the call is not sent: trading may have been halted meanwhile. */
export const SENT_WITHIN = 500;

/** Seconds, as the header has them. */
const retryAfter = (headers: Headers): number => {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,4}$/.test(text) ? Number(text) * SECOND : PAUSE;
};

/** Sends for ccxt. A status that says enough ends here: ccxt would take some bodies of failed servers for refusals. */
const sender =
  ({ refusals: { title }, fetch, timeout }: ApiOptions) =>
  async (url: string, { method, headers, body, signal }: RequestInit): Promise<Response> => {
    const deadline = AbortSignal.timeout(timeout);
    const response = await fetch(url, {
      ...{ method, headers, body, redirect: 'error' },
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    } as RequestInit);
    const { status } = response;
    const text = await response.text();
    if (status >= SERVER_FAULT) throw new BrokerUnreachable(`${title} answered ${status}`);
    if (TOO_MANY.includes(status)) throw new BrokerRateLimited(retryAfter(response.headers));
    const answer = WITHOUT_BODY.includes(status) ? null : text;
    return new Response(answer, { status, headers: response.headers });
  };

function newExchange(options: ApiOptions): CcxtExchange {
  const { ccxt, venue, clock, url, key, nonce, timeout } = options;
  const exchange = new ccxt[venue]({
    ...key,
    enableRateLimit: false,
    timeout,
    userAgent: 'Slipstream',
    fetchImplementation: sender(options),
    ...(url !== undefined && { urls: { api: { public: url, private: url, rest: url } } }),
  });
  exchange.milliseconds = clock.now;
  exchange.nonce = nonce;
  // It would look for packages of proxies, which are not installed.
  exchange.proxiesModulesLoading = Promise.resolve();
  return exchange;
}

export function exchangeApi(options: ApiOptions): ExchangeApi {
  const { clock, refusals, budgetOf } = options;
  const exchange = newExchange(options);

  const send = async (
    { name, counts, costs = 1 }: Endpoint,
    params: object,
    urgency: Urgency,
  ): Promise<unknown> => {
    const ask = exchange[name];
    if (typeof ask !== 'function') throw new BrokerUnreachable(`ccxt has no endpoint ${name}`);
    const budget = budgetOf(counts);
    const mayPlace = urgency === 'increase' || urgency === 'reduce';
    const until = mayPlace ? clock.now() + SENT_WITHIN : Infinity;
    for (let again = 0; ; again += 1) {
      budget.spend(urgency, costs);
      try {
        return await (ask as (params: object) => Promise<unknown>)(params);
      } catch (error) {
        const isUsed = isUsedNonce(error);
        if (isUsed && again < NONCES && clock.now() <= until) continue;
        const meaning = meaningOf(refusals, error);
        if (!(meaning instanceof BrokerRateLimited)) throw meaning;
        budget.pause(meaning.retryAfter);
        throw isUsed ? new NoncesUsed(meaning.retryAfter) : meaning;
      }
    }
  };

  return {
    ask: async (endpoint, params, schema, urgency) =>
      readAs(refusals.title, schema, await send(endpoint, params, urgency)),
    codeOf: (name) => exchange.safeCurrencyCode(name) ?? name,
    now: clock.now,
  };
}
