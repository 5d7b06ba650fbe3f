import { describe, expect, it } from '@jest/globals';
import { DAY } from '@slipstream/domain';
import { VENUES, type VenueName, scene, started } from './scene.js';

const names = Object.keys(VENUES) as VenueName[];
const LONG = 12 * 1_024 * 1_024;

describe.each(names)('an odd message of %s', (name) => {
  it.each([
    ['a text of 12 MB', `{"note":"${'x'.repeat(LONG)}"}`],
    ['a text of 12 MB of escapes', `{"note":"${'\\"'.repeat(LONG / 2)}"}`],
    ['12 MB of a text that was cut', `{"note":"${'\\"'.repeat(LONG / 2)}`],
  ])('%s is counted, and the stream goes on', async (_, text) => {
    const { stream, symbol, pass, health, said } = await started(name);
    stream.say(text);
    await pass(200);
    expect(health()?.drops).toEqual({ unreadable: 1 });
    stream.quote(symbol, { bid: '100.5', ask: '101' });
    await pass(200);
    expect(said()).toEqual(['100/101', '100.5/101']);
  });
});

describe('the state of the whole of Kraken', () => {
  const engine = (system: string) =>
    JSON.stringify({ channel: 'status', type: 'update', data: [{ system, api_version: 'v2' }] });

  it.each(['maintenance', 'cancel_only', 'post_only'])(
    '%s halts every coin until it is online again',
    async (state) => {
      const { stream, symbol, pass, said, lost, told } = await started('kraken');
      stream.say(engine(state));
      stream.quote(symbol, { bid: '90', ask: '91' });
      await pass(5_000);
      expect([told, said(), lost.length]).toEqual([[`halted: ${state}`], ['100/101'], 1]);
      stream.say(engine('online'));
      stream.quote(symbol, { bid: '99', ask: '100' });
      await pass(200);
      expect(told).toEqual([`halted: ${state}`, 'active: online']);
      expect(said().at(-1)).toBe('99/100');
    },
  );

  it('does not end the halt of a coin of its own', async () => {
    const { stream, symbol, pass, told } = await started('kraken');
    stream.say(engine('online'));
    stream.state(symbol, 'cancel_only');
    await pass(200);
    stream.say(engine('maintenance'));
    stream.say(engine('online'));
    await pass(200);
    expect(told).toEqual(['halted: cancel_only', 'halted: maintenance', 'halted: cancel_only']);
  });
});

it('a quote of Kraken that is dated in the future does not make later ones seem older', async () => {
  const { stream, symbol, clock, pass, said, health } = await started('kraken');
  stream.quote(symbol, { bid: '100.1', ask: '101' }, clock.now() + DAY);
  await pass(200);
  stream.quote(symbol, { bid: '90', ask: '91' });
  await pass(200);
  expect(said()).toEqual(['100/101', '100.1/101', '90/91']);
  expect(health()?.drops).toEqual({});
});

describe.each(names)('a time of %s', (name) => {
  it.each([10_000, 30_000, 59_000])(
    '%i ms ahead makes no quote after it seem older for longer than clocks differ',
    async (ahead) => {
      const { stream, symbol, clock, pass, said } = await started(name);
      stream.quote(symbol, { bid: '100.1', ask: '101' }, clock.now() + ahead);
      await pass(200);
      stream.quote(symbol, { bid: '90', ask: '91' });
      await pass(200);
      expect(said().at(-1)).toBe('90/91');
    },
  );
});

describe.each(names)('a price of %s that is none', (name) => {
  it.each<[unknown, unknown, string]>([
    [null, '100', 'one_sided'],
    [{ price: 99 }, '100', 'unreadable'],
    [['99'], '100', 'unreadable'],
    [true, '100', 'unreadable'],
    ['99', false, 'unreadable'],
    ['NaN', '100', 'unreadable'],
    ['99', 'Infinity', 'unreadable'],
    ['٩٩', '100', 'unreadable'],
    ['0x63', '100', 'unreadable'],
    [' 99', '100', 'unreadable'],
  ])('%j to %j ends the quote before it', async (bid, ask, reason) => {
    const { stream, symbol, pass, said, lost, health } = await started(name);
    const ofKraken = { symbol, bid, ask, last: '99' };
    const ofCoinbase = { product_id: symbol, best_bid: bid, best_ask: ask, price: '99' };
    for (const client of stream.clients())
      client.tell({
        channel: 'ticker',
        ...(name === 'kraken' ? { data: [ofKraken] } : { events: [{ tickers: [ofCoinbase] }] }),
      });
    await pass(200);
    expect([said().length, lost.length, health()?.drops]).toEqual([1, 1, { [reason]: 1 }]);
  });
});

describe('a price with an exponent', () => {
  const ticker = (bid: string, ask: string) =>
    `{"channel":"ticker","type":"update","data":[{"symbol":"XMR/USD","bid":${bid},"ask":${ask},"last":${bid}}]}`;

  it.each([
    ['1.5e2', '1.51E+2', '150/151'],
    ['1e-8', '1.01e-08', '0.00000001/0.0000000101'],
  ])('%s is read', async (bid, ask, read) => {
    const { stream, pass, said, health } = await started('kraken');
    stream.say(ticker(bid, ask));
    await pass(200);
    expect([said().at(-1), health()?.drops]).toEqual([read, {}]);
  });

  it.each([
    ['1e40', '1e40'],
    ['1e18', '1e18'],
    ['1e-19', '1.01e-19'],
    ['-1e2', '1e2'],
    ['1e999', '1e999'],
  ])('%s is more than a price can be', async (bid, ask) => {
    const { stream, pass, said, lost, health } = await started('kraken');
    stream.say(ticker(bid, ask));
    await pass(200);
    expect([said(), lost.length]).toEqual([['100/101'], 1]);
    expect(health()?.drops).toEqual({ unreadable: 1 });
  });
});

/** What each venue tells of these symbols: their states, and a quote of 90 to 91 for each. */
const WORDS = {
  coinbase: {
    states: (rows: readonly unknown[]) => ({ channel: 'status', events: [{ products: rows }] }),
    state: (id: unknown, status: unknown) => ({ id, status }),
    quotes: (rows: readonly unknown[], timestamp?: unknown) => ({
      ...{ channel: 'ticker', timestamp, events: [{ tickers: rows }] },
    }),
    quote: (product_id: unknown) => ({
      ...{ product_id, best_bid: '90', best_ask: '91', price: '90' },
    }),
  },
  kraken: {
    states: (rows: readonly unknown[]) => ({ channel: 'instrument', data: { pairs: rows } }),
    state: (symbol: unknown, status: unknown) => ({ symbol, status }),
    quotes: (rows: readonly unknown[]) => ({ channel: 'ticker', data: rows }),
    quote: (symbol: unknown, timestamp?: unknown) => ({
      ...{ symbol, bid: 90, ask: 91, last: 90, timestamp },
    }),
  },
};

describe.each(names)('a row of %s that cannot be read', (name) => {
  const { states, state, quotes, quote } = WORDS[name];
  const odd = [null, 7, {}, [], 'none'];

  it.each([...odd, state('ODD', null), state({}, 'online')])(
    '%j takes no halt of another symbol away',
    async (row) => {
      const { stream, symbol, pass, told, lost, health } = await started(name);
      for (const client of stream.clients())
        client.tell(states([row, state(symbol, 'offline'), row]));
      await pass(200);
      expect([told, lost.length]).toEqual([['halted: offline'], 1]);
      expect(health()?.drops).toEqual({ unreadable: 2 });
    },
  );

  it.each([...odd, quote(null), quote({})])('%j takes no quote of another away', async (row) => {
    const { stream, symbol, pass, said, health } = await started(name);
    for (const client of stream.clients()) client.tell(quotes([row, quote(symbol)]));
    await pass(200);
    expect([said().at(-1), health()?.drops]).toEqual(['90/91', { unreadable: 1 }]);
  });

  it('leaves the list at the start to the others', async () => {
    const { stream, pass, feed, stocks, listener, said, health } = scene(name);
    stream.list('ODD/ODD', null as unknown as string);
    await feed.start(stocks, [], listener);
    await pass(30_000);
    expect([said().at(-1), health()?.reconnects]).toEqual(['100/101', 0]);
  });
});

describe.each(names)('a time of %s that is none', (name) => {
  it.each([null, 7, {}, [], '', 'soon'])('%j leaves the quote as it is', async (time) => {
    const { stream, symbol, pass, said, health } = await started(name);
    const message =
      name === 'kraken'
        ? WORDS.kraken.quotes([WORDS.kraken.quote(symbol, time)])
        : WORDS.coinbase.quotes([WORDS.coinbase.quote(symbol)], time);
    for (const client of stream.clients()) client.tell(message);
    await pass(200);
    expect([said().at(-1), health()?.drops]).toEqual(['90/91', {}]);
  });
});
