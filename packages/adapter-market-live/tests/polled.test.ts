import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { DAY, type Quote, decimal, id } from '@slipstream/domain';
import { marketFeedContract } from '@slipstream/port-contracts';
import { alpacaData, fetchFrom } from '@slipstream/stand-ins';
import { alpacaSnapshots, liveMarket } from '../src/index.js';
import { steps } from './scene.js';

const KEY = { keyId: 'PKDATA', secret: 'canary-secret-of-data' };
const stocks = instruments().filter(({ security }) => security === 'stock');
const quiet = () => undefined;

function scene(secret = KEY.secret) {
  // An answer to a request takes some turns of the event loop.
  const { clock, timers, pass, setBack } = steps(Date.UTC(2026, 2, 4, 15), async () => {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  });
  const data = alpacaData({ now: clock.now, keyId: KEY.keyId, secretKey: KEY.secret });
  data.quote('AAPL', { bid: '200', ask: '200.1' });
  const logged: string[] = [];
  const warn = (fields: object, text: string) =>
    void logged.push(`${JSON.stringify(fields)} ${text}`);
  const source = alpacaSnapshots({
    keyId: KEY.keyId,
    secret,
    feed: 'iex',
    fetch: fetchFrom({ 'data.alpaca.markets': data.venue }),
    random: () => 0.5,
    log: { info: quiet, error: quiet, warn },
    maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
    freshFor: 60_000,
  });
  const feed = liveMarket({ sources: [source], clock, timers, notice: null });
  const quotes: Quote[] = [];
  const lost: string[] = [];
  const start = (some = stocks) =>
    feed.start(some, [], {
      quotes: (some) => quotes.push(...some),
      lost: (some) => lost.push(...some),
      status: quiet,
    });
  const said = () => quotes.map(({ bid, ask }) => `${bid.toFixed()}/${ask.toFixed()}`);
  return {
    clock,
    data,
    feed,
    logged,
    lost,
    pass,
    quotes,
    said,
    setBack,
    start,
    health: () => feed.health()[0],
  };
}

marketFeedContract('alpaca', () => {
  const { feed, data, pass } = scene();
  // It is quoted anew all the time, as a real stock is.
  return {
    feed,
    stocks,
    pass: async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        data.quote('AAPL', { bid: '200', ask: '200.1' });
        await pass(5_000);
      }
    },
  };
});

describe('stocks by snapshots of Alpaca', () => {
  it('are asked for in chunks of 200 every 5 s, and quoted at the receipt', async () => {
    const { start, data, pass, quotes, clock } = scene();
    await start();
    await pass(11_000);
    const chunks = [200, 200, stocks.length - 400];
    expect(data.asked).toEqual([...chunks, ...chunks, ...chunks]);
    expect(quotes).toHaveLength(1);
    expect(clock.now() - (quotes[0]?.at ?? 0)).toBeGreaterThan(10_000);
  });

  it('are stale by their time at the venue, whatever the receipt', async () => {
    const { start, data, pass, said, lost, clock } = scene();
    data.quote('MSFT', { bid: '400', ask: '400.1' }, clock.now() - 61_000);
    await start();
    await pass(59_000);
    expect(new Set(said())).toEqual(new Set(['200/200.1']));
    expect(lost).toEqual([]);
    await pass(2_000);
    expect(lost).toHaveLength(1);
    data.quote('AAPL', { bid: '201', ask: '201.1' });
    await pass(5_500);
    expect(said().at(-1)).toBe('201/201.1');
  });

  it('stand no longer when Alpaca gives no answers, and are back within 35 s', async () => {
    const { start, data, pass, said, lost, health } = scene();
    await start();
    await pass(500);
    data.faults.add({ kind: 'silent_after', times: 1_000 });
    await pass(16_000);
    expect(lost).toHaveLength(1);
    await pass(120_000);
    data.faults.clear();
    data.quote('AAPL', { bid: '210', ask: '210.1' });
    await pass(35_000);
    expect(said().at(-1)).toBe('210/210.1');
    expect(health()).toMatchObject({ healthy: true });
    expect(health()?.reconnects).toBeGreaterThan(0);
  });

  it.each([
    ['after answers', 500],
    ['while an answer is awaited', 0],
    ['in a pause after failures', 16_000],
  ])('are asked for at once after a moment in which the clock was ahead: %s', async (_, passed) => {
    const { start, data, pass, said, setBack, clock } = scene();
    data.quote('AAPL', { bid: '200', ask: '200.1' }, clock.now() - 3_600_000);
    await start();
    await pass(500);
    if (passed !== 500) data.faults.add({ kind: 'silent_after', times: 1_000 });
    await pass(passed === 0 ? 5_000 : passed);
    setBack(3_600_000);
    data.faults.clear();
    data.quote('AAPL', { bid: '210', ask: '210.1' });
    await pass(35_000);
    expect(said().filter((one) => one === '210/210.1').length).toBeGreaterThan(1);
  });

  it.each(['garbage', 'truncate', 'drop_after', { status: 500 }, { status: 429 }] as const)(
    'are asked for again after %j',
    async (kind) => {
      const { start, data, pass, said, health } = scene();
      data.faults.add({ kind, times: 3 });
      await start();
      await pass(35_000);
      expect(said()[0]).toBe('200/200.1');
      expect(health()?.reconnects).toBe(3);
    },
  );

  it.each(['silent_after', 'garbage', { status: 500 }, { status: 429 }] as const)(
    'of one request that is met by %j all the time are lost alone',
    async (kind) => {
      const { start, data, pass, said, lost, health, quotes } = scene();
      const [first, last] = [stocks[0]?.symbol ?? '', stocks.at(-1)?.symbol ?? ''];
      data.quote(first, { bid: '10', ask: '10.01' });
      data.quote(last, { bid: '20', ask: '20.01' });
      await start();
      await pass(500);
      expect(said()).toHaveLength(3);
      data.faults.add({ kind, symbol: first, times: 1_000 });
      for (let turn = 0; turn < 12; turn += 1) {
        data.quote(last, { bid: '20', ask: `20.0${(turn % 8) + 2}` });
        await pass(5_000);
      }
      const lastOne = stocks.at(-1)?.id ?? '';
      expect(quotes.filter(({ stockId }) => stockId === lastOne)).toHaveLength(13);
      expect(lost).toContain(stocks[0]?.id);
      expect(lost).not.toContain(lastOne);
      expect(health()?.healthy).toBe(false);
    },
  );

  it('go on without a symbol that is refused in words that do not name it', async () => {
    const { start, data, pass, said, lost, logged, health } = scene();
    data.quote('MSFT', { bid: '400', ask: '400.1' });
    data.faults.add({
      kind: { status: 400, body: { message: 'bad request' } },
      symbol: 'MSFT',
      times: 1_000,
    });
    await start();
    await pass(5_500);
    for (let turn = 0; turn < 24; turn += 1) {
      data.quote('AAPL', { bid: '200', ask: `200.${turn + 10}` });
      await pass(5_000);
    }
    expect([said().length, lost, health()?.healthy]).toEqual([25, [], true]);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('"symbols":["MSFT"]');
  });

  it.each([
    ['two neighbours', (index: number) => index < 2],
    ['nine neighbours', (index: number) => index >= 100 && index < 109],
    ['most of them', (index: number) => index < 150],
    ['one of thirteen', (index: number) => index % 13 === 0],
  ])('go on without %s that are refused in words that name none', async (_, isRefused) => {
    const { start, data, pass, said, lost, logged, health } = scene();
    const first = stocks.findIndex(({ symbol }) => symbol === 'AAPL');
    const others = stocks.slice(first - (first % 200)).filter(({ symbol }) => symbol !== 'AAPL');
    const refused = others.slice(0, 199).filter((__, index) => isRefused(index));
    for (const { symbol } of refused)
      data.faults.add({
        kind: { status: 400, body: { message: 'bad request' } },
        symbol,
        times: 1_000_000,
      });
    await start();
    for (let turn = 0; turn < 24; turn += 1) {
      data.quote('AAPL', { bid: '200', ask: `200.${turn + 10}` });
      await pass(5_000);
    }
    await pass(5_500);
    expect([said().at(-1), lost, health()?.healthy]).toEqual(['200/200.33', [], true]);
    expect(said().length).toBeGreaterThan(20);
    expect(logged).toHaveLength(refused.length);
  });

  it('are asked for in few requests when each is refused and none is named: it is not for a symbol', async () => {
    const { start, data, pass, logged } = scene();
    data.faults.add({ kind: { status: 400, body: { message: 'bad request' } }, times: 1_000_000 });
    await start();
    await pass(500);
    expect(data.asked.length).toBeLessThan(3 * 17);
    expect(logged).toHaveLength(3);
    expect(logged.join()).not.toContain('does not list');
    data.faults.clear();
    data.quote('AAPL', { bid: '200', ask: '200.1' });
    await pass(35_000);
    expect(logged.join()).not.toContain('does not list');
  });

  it.each([1, 2])(
    'are back within 35 s when there are %i and their requests are refused for a while, none named',
    async (count) => {
      const { start, data, pass, said } = scene();
      const others = stocks.filter(({ symbol }) => symbol !== 'AAPL').slice(0, count - 1);
      await start([...stocks.filter(({ symbol }) => symbol === 'AAPL').slice(0, 1), ...others]);
      await pass(500);
      data.faults.add({ kind: { status: 400, body: { message: 'bad request' } }, times: 1_000 });
      await pass(60_000);
      data.faults.clear();
      data.quote('AAPL', { bid: '210', ask: '210.1' });
      await pass(35_000);
      expect(said().at(-1)).toBe('210/210.1');
    },
  );

  it.each([1, 2, 4, 8])(
    'go on without the %i of the last request that are all refused, and not named, while others are answered for',
    async (count) => {
      const { start, data, pass, health, logged } = scene();
      const others = stocks.filter(({ symbol }) => symbol !== 'AAPL');
      const bad = { status: 400, body: { message: 'bad request' } };
      for (const { symbol } of others.slice(200, 200 + count))
        data.faults.add({ kind: bad, symbol, times: 1_000 });
      await start(others.slice(0, 200 + count));
      await pass(120_000);
      expect(health()?.healthy).toBe(true);
      expect(logged.filter((line) => line.includes('does not list'))).toHaveLength(count);
      expect(logged.length).toBeLessThan(count + 3);
    },
  );

  it('that are refused are asked for one by one later, and take nothing from the others', async () => {
    const { start, data, pass, lost, health } = scene();
    for (const { symbol } of stocks.slice(-150)) if (symbol !== 'AAPL') data.refuseSymbol(symbol);
    await start();
    for (let turn = 0; turn < 24; turn += 1) await pass(5_000);
    const before = data.asked.length;
    lost.length = 0;
    for (let turn = 0; turn < 240; turn += 1) {
      data.quote('AAPL', { bid: '200', ask: `200.${turn + 10}` });
      await pass(5_000);
    }
    // Three requests every five seconds, and one symbol more at most.
    expect(data.asked.length - before).toBeLessThanOrEqual(240 * 4);
    expect(data.asked.slice(before).filter((count) => count === 1).length).toBeGreaterThan(100);
    expect([lost, health()?.healthy]).toEqual([[], true]);
  });

  it('go on without a symbol that Alpaca does not know', async () => {
    const { start, data, pass, said, logged } = scene();
    data.refuseSymbol('BRK.B');
    data.refuseSymbol('BF.B');
    await start();
    await pass(1_000);
    expect(said()).toEqual(['200/200.1']);
    expect(logged).toHaveLength(2);
  });

  it.each([1, 2])(
    'of a symbol that Alpaca knows no more have no quote that stands, be it %i that it refuses',
    async (refused) => {
      const { start, data, pass, lost, quotes, clock } = scene();
      const symbols = ['AAPL', 'MSFT'].slice(0, refused);
      data.quote('MSFT', { bid: '400', ask: '400.1' });
      await start();
      await pass(500);
      for (const symbol of symbols) data.refuseSymbol(symbol);
      await pass(60_000);
      const last = clock.now();
      await pass(120_000);
      const ids = stocks.filter(({ symbol }) => symbols.includes(symbol)).map(({ id }) => id);
      expect(quotes.filter(({ stockId, at }) => ids.includes(stockId) && at > last)).toEqual([]);
      expect(lost).toEqual(expect.arrayContaining(ids));
    },
  );

  it('of a symbol that Alpaca did not know for a while are back within ten minutes, and its refusal is told once', async () => {
    const { start, data, pass, said, health, logged } = scene();
    data.refuseSymbol('AAPL');
    await start();
    for (let turn = 0; turn < 300; turn += 1) await pass(5_000);
    expect([said(), logged.length, health()?.healthy]).toEqual([[], 1, true]);
    data.refuseSymbol('AAPL', false);
    for (let turn = 0; turn < 121 && said().length === 0; turn += 1) {
      data.quote('AAPL', { bid: '210', ask: '210.1' });
      await pass(5_000);
    }
    expect([said(), health()?.reconnects]).toEqual([['210/210.1'], 0]);
  });

  it.each(['FOO BAR', 'FOO,', 'A,B', ' ', 'ΑΑPL', 'A"B', 'A&feed=sip'])(
    'go on beside one that is named %j, which no symbol of Alpaca is',
    async (symbol) => {
      const { data, pass, said, health, feed, start } = scene();
      for (const part of [symbol, ...symbol.split(',')]) if (part !== '') data.refuseSymbol(part);
      await start();
      const [stock] = stocks;
      if (!stock) throw new Error('no stock');
      feed.add?.([{ ...stock, id: id<'stock'>('foo'), symbol, exchange: 'NYSE' }]);
      for (let turn = 0; turn < 12; turn += 1) {
        data.quote('AAPL', { bid: `${200 + turn}`, ask: `${200 + turn}.1` });
        await pass(5_000);
      }
      expect([said().length, health()?.reconnects, health()?.healthy]).toEqual([11, 0, true]);
    },
  );

  it('with one side, too wide or older than known are dropped and counted', async () => {
    const { start, data, pass, said, health, lost, clock } = scene();
    await start();
    await pass(500);
    data.quote('AAPL', { bid: '0', ask: '200.1' });
    await pass(5_000);
    expect(lost).toHaveLength(1);
    data.quote('AAPL', { bid: '200', ask: '300' });
    await pass(5_000);
    data.quote('AAPL', { bid: '200', ask: '200.1' }, clock.now() - 30_000);
    await pass(5_000);
    expect(said()).toEqual(['200/200.1']);
    expect(health()?.drops).toEqual({ one_sided: 1, wide: 1, disordered: 1 });
  });

  it('that cannot be read are dropped and counted, and the others are taken', async () => {
    const { start, data, pass, said, health, lost, clock } = scene();
    await start();
    await pass(500);
    const t = new Date(clock.now()).toISOString();
    const readable = { latestTrade: { t, p: 190 }, latestQuote: { t, bp: 190, ap: 190.1 } };
    const answer = { AAPL: readable, MSFT: { ...readable, latestQuote: { bp: 400, ap: 400.1 } } };
    data.faults.add({ path: '/v2/stocks/snapshots', kind: { answer } });
    await pass(5_000);
    expect([said(), lost]).toEqual([['200/200.1', '190/190.1'], []]);
    expect(health()).toMatchObject({ healthy: true, drops: { unreadable: 1 } });
  });

  it.each([undefined, null, '', 'soon', {}])(
    'whose time is %j end the quote before them, and the next ones are taken',
    async (t) => {
      const { start, data, pass, said, health, lost, clock } = scene();
      await start();
      await pass(500);
      const latestTrade = { t: new Date(clock.now()).toISOString(), p: 190 };
      const answer = { AAPL: { latestTrade, latestQuote: { t, bp: 190, ap: 190.1 } } };
      data.faults.add({ path: '/v2/stocks/snapshots', kind: { answer } });
      await pass(5_000);
      expect([said(), lost.length]).toEqual([['200/200.1'], 1]);
      expect(health()?.drops).toEqual({ unreadable: 1 });
      data.quote('AAPL', { bid: '190', ask: '190.1' });
      await pass(5_000);
      expect(said()).toEqual(['200/200.1', '190/190.1']);
    },
  );

  it.each([
    ['that is none', () => 'none'],
    ['without a time', () => ({ bp: 190, ap: 190.1 })],
    ['of a time that is none', () => ({ t: 'soon', bp: 190, ap: 190.1 })],
    [
      'of a time ahead',
      (now: number) => ({ t: new Date(now + DAY).toISOString(), bp: 190, ap: 190.1 }),
    ],
  ])('stand again after one %s, also if nothing of them changed', async (_, odd) => {
    const { start, data, pass, said, lost, clock } = scene();
    await start();
    await pass(500);
    const latestTrade = { t: new Date(clock.now()).toISOString(), p: 190 };
    const answer = { AAPL: { latestTrade, latestQuote: odd(clock.now()) } };
    data.faults.add({ path: '/v2/stocks/snapshots', kind: { answer } });
    await pass(5_000);
    expect([said(), lost.length]).toEqual([['200/200.1'], 1]);
    await pass(5_000);
    expect(said()).toEqual(['200/200.1', '200/200.1']);
  });

  it('that are dated in the future are dropped, and the next ones are taken', async () => {
    const { start, data, pass, said, health, lost, clock } = scene();
    await start();
    await pass(500);
    data.quote('AAPL', { bid: '210', ask: '210.1' }, clock.now() + 86_400_000);
    await pass(5_000);
    expect([said(), lost.length]).toEqual([['200/200.1'], 1]);
    expect(health()?.drops).toEqual({ ahead: 1 });
    data.quote('AAPL', { bid: '190', ask: '190.1' });
    await pass(5_000);
    expect(said()).toEqual(['200/200.1', '190/190.1']);
  });

  it.each([
    ['late', -61_000],
    ['ahead', 70_000],
  ])(
    'are counted one by one where the clocks are more than a minute apart: %s',
    async (reason, apart) => {
      const { start, data, pass, said, health, clock } = scene();
      data.quote('AAPL', { bid: '200', ask: '200.1' }, clock.now() + apart);
      await start();
      await pass(500);
      for (let price = 201; price < 205; price += 1) {
        data.quote('AAPL', { bid: `${price}`, ask: `${price + 0.1}` }, clock.now() + apart);
        await pass(5_000);
      }
      expect([said(), health()?.drops]).toEqual([[], { [reason]: 5 }]);
    },
  );

  it.each([20_000, 59_000])(
    'that are dated %i ms ahead make no later ones seem older',
    async (ahead) => {
      const { start, data, pass, said, clock } = scene();
      await start();
      await pass(500);
      data.quote('AAPL', { bid: '210', ask: '210.1' }, clock.now() + ahead);
      await pass(5_000);
      data.quote('AAPL', { bid: '190', ask: '190.1' });
      await pass(5_000);
      expect(said()).toEqual(['200/200.1', '210/210.1', '190/190.1']);
    },
  );

  it('keep every digit', async () => {
    const { start, data, pass, said } = scene();
    data.quote('AAPL', { bid: '200.12345678901234567', ask: '200.2' });
    await start();
    await pass(500);
    expect(said()).toEqual(['200.12345678901234567/200.2']);
  });

  it('with a wrong key have no quotes; the log does not show the key', async () => {
    const { start, pass, said, logged, health } = scene('canary-wrong-secret');
    await start();
    await pass(60_000);
    expect([said(), health()?.healthy]).toEqual([[], false]);
    expect(logged.join()).toContain('it answered 403');
    expect(logged.join()).not.toContain('canary');
  });

  it.each(['canary-of\ntwo-lines', 'canary\u0000', 'canary“'])(
    'with the key %j, which fits no header, have none either, and the log does not show it',
    async (secret) => {
      const { start, pass, said, logged } = scene(secret);
      await start();
      await pass(60_000);
      expect([said(), logged.length > 0]).toEqual([[], true]);
      expect(logged.join()).not.toContain('canary');
    },
  );
});
