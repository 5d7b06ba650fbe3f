import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { PAPER, alpacaBroker } from '@slipstream/adapter-broker-alpaca';
import { instruments } from '@slipstream/adapter-market';
import { decimal, id } from '@slipstream/domain';
import { type AlpacaOptions, alpacaStandIn, fetchFrom } from '@slipstream/stand-ins';
import { type Finding, smoke } from '../src/smoke/smoke.js';

const START = Date.parse('2026-03-04T15:00:00Z');
const KEY = { key_id: 'PKTESTKEY00000000001', secret_key: 'secret-of-the-paper-account' };
const SYMBOLS = ['F', 'AAPL', 'MSFT', 'BRK.B', 'SPY'];

async function run(options: Partial<AlpacaOptions> = {}, isOpen = true) {
  let now = START;
  const standIn = alpacaStandIn({ now: () => now, filling: 1_500, ...options });
  for (const symbol of SYMBOLS) standIn.addAsset({ symbol, bid: '11.9', ask: '12' });
  standIn.addAsset({ symbol: 'BTC/USD', bid: '89900', ask: '90000' });
  if (!isOpen) standIn.closeMarket();
  const [keyId, secretKey] = [KEY.key_id, KEY.secret_key];
  const account = standIn.addAccount({ number: 'PA3TEST00001', keyId, secretKey, cash: '10000' });
  const all = instruments();
  const listed = {
    find: (one: string) => all.find((stock) => stock.id === one),
    all: () => all,
  };
  const named = (symbol: string) => all.filter((stock) => stock.symbol === symbol);
  const [coin] = named('BTCUSD');
  if (!coin) throw new Error('no coin');
  standIn.tradeByHand(account, 'F', 'buy', decimal('3'));
  const findings: Finding[] = [];
  let ids = 0;
  await smoke({
    broker: alpacaBroker(PAPER, {
      clock: { now: () => now },
      instruments: listed,
      fetch: fetchFrom({ 'paper-api.alpaca.markets': standIn.venue }),
    }),
    link: { userId: id<'user'>('smoke'), type: 'stock', accountId: undefined, credentials: KEY },
    instruments: listed,
    stocks: SYMBOLS.flatMap(named),
    coin,
    newId: () => `smoke-${(ids += 1)}`,
    pause: async (milliseconds) => {
      now += milliseconds;
    },
    found: (finding) => findings.push(finding),
  });
  return { findings, account };
}

const program = join(import.meta.dirname, '../dist/smoke/main.js');

describe('the smoke test', () => {
  it('finds the stand-in as expected and leaves the account as it was', async () => {
    const { findings, account } = await run();
    expect(findings.filter(({ result }) => result !== 'as expected')).toEqual([]);
    expect(findings.length).toBeGreaterThan(11);
    expect([...account.positions.values()].map((amount) => amount.toFixed())).toEqual(['3']);
  });

  it('tells what differs, and still leaves no position behind', async () => {
    const { findings, account } = await run({ filling: 0, coinFee: decimal('0') });
    const differs = findings.filter(({ result }) => result === 'differs');
    expect(differs.map(({ step }) => step)).toEqual(['a coin is bought; it arrives less its fee']);
    expect(account.positions.size).toBe(1);
  });

  it('leaves stocks out while the market is closed', async () => {
    const { findings } = await run({}, false);
    expect(findings).toContainEqual(
      expect.objectContaining({ step: 'stocks', result: 'left out' }),
    );
  });

  it('tells how it is called', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--help'], {
      env: {},
    });
    expect(stdout).toContain('npm run smoke -- alpaca_paper');
  });

  it.each([
    [[], {}],
    [['alpaca'], { ALPACA_SMOKE_KEY_ID: 'AK', ALPACA_SMOKE_SECRET_KEY: 'x' }],
    [['alpaca_paper'], { CI: 'true', ALPACA_SMOKE_KEY_ID: 'PK', ALPACA_SMOKE_SECRET_KEY: 'x' }],
    [
      ['alpaca_paper'],
      { ALPACA_SMOKE_KEY_ID: 'AKLIVE000000001', ALPACA_SMOKE_SECRET_KEY: 'canary-of-live' },
    ],
  ])('refuses %j with %j before it calls anybody', async (args, env) => {
    const ran = promisify(execFile)(process.execPath, [program, ...args], { env });
    const failed = (await ran.catch((error: unknown) => error)) as { code: number; stderr: string };
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringMatching(/smoke|must begin with PK/),
    ]);
    expect(failed.stderr).not.toContain('canary');
  });
});
