import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { marketFeedContract, tradingHoursContract } from '@slipstream/port-contracts';
import type { MarketFeed } from '@slipstream/ports';
import {
  alwaysOpen,
  demoMarket,
  exchangeHours,
  instruments,
  pushMarket,
  replayMarket,
} from '../src/index.js';
import { type HandTimers, handTimers } from '@slipstream/port-contracts';

const stocks = instruments();
const kinds = stocks.filter(({ symbol }) => ['AAPL', 'BTCUSD'].includes(symbol));
/** A week with a holiday and the end of summer time. */
const from = Date.parse('2026-10-26T00:00:00.000Z');

tradingHoursContract('exchanges', () => ({ hours: exchangeHours(), stocks: kinds, from }));
tradingHoursContract('always open', () => ({ hours: alwaysOpen(), stocks: kinds, from }));

const folder = mkdtempSync(join(tmpdir(), 'feed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.csv');
writeFileSync(
  file,
  [
    'security,symbol,date,time_local,bid_close,ask_close',
    'stock,AAPL,2014-06-05,09:30:00,10,10.02',
    'stock,AAPL,2014-06-05,09:31:00,11,11.02',
    '',
  ].join('\r\n'),
);

const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };

const moved = (feedOf: (timers: HandTimers) => MarketFeed) => () => {
  const timers = handTimers();
  return { feed: feedOf(timers), stocks, pass: async () => timers.pass(60_000) };
};

marketFeedContract(
  'demo',
  moved((timers) => demoMarket({ seed: 'a', clock: timers.clock, timers })),
);
marketFeedContract(
  'replay',
  moved((timers) => replayMarket({ files: [file], speed: 1, clock: timers.clock, timers, log })),
);
marketFeedContract('push', moved(pushMarket));
