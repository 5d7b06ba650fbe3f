import { type Client, createClient } from '@slipstream/client';
import { type Promised, nothingPromised } from './promised.js';
import { OPERATOR, type Place } from './program.js';
import type { Sent } from './sent.js';

export const STOCKS = ['AAPL:NASDAQ', 'MSFT:NASDAQ', 'NVDA:NASDAQ'];

/** What outlives the servers: a user, strategies and the answered effects. */
export interface Trading {
  readonly token: string;
  readonly strategyIds: readonly string[];
  readonly promised: Promised;
  /** A sample of answered requests, for repetition. */
  readonly remembered: Sent[];
  readonly figures: Figures;
}

/** Trading at the servers of one place, one after another. */
export interface Scene extends Trading {
  readonly place: Place;
}

/** The figures that are printed at the end. */
export interface Figures {
  kills: number;
  killsWhileStarting: number;
  requests: number;
  answered: number;
  unanswered: number;
  refused: number;
  unavailable: number;
  askedAgain: number;
  checks: number;
  slowestStart: number;
}

export const noFigures = (): Figures => ({
  kills: 0,
  killsWhileStarting: 0,
  requests: 0,
  answered: 0,
  unanswered: 0,
  refused: 0,
  unavailable: 0,
  askedAgain: 0,
  checks: 0,
  slowestStart: 0,
});

/** A client of the server that sends each request once. */
export const clientOf = (url: string, token: string): Client =>
  createClient({ url, token, attempts: 1 });

export const operatorOf = (url: string): Client => clientOf(url, OPERATOR);

/** Sends new quotes: quotes from before a start trade nothing (contract 7). */
export async function sendQuotes(url: string): Promise<void> {
  const quotes = STOCKS.map((stock_id) => ({ stock_id, bid: 100, ask: 100.01, last: 100 }));
  await operatorOf(url).newQuotes({ quotes });
}

/** A user with three strategies and a bot that mirrors two of them, made over HTTP. */
export async function setScene(url: string, figures: Figures): Promise<Trading> {
  const anyone = createClient({ url });
  const account = { email: 'ada@example.com', password: 'a long password' };
  await anyone.newUser(account);
  const session = await anyone.newSession(account);
  const issued = await clientOf(url, session.token).newToken({ name: 'torture', scope: ['*'] });
  const client = clientOf(url, issued.token);
  const strategyIds: string[] = [];
  for (const name of ['One', 'Two', 'Three']) {
    strategyIds.push((await client.newStrategy({ type: 'stock', name })).strategy_id);
  }
  await sendQuotes(url);
  const allocations = strategyIds.slice(0, 2).map((strategy_id) => ({ strategy_id, percent: 0.5 }));
  // The prices of the load jump by a tenth: within the usual collar orders would rest for minutes.
  const terms = { allocations, credentials: {}, price_collar: '0.2' } as const;
  const bot = { type: 'stock', broker: 'simulated', ...terms } as const;
  const { bot_id } = await client.newBot(bot);
  await client.startBot({ bot_id });
  return {
    token: issued.token,
    strategyIds,
    promised: nothingPromised(),
    remembered: [],
    figures,
  };
}
