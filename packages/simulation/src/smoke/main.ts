#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PAPER, alpacaBroker } from '@slipstream/adapter-broker-alpaca';
import { instruments } from '@slipstream/adapter-market';
import type { Stock } from '@slipstream/domain';
import { id } from '@slipstream/domain';
import { type Finding, smoke } from './smoke.js';

const USAGE = `npm run smoke -- alpaca_paper
Trades a few dollars of play money in a paper account at Alpaca, ends as it began, and tells what differs from our stand-in.
ALPACA_SMOKE_KEY_ID and ALPACA_SMOKE_SECRET_KEY hold the key of a paper account that you own. Not for CI.`;

const stop = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};

const TRADED = ['F', 'AAPL', 'MSFT', 'BRK.B', 'SPY'];

async function main([name, ...more]: readonly string[]): Promise<void> {
  if (name === '--help' || name === '-h') {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { ALPACA_SMOKE_KEY_ID: key_id, ALPACA_SMOKE_SECRET_KEY: secret_key, CI } = process.env;
  if (name !== PAPER.name || more.length > 0) stop(USAGE);
  if (CI !== undefined && CI !== '' && CI !== 'false') stop('The smoke test does not run in CI.');
  if (key_id === undefined || secret_key === undefined) return stop(USAGE);
  const all = instruments();
  const named = (symbol: string): Stock => {
    const found = all.find((stock) => stock.symbol === symbol);
    return found ?? stop(`${symbol} is not among the instruments`);
  };
  const listed = {
    find: (one: Stock['id']) => all.find((stock) => stock.id === one),
    all: () => all,
  };
  const findings: Finding[] = [];
  await smoke({
    broker: alpacaBroker(PAPER, { clock: { now: Date.now }, instruments: listed }),
    link: {
      userId: id<'user'>('smoke'),
      type: 'stock',
      accountId: undefined,
      credentials: { key_id, secret_key },
    },
    instruments: listed,
    stocks: TRADED.map(named),
    coin: named('BTCUSD'),
    newId: () => `smoke${randomBytes(13).toString('hex')}`,
    pause,
    found: (finding) => {
      findings.push(finding);
      process.stdout.write(`${finding.result.padEnd(12)} ${finding.step}: ${finding.saw}\n`);
    },
  });
  process.exitCode = findings.some(({ result }) => result === 'differs') ? 1 : 0;
}

main(process.argv.slice(2)).catch((error: unknown) => stop(String(error)));
