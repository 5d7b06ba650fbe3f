import { setTimeout as pause } from 'node:timers/promises';
import { alpacaStandIn, listen } from '@slipstream/stand-ins';
import { accountKey } from '../account-key.js';
import { answerQuestions } from '../program.js';

export interface AccountsOptions {
  readonly accounts: number;
  /** Milliseconds until an answer. */
  readonly latency: number;
}

/** How often and when the stand-in was asked. */
export interface Asked {
  readonly requests: number;
  readonly placed: number;
  /** When the last order was placed, in milliseconds since 1970; 0 before the first. */
  readonly lastPlacedAt: number;
}

/** Accounts at the stand-in of Alpaca, each answer after the latency of a real venue. */
const { accounts, latency } = JSON.parse(process.argv[2] ?? '{}') as AccountsOptions;
const standIn = alpacaStandIn({ now: Date.now });
for (let index = 0; index < accounts; index += 1) {
  const { key_id: keyId, secret_key: secretKey } = accountKey(index);
  standIn.addAccount({ number: `PA${1000000 + index}`, keyId, secretKey, cash: '100000' });
}
standIn.addAsset({ symbol: 'AAPL', bid: '199.98', ask: '200.02' });
let placed = { requests: 0, placed: 0, lastPlacedAt: 0 };
const venue = await listen(async (request) => {
  const isOrder = request.method === 'POST' && request.path === '/v2/orders';
  const now = Date.now();
  placed = {
    requests: placed.requests + 1,
    placed: placed.placed + (isOrder ? 1 : 0),
    lastPlacedAt: isOrder ? now : placed.lastPlacedAt,
  };
  await pause(latency);
  return standIn.venue(request);
});
answerQuestions({ url: () => venue.url, asked: (): Asked => placed }, () => venue.close());
