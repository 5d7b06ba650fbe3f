import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Quote, decimal, decimalText, MINUTE } from '@slipstream/domain';
import { instruments, replayMarket } from '../src/index.js';
import { floatOf } from '../src/demo/price-grid.js';
import { handTimers } from '@slipstream/port-contracts';
import { hearing } from './hearing.js';
import { sharedFile, withSharedData } from './shared-data.js';

const stocks = instruments();
const HEADER = 'security,symbol,date,time_local,bid_close,ask_close';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
});
afterEach(async () => rm(folder, { recursive: true }));

async function fileOf(name: string, lines: readonly string[]): Promise<string> {
  const file = join(folder, name);
  const text = `${lines.join('\r\n')}\r\n`;
  await writeFile(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

async function started(files: readonly string[], speed = 1, resume: readonly Quote[] = []) {
  const timers = handTimers();
  const logged: Readonly<Record<string, unknown>>[] = [];
  const tell = (fields: Readonly<Record<string, unknown>>) => void logged.push(fields);
  const log = { info: tell, warn: tell, error: tell };
  const feed = replayMarket({ files, speed, clock: timers.clock, timers, log });
  const quotes: Quote[] = [];
  await feed.start(
    stocks,
    resume,
    hearing((batch) => quotes.push(...batch)),
  );
  return { timers, feed, quotes, logged };
}

/** Quotes as text, `bid/ask`; repeated ones once. */
function heard(quotes: readonly Quote[], stockId: string): string[] {
  const texts = quotes
    .filter((quote) => String(quote.stockId) === stockId)
    .map(({ bid, ask }) => `${decimalText(bid)}/${decimalText(ask)}`);
  return texts.filter((text, index) => text !== texts[index - 1]);
}

describe('the replay market', () => {
  it('plays one recorded minute per minute, at the present time, and repeats standing quotes', async () => {
    const file = await fileOf('a.csv', [
      HEADER,
      'stock,AAPL,2014-06-05,09:30:00,10,10.02',
      'stock,AAPL,2014-06-05,09:31:00,11,11.02',
      'stock,AAPL,2014-06-05,09:35:00,12,12.02',
    ]);
    const { timers, quotes, feed } = await started([file]);
    expect(feed.acceptsQuotes).toBe(false);
    expect(feed.notice).toMatch(/recorded/);
    expect(heard(quotes, 'aapl.nasdaq')).toEqual(['10/10.02']);
    timers.pass(61_000);
    expect(heard(quotes, 'aapl.nasdaq')).toEqual(['10/10.02', '11/11.02']);
    timers.pass(MINUTE);
    expect(heard(quotes, 'aapl.nasdaq')).toEqual(['10/10.02', '11/11.02', '12/12.02']);
    const ages = quotes.slice(1).map((quote, index) => quote.at - (quotes[index]?.at ?? 0));
    expect(Math.max(...ages)).toBeLessThanOrEqual(20_000);
    expect(quotes.every((quote) => quote.at <= timers.clock.now())).toBe(true);
  });

  it('plays faster, and forwards and backwards without a jump', async () => {
    const file = await fileOf('a.csv', [
      HEADER,
      'stock,AAPL,2014-06-05,09:30:00,10,10.02',
      'stock,AAPL,2014-06-05,09:31:00,11,11.02',
      'stock,AAPL,2014-06-06,09:30:00,12,12.02',
    ]);
    const { timers, quotes } = await started([file], 60);
    timers.pass(6_000);
    expect(heard(quotes, 'aapl.nasdaq').map((text) => text.split('/')[0])).toEqual([
      '10',
      '11',
      '12',
      '11',
      '10',
      '11',
      '12',
    ]);
  });

  it('plays stocks in their regular session only, coins round the clock', async () => {
    const file = await fileOf('a.csv.gz', [
      HEADER,
      'stock,GOOG,2015-12-24,09:29:00,1,9',
      'stock,GOOG,2015-12-24,09:30:00,20,20.1',
      'stock,GOOG,2015-12-24,12:59:00,21,21.1',
      'stock,GOOG,2015-12-24,13:00:00,1,9',
      'stock,GOOG,2015-12-25,10:00:00,1,9',
      'cryptocurrency,BTCUSD,2015-12-25,03:00:00,400,401',
    ]);
    const { timers, quotes, logged } = await started([file], 60);
    timers.pass(10_000);
    expect(new Set(heard(quotes, 'goog.nasdaq'))).toEqual(new Set(['20/20.1', '21/21.1']));
    expect(heard(quotes, 'btcusd.coinbase')).toEqual(['400/401']);
    expect(logged[0]).toMatchObject({ rows: 6, used: 3, outsideHours: 3, unusable: 0, unknown: 0 });
  });

  it('drops and counts unusable lines, and quotes only recorded instruments', async () => {
    const file = await fileOf('a.csv', [
      HEADER,
      'stock,AAPL,2014-06-05,09:30:00,10,10.02',
      'stock,AAPL,2014-06-05,09:31:00,12,11',
      'stock,AAPL,2014-06-05,09:32:00,,',
      'stock,AAPL,yesterday,09:33:00,10,11',
      'garbage',
      'stock,NOSUCH,2014-06-05,09:30:00,10,11',
    ]);
    const { timers, quotes, logged } = await started([file], 60);
    timers.pass(30_000);
    expect(new Set(quotes.map((quote) => String(quote.stockId)))).toEqual(new Set(['aapl.nasdaq']));
    expect(logged[0]).toMatchObject({ rows: 6, used: 1, unusable: 4, unknown: 1 });
  });

  it('finds the instrument by its coin, or in the name of the file', async () => {
    const byCoin = await fileOf('a.csv', [
      'symbol,security,date,close',
      'DASH,cryptocurrency,2018-01-01,900',
    ]);
    const byName = await fileOf('some_ethusd_days.csv', [
      'date,trade_open,trade_high,trade_low,trade_close,trade_volume',
      '2018-01-01,700,800,650,750,1',
    ]);
    const { quotes } = await started([byCoin, byName]);
    expect(heard(quotes, 'dashusd.coinbase')).toEqual(['900/900']);
    expect(heard(quotes, 'ethusd.coinbase')).toEqual(['750/750']);
    expect(heard(quotes, 'dash.nasdaq')).toEqual([]);
  });

  it('plays instruments recorded on the same days in step, the rest separately', async () => {
    const file = await fileOf('a.csv', [
      HEADER,
      'stock,AAPL,2014-06-05,09:30:00,10,11',
      'stock,IBM,2014-06-05,09:31:00,20,21',
      'stock,AAPL,2014-06-05,09:32:00,12,13',
      'stock,SPY,2013-10-04,09:30:00,30,31',
      'stock,SPY,2013-10-04,09:31:00,32,33',
    ]);
    const { timers, quotes } = await started([file], 60);
    timers.pass(1_000);
    expect(heard(quotes, 'aapl.nasdaq')).toEqual(['10/11']);
    expect(heard(quotes, 'spy.nysearca')).toEqual(['30/31', '32/33']);
    timers.pass(1_000);
    expect(heard(quotes, 'aapl.nasdaq')).toEqual(['10/11', '12/13']);
    expect(heard(quotes, 'spy.nysearca')).toEqual(['30/31', '32/33', '30/31']);
  });

  it('continues from a stored quote without a jump', async () => {
    const file = await fileOf('a.csv', [
      HEADER,
      'stock,AAPL,2014-06-05,09:30:00,99,101',
      'stock,AAPL,2014-06-05,09:31:00,108.9,111.1',
    ]);
    const [apple] = stocks.filter(({ symbol }) => symbol === 'AAPL');
    if (!apple) throw new Error('no AAPL');
    const [bid, ask, last] = [decimal('249'), decimal('251'), decimal('250')];
    const { timers, quotes } = await started([file], 60, [
      { stockId: apple.id, bid, ask, last, at: 0 },
    ]);
    timers.pass(1_000);
    expect(heard(quotes, 'aapl.nasdaq')).toEqual(['247.5/252.5', '272.25/277.75']);
  });

  it('gives small prices the decimals they need', async () => {
    const file = await fileOf('a.csv', [HEADER, 'stock,AAPL,2014-06-05,09:30:00,0.0123,0.0127']);
    const { quotes } = await started([file]);
    expect(heard(quotes, 'aapl.nasdaq')).toEqual(['0.0123/0.0127']);
  });

  it('sends nothing after it has stopped, not even while it reads', async () => {
    const file = await fileOf('a.csv', [HEADER, 'stock,AAPL,2014-06-05,09:30:00,10,11']);
    const { timers, feed, quotes } = await started([file]);
    await feed.stop();
    await feed.stop();
    const count = quotes.length;
    timers.pass(10 * MINUTE);
    expect(quotes).toHaveLength(count);

    const reading = feed.start(
      stocks,
      [],
      hearing((batch) => quotes.push(...batch)),
    );
    await feed.stop();
    await reading;
    timers.pass(10 * MINUTE);
    expect(quotes).toHaveLength(count);
  });

  it('refuses a file that is not a recording, a missing file, and a speed of zero', async () => {
    const file = await fileOf('a.csv', ['name,colour', 'sky,blue']);
    await expect(started([file])).rejects.toThrow(/a\.csv is no recording/);
    await expect(started([join(folder, 'absent.csv')])).rejects.toThrow(/absent\.csv/);
    await expect(started([file], 0)).rejects.toThrow(/speed/);
  });
});

describe('the replay of the recorded minutes', () => {
  withSharedData(() => {
    it('has no jump in a whole round, over the split of AAPL and the gaps of the others', async () => {
      const file = sharedFile('prices/lean_minute_quote.csv.gz');
      const { timers, quotes, logged } = await started([file], 600);
      timers.pass(30 * MINUTE);
      const steps = new Map<string, number>();
      const before = new Map<string, number>();
      for (const { stockId, bid, ask } of quotes) {
        const mid = (floatOf(bid) + floatOf(ask)) / 2;
        const step = Math.abs(Math.log(mid / (before.get(stockId) ?? mid)));
        steps.set(stockId, Math.max(step, steps.get(stockId) ?? 0));
        before.set(stockId, mid);
      }
      expect(logged[0]).toMatchObject({ rows: 37_172, unusable: 0, unknown: 0 });
      expect(steps.size).toBe(9);
      expect(steps.get('aapl.nasdaq')).toBeLessThan(0.01);
      expect(Math.max(...steps.values())).toBeLessThan(0.05);
    });

    it('survives the defects of the recorded days', async () => {
      const recorded = gunzipSync(await readFile(sharedFile('prices/sp500_5yr.csv.gz')));
      const lines = recorded.toString().split(/\r?\n/);
      const file = await fileOf(
        'defects.csv',
        lines.filter((line) => /^(symbol|AOS|DHR|O|VRTX|XYL),/.test(line)),
      );
      const { quotes, logged } = await started([file]);
      // The nine of them that known_defects.csv lists.
      expect(logged[0]).toMatchObject({ rows: 6_263, unusable: 9, unknown: 0 });
      expect(new Set(quotes.map(({ stockId }) => stockId)).size).toBe(5);
    });
  });
});
