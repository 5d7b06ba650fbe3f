import { describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import fc from 'fast-check';
import { FRESH, VENUES, type VenueName, scene, started } from './scene.js';

const names = Object.keys(VENUES) as VenueName[];

describe.each(names)('the stream of %s', (name) => {
  it('is quoted at its receipt, and said again every 20 s while its connection is alive', async () => {
    const { said, quotes, lost, pass, health } = await started(name);
    expect(said()).toEqual(['100/101']);
    await pass(41_000);
    expect(said()).toEqual(Array.from({ length: 3 }, () => '100/101'));
    const gaps = quotes.slice(1).map(({ at }, index) => at - (quotes[index]?.at ?? 0));
    for (const gap of gaps) expect(Math.abs(gap - 20_000)).toBeLessThanOrEqual(1_100);
    expect(lost).toEqual([]);
    expect(health()).toMatchObject({ name, healthy: true, reconnects: 0, drops: {} });
  });

  it('tells the newest of many quotes every 100 ms', async () => {
    const { said, stream, symbol, pass } = await started(name);
    for (const bid of ['100.1', '100.2', '100.3']) stream.quote(symbol, { bid, ask: '101' });
    await pass(200);
    expect(said()).toEqual(['100/101', '100.3/101']);
  });

  it('killed: is connected again, and a quote of the dead connection is not said again', async () => {
    const { said, stream, symbol, lost, pass, health } = await started(name);
    stream.kill();
    stream.quote(symbol, { bid: '90', ask: '91' });
    await pass(35_000);
    expect(said()[1]).toBe('90/91');
    expect(lost).toEqual([]);
    expect(health()).toMatchObject({ healthy: true, reconnects: 1 });
  });

  it('silent: nothing stands after 10 s, the connection is replaced after 15 s', async () => {
    const { stocks, stream, lost, pass, health, said } = await started(name);
    stream.silence(true);
    await pass(9_000);
    expect(lost).toEqual([]);
    await pass(2_500);
    expect(lost).toEqual(stocks.map(({ id }) => id));
    expect(health()?.healthy).toBe(false);
    await pass(60_000);
    expect(said()).toEqual(['100/101']);
    stream.silence(false);
    await pass(35_000);
    expect(said().at(-1)).toBe('100/101');
    expect(health()?.healthy).toBe(true);
  });

  it('silent for 12 s: the same connection goes on, and its quote stands again', async () => {
    const { stream, lost, pass, health, said } = await started(name);
    stream.silence(true);
    await pass(12_000);
    expect(lost).toHaveLength(1);
    stream.silence(false);
    await pass(2_000);
    expect(said()).toEqual(['100/101', '100/101']);
    expect(health()?.reconnects).toBe(0);
  });

  it('that is heard again after the process stood still: what comes of the time before is no quote', async () => {
    const { setBack, stream, symbol, pass, said, lost } = await started(name);
    // Nothing runs meanwhile; what the venue told waits in the socket, and is read before any timer.
    setBack(-5 * 60_000);
    stream.refuse(true);
    stream.quote(symbol, { bid: '90', ask: '91' });
    stream.heartbeat();
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    await pass(20_000);
    expect([said(), lost.length]).toEqual([['100/101'], 1]);
    stream.refuse(false);
    await pass(35_000);
    expect(said().at(-1)).toBe('90/91');
  });

  it('after a moment in which the clock was ahead: the quotes are said again, and a dead connection is replaced', async () => {
    const { said, stream, pass, setBack, symbol, health } = await started(name);
    setBack(3_600_000);
    await pass(21_000);
    expect(said().length).toBeGreaterThan(1);
    stream.kill();
    await pass(100);
    setBack(3_600_000);
    stream.quote(symbol, { bid: '90', ask: '91' });
    await pass(35_000);
    expect(said().at(-1)).toBe('90/91');
    stream.silence(true);
    setBack(3_600_000);
    stream.quote(symbol, { bid: '80', ask: '81' });
    await pass(16_000);
    stream.silence(false);
    await pass(35_000);
    expect(said().at(-1)).toBe('80/81');
    expect(health()?.healthy).toBe(true);
  });

  it('that refuses the subscription for a while: is asked again', async () => {
    const { feed, stocks, listener, stream, symbol, pass, said, health } = scene(name);
    stream.refuseSymbol(symbol, true);
    await feed.start(stocks, [], listener);
    await pass(60_000);
    expect([said(), health()?.healthy]).toEqual([[], false]);
    stream.refuseSymbol(symbol, false);
    await pass(35_000);
    expect(said()[0]).toBe('100/101');
  });

  it.each([1, 2, 7])(
    'refuses %i of many symbols: the others are quoted all the time, and these once it takes them',
    async (count) => {
      const { symbol } = VENUES[name];
      const { feed, stocks, listener, stream, pass, said, quotes, lost, health, warned } =
        scene(name);
      const [coin] = stocks;
      if (!coin) throw new Error('no coin');
      const others = Array.from({ length: 16 }, (_, index) => `C${'ABCDEFGHIJKLMNOP'[index]}`);
      const symbolOf = (stock: string) => symbol.replace(/^[A-Z]+/, stock);
      const refused = others.filter((_, index) => index % 2 === 1).slice(0, count);
      for (const stock of others) {
        stream.list(symbolOf(stock));
        stream.quote(symbolOf(stock), { bid: '10', ask: '10.1' });
      }
      for (const stock of refused) stream.refuseSymbol(symbolOf(stock), true);
      const made = others.map((stock) => ({
        ...coin,
        ...{ id: id<'stock'>(stock), stock, symbol: `${stock}USD` },
      }));
      await feed.start([coin, ...made], [], listener);
      for (let price = 200; price < 320; price += 1) {
        stream.quote(symbol, { bid: `${price}`, ask: `${price + 1}` });
        await pass(1_000);
      }
      const quoted = new Set(quotes.map(({ stockId }) => `${stockId}`));
      expect(others.filter((stock) => !quoted.has(stock))).toEqual(refused);
      expect([said().length >= 120, lost.includes(coin.id)]).toEqual([true, false]);
      expect(health()).toMatchObject({ healthy: true, reconnects: 0 });
      expect(warned).toHaveLength(count);
      for (const stock of refused) stream.refuseSymbol(symbolOf(stock), false);
      await pass(25_000);
      expect(new Set(quotes.map(({ stockId }) => stockId)).size).toBe(17);
    },
  );

  it('never answers for one of its symbols: the others are quoted all the time', async () => {
    const { symbol } = VENUES[name];
    const deaf = symbol.replace(/^[A-Z]+/, 'DEAF');
    const { feed, stocks, listener, stream, pass, said, lost, health, warned } = scene(
      name,
      () => 0.5,
      deaf,
    );
    const [coin] = stocks;
    if (!coin) throw new Error('no coin');
    stream.list(deaf);
    const other = { ...coin, id: id<'stock'>('deaf'), stock: 'DEAF', symbol: 'DEAFUSD' };
    await feed.start([coin, other], [], listener);
    for (let price = 200; price < 320; price += 1) {
      stream.quote(symbol, { bid: `${price}`, ask: `${price + 1}` });
      await pass(1_000);
    }
    expect([said().length >= 120, lost]).toEqual([true, []]);
    expect(health()).toMatchObject({ healthy: true, reconnects: 0 });
    expect(warned).toHaveLength(1);
  });

  it('quotes a symbol once and never answers for it: that quote is lost, because nobody would tell of its end', async () => {
    const { symbol } = VENUES[name];
    const deaf = symbol.replace(/^[A-Z]+/, 'DEAF');
    const { feed, stocks, listener, stream, pass, lost } = scene(name, () => 0.5, deaf);
    const [coin] = stocks;
    if (!coin) throw new Error('no coin');
    stream.list(deaf);
    const other = { ...coin, id: id<'stock'>('deaf'), stock: 'DEAF', symbol: 'DEAFUSD' };
    await feed.start([coin, other], [], listener);
    await pass(1_000);
    stream.quote(deaf, { bid: '70', ask: '70.5' });
    for (let price = 200; price < 230; price += 1) {
      stream.quote(symbol, { bid: `${price}`, ask: `${price + 1}` });
      await pass(1_000);
    }
    expect(lost).toContain(other.id);
  });

  it('does not list a symbol: it is never asked for, and told once', async () => {
    const { feed, stocks, listener, stream, pass, said, warned } = scene(name);
    const [coin] = stocks;
    if (!coin) throw new Error('no coin');
    const unlisted = { ...coin, id: id<'stock'>('nope'), stock: 'NOPE', symbol: 'NOPEUSD' };
    await feed.start([coin, unlisted], [], listener);
    await pass(30_000);
    stream.kill();
    await pass(30_000);
    expect(new Set(said())).toEqual(new Set(['100/101']));
    expect(warned.filter((text) => text.includes('does not list'))).toHaveLength(1);
  });

  it('out of order: an older quote is dropped and counted', async () => {
    const { stream, symbol, clock, pass, said, health } = await started(name);
    const before = clock.now() - 1;
    stream.quote(symbol, { bid: '100.5', ask: '101' });
    await pass(200);
    if (name === 'kraken') stream.quote(symbol, { bid: '99', ask: '99.5' }, before);
    else stream.repeat(1);
    await pass(200);
    expect(said()).toEqual(['100/101', '100.5/101']);
    expect(health()?.drops).toEqual({ disordered: 1 });
  });

  it('duplicated: the same quote changes nothing', async () => {
    const { stream, symbol, pass, said } = await started(name);
    stream.quote(symbol, { bid: '100.5', ask: '101' });
    stream.repeat();
    await pass(200);
    expect(said()).toEqual(['100/101', '100.5/101']);
  });

  it.each([
    '',
    '<html>',
    '{',
    '[]',
    '{"channel":"ticker"}',
    '{"channel":"ticker","data":[{}],"events":[{}]}',
    'null',
    '"x"',
  ])('garbage: %j is counted, and proves nothing', async (text) => {
    const { stream, pass, health, said } = await started(name);
    stream.silence(true);
    await pass(5_000);
    stream.silence(false);
    stream.say(text);
    await pass(300);
    expect(health()?.drops).toEqual({ unreadable: 1 });
    expect(health()?.age).toBeGreaterThan(5_000);
    await pass(30_000);
    expect(said().at(-1)).toBe('100/101');
  });

  it.each([
    ['one_sided', { bid: '0', ask: '101' }],
    ['one_sided', { bid: '100', ask: '0' }],
    ['crossed', { bid: '102', ask: '101' }],
    ['wide', { bid: '100', ask: '104' }],
  ])('%s: dropped and counted, and the quote before stands no longer', async (reason, prices) => {
    const { stocks, stream, symbol, pass, health, lost, said } = await started(name);
    stream.quote(symbol, { ...prices, last: '100' });
    await pass(60_000);
    expect(health()?.drops).toEqual({ [reason]: 1 });
    expect(lost).toEqual(stocks.map(({ id }) => id));
    expect(said()).toEqual(['100/101']);
    stream.quote(symbol, { bid: '100', ask: '100.5' });
    await pass(200);
    expect(said()).toEqual(['100/101', '100/100.5']);
  });

  it('halts the stock while the venue does, and quotes it afterwards', async () => {
    const { stream, symbol, pass, told, said, lost } = await started(name);
    stream.state(symbol, 'cancel_only');
    stream.quote(symbol, { bid: '95', ask: '96' });
    await pass(25_000);
    expect(told).toEqual(['halted: cancel_only']);
    expect([said(), lost.length]).toEqual([['100/101'], 1]);
    stream.state(symbol, 'online');
    stream.quote(symbol, { bid: '97', ask: '98' });
    await pass(200);
    expect(told).toEqual(['halted: cancel_only', 'active: online']);
    expect(said().at(-1)).toBe('97/98');
  });

  it('quotes a coin that is added later, and keeps the others', async () => {
    const { feed, stocks, listener, stream, symbol, pass, quotes, said } = scene(name);
    const [coin] = stocks;
    if (!coin) throw new Error('no coin');
    await feed.start([], [], listener);
    await pass(20_000);
    expect(said()).toEqual([]);
    feed.add?.([coin]);
    await pass(35_000);
    expect(new Set(said())).toEqual(new Set(['100/101']));
    const renamed = { ...coin, id: id<'stock'>('renamed') };
    feed.add?.([renamed]);
    await pass(35_000);
    stream.quote(symbol, { bid: '100.5', ask: '101' });
    await pass(200);
    expect(quotes.at(-1)?.stockId).toBe('renamed');
  });

  it('comes back within 35 s of the end of any outage, and nothing stands 11 s into it', async () => {
    const outage = fc.record({
      kind: fc.constantFrom('refuse' as const, 'silence' as const, 'refuseSymbol' as const),
      lasts: fc.integer({ min: 15_000, max: 600_000 }),
      chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(outage, async ({ kind, lasts, chance }) => {
        const { stream, symbol, lost, pass, said, feed } = await started(name, () => chance);
        const set = (on: boolean) =>
          kind === 'refuseSymbol' ? stream.refuseSymbol(symbol, on) : stream[kind](on);
        set(true);
        if (kind !== 'silence') stream.kill();
        await pass(11_000);
        expect(lost).toHaveLength(1);
        const { length } = said();
        await pass(lasts - 11_000);
        expect(said()).toHaveLength(length);
        set(false);
        await pass(35_000);
        expect(said().length).toBeGreaterThan(length);
        await feed.stop();
      }),
      { numRuns: 12 },
    );
  });
});

it.each([
  ['kraken', '{"channel":"ticker","data":[{"symbol":"XMR/USD","bid":null,"ask":101,"last":100}]}'],
  ['kraken', '{"channel":"ticker","data":[{"symbol":"XMR/USD","bid":100,"last":100}]}'],
  [
    'coinbase',
    '{"channel":"ticker","sequence_num":5,"events":[{"tickers":[{"product_id":"BTC-USD","price":"1","best_bid":"","best_ask":"2"}]}]}',
  ],
] as const)('takes an absent price of %s for an empty side: %s', async (name, text) => {
  const { stream, pass, health, lost } = await started(name);
  stream.say(text);
  await pass(200);
  expect(health()?.drops).toEqual({ one_sided: 1 });
  expect(lost).toHaveLength(1);
});

it('keeps every digit of a price that is a JSON number', async () => {
  const { stream, pass, said } = await started('kraken');
  const [bid, ask] = ['100.12345678901234567', '100.98765432109876543'];
  stream.say(
    `{"channel":"ticker","type":"update","data":[{"symbol":"XMR/USD","bid":${bid},"ask":${ask},"last":${bid}}]}`,
  );
  await pass(200);
  expect(said().at(-1)).toBe(`${bid}/${ask}`);
});

it.each([
  [0, '{"channel":"heartbeats","sequence_num":900,"events":[]}'],
  [0.5, '{"channel":"ticker","sequence_num":900,"events":[{}]}'],
  [0.999, '{"channel":"heartbeats","sequence_num":6,"events":[]}'],
])(
  'after lost messages of Coinbase no quote stands, and all are back within 35 s without a trade (%d, %s)',
  async (chance, text) => {
    const { stream, pass, lost, said, health } = await started('coinbase', () => chance);
    stream.say(text);
    await Promise.resolve();
    expect(health()?.healthy).toBe(false);
    await pass(35_000);
    expect(lost).toHaveLength(1);
    expect(said()[1]).toBe('100/101');
    expect(health()).toMatchObject({ healthy: true, reconnects: 1 });
  },
);

it('Coinbase tells quotes at trades only: a coin without a trade for a minute has none until the next one', async () => {
  const { stream, symbol, stocks, pass, lost, said, health } = await started('coinbase');
  await pass(FRESH - 1_000);
  expect([said().length, lost]).toEqual([3, []]);
  await pass(1_000);
  expect(lost).toEqual(stocks.map(({ id: stockId }) => stockId));
  await pass(5 * FRESH);
  // Its heartbeats tell that the connection works, and nothing of a quote.
  expect([said().length, lost.length, health()?.healthy]).toEqual([3, 1, false]);
  expect(health()?.age).toBeLessThan(2_000);
  stream.quote(symbol, { bid: '100', ask: '101' });
  await pass(200);
  expect([said().length, health()?.healthy]).toEqual([4, true]);
});

it.each([
  ['has one side only', { bid: '0', ask: '101' }],
  ['is crossed', { bid: '102', ask: '101' }],
  ['is too wide', { bid: '50', ask: '101' }],
])('no source is healthy whose only quote %s', async (_, prices) => {
  for (const name of ['coinbase', 'kraken'] as const) {
    const { stream, symbol, pass, health } = await started(name);
    expect(health()?.healthy).toBe(true);
    stream.quote(symbol, prices);
    await pass(200);
    expect(health()?.healthy).toBe(false);
    stream.quote(symbol, { bid: '100', ask: '101' });
    await pass(200);
    expect(health()?.healthy).toBe(true);
  }
});

it('Coinbase is late: a quote stands for a minute from its own time, and one that is older never does', async () => {
  const { stream, symbol, clock, pass, lost, said, health } = await started('coinbase');
  stream.quote(symbol, { bid: '90', ask: '91' }, clock.now() + 10_000);
  await pass(50_000);
  stream.quote(symbol, { bid: '80', ask: '81' }, clock.now() - 39_000);
  await pass(20_000);
  expect([said().at(-1), lost]).toEqual(['80/81', []]);
  await pass(5_000);
  expect(lost).toHaveLength(1);
  const before = said().length;
  for (let late = 0; late < 10; late += 1) {
    stream.quote(symbol, { bid: '70', ask: '71' }, clock.now() - FRESH - 1_000);
    await pass(1_000);
  }
  expect([said().length, lost.length]).toEqual([before, 1]);
  expect(health()?.drops).toMatchObject({ late: 10 });
  stream.quote(symbol, { bid: '60', ask: '61' });
  await pass(200);
  expect(said().at(-1)).toBe('60/61');
});

it('Kraken tells every change: a quote stands as long as its connection is alive', async () => {
  const { pass, lost, said } = await started('kraken');
  await pass(5 * FRESH);
  expect([said().length, lost]).toEqual([16, []]);
});
