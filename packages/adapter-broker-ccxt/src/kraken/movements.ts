import { BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
import type { Endpoint, ExchangeApi } from '../exchange-api.js';
import type { Movement } from '../venue.js';
import { ledgerAnswer } from './answers.js';
import { codeOfAsset } from './assets.js';

const LEDGER: Endpoint = { name: 'privatePostLedgers', counts: 'questions', costs: 2 };

/** One by one: trades would fill the pages of all kinds together. */
const KINDS = ['deposit', 'withdrawal', 'transfer'] as const;

const PAGE = 50;
const MOST_PAGES = 20;
const SECOND = 1_000;

async function movementsOf(
  api: ExchangeApi,
  kind: string,
  since: number,
): Promise<readonly Movement[]> {
  const found = new Map<string, Movement>();
  const start = Math.floor(since / SECOND) - 1;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = { type: kind, start: Math.max(start, 0), ofs: page * PAGE };
    // Until they are known the bot does nothing else, and others may read the account all the time.
    const { result } = await api.ask(LEDGER, params, ledgerAnswer, 'find');
    const rows = Object.entries(result.ledger);
    for (const [id, { time, type, asset, amount, fee }] of rows) {
      const at = Math.floor(time * SECOND);
      found.set(id, {
        id,
        at,
        name: type,
        code: codeOfAsset(api, asset),
        amount: amount.minus(fee),
      });
    }
    if (rows.length < PAGE) return [...found.values()].filter(({ at }) => at >= since);
  }
  throw new BrokerUnreachable('Kraken reports more movements than are read');
}

const DENIED = /Permission denied/;

/** A key that may not read the ledger reports nothing, and trades all the same. */
export async function movements(api: ExchangeApi, since: number): Promise<readonly Movement[]> {
  try {
    const found: Movement[] = [];
    for (const kind of KINDS) found.push(...(await movementsOf(api, kind, since)));
    return found;
  } catch (error) {
    if (!(error instanceof BrokerRefused && DENIED.test(error.message))) throw error;
    throw new BrokerUnreachable('Kraken does not let this key query ledger entries');
  }
}
