import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { DAY, type SourcedAction, type Stock, type StockId, decimal, id } from '@slipstream/domain';
import { announcementsContract } from '@slipstream/port-contracts';
import { type AnnouncedBody, alpacaData, fetchFrom } from '@slipstream/stand-ins';
import { alpacaActions, alpacaCalendar } from '../src/index.js';

const KEY = { keyId: 'PKDATA', secret: 'canary-secret-of-data' };
const NOW = Date.UTC(2026, 2, 4, 15);
const stocks = instruments().filter(({ security }) => security === 'stock');
const quiet = () => undefined;

function scene({ secret = KEY.secret, pageSize = 1_000 } = {}) {
  const data = alpacaData({ now: () => NOW, keyId: KEY.keyId, secretKey: KEY.secret, pageSize });
  const logged: string[] = [];
  const error = (fields: object, text: string) =>
    void logged.push(`${JSON.stringify(fields)} ${text}`);
  const key = {
    keyId: KEY.keyId,
    secret,
    fetch: fetchFrom({
      'data.alpaca.markets': data.venue,
      'paper-api.alpaca.markets': data.venue,
    }),
  };
  const announced = alpacaActions({ ...key, log: { info: quiet, warn: quiet, error } });
  const ask = () => announced.between(stocks, NOW - 5 * DAY, NOW + 14 * DAY);
  const between = async () => (await ask()).actions;
  return { data, announced, ask, between, logged, calendar: alpacaCalendar(key) };
}

const split: AnnouncedBody = {
  id: 'split-1',
  symbol: 'AAPL',
  cusip: '037833100',
  new_rate: 4,
  old_rate: 1,
  ex_date: '2026-03-09',
  record_date: '2026-03-02',
  payable_date: '2026-03-06',
  process_date: '2026-03-09',
};
const dividend: AnnouncedBody = {
  id: 'dividend-1',
  symbol: 'MSFT',
  cusip: '594918104',
  rate: 0.83,
  special: false,
  foreign: false,
  ex_date: '2026-03-10',
  process_date: '2026-04-20',
};
const noDay = { ...split, ex_date: null, process_date: null };

announcementsContract('alpaca', () => {
  const { announced, data } = scene({ pageSize: 1 });
  data.announce('forward_splits', split);
  data.announce('cash_dividends', dividend);
  return {
    announced,
    stocks,
    from: NOW,
    to: NOW + 30 * DAY,
    spoil: () => data.faults.add({ kind: 'garbage' }),
  };
});

const told = (kind: string, name: string, figures: object = {}) => [
  { kind, name, newShares: null, oldShares: null, amount: null, ...figures },
];
const day = { ex_date: '2026-03-09', process_date: '2026-03-09' };
const effective = { effective_date: '2026-03-09', process_date: '2026-03-09' };

describe('corporate actions of Alpaca', () => {
  it.each<[string, AnnouncedBody, unknown[]]>([
    [
      'forward_splits',
      split,
      told('split', 'forward split', { newShares: decimal('4'), oldShares: decimal('1') }),
    ],
    [
      'reverse_splits',
      { ...split, new_rate: 1, old_rate: 10.5 },
      told('split', 'reverse split', { newShares: decimal('1'), oldShares: decimal('10.5') }),
    ],
    [
      'reverse_splits',
      { ...split, new_rate: 1, old_rate: 10, new_symbol: 'AAPLD' },
      [
        ...told('split', 'reverse split', { newShares: decimal('1'), oldShares: decimal('10') }),
        ...told('other', 'change of the symbol'),
      ],
    ],
    ...['', 'AAPL', null].map((new_symbol): [string, AnnouncedBody, unknown[]] => [
      'reverse_splits',
      { ...split, new_rate: 1, old_rate: 10, new_symbol },
      told('split', 'reverse split', { newShares: decimal('1'), oldShares: decimal('10') }),
    ]),
    ['forward_splits', { ...split, new_rate: 2, old_rate: 2 }, []],
    [
      'stock_dividends',
      { id: 'a', symbol: 'AAPL', rate: 0.05, ...day },
      told('split', 'stock dividend', { newShares: decimal('1.05'), oldShares: decimal('1') }),
    ],
    [
      'cash_dividends',
      { ...dividend, ex_date: '2026-03-09' },
      told('cash_dividend', 'cash dividend', { amount: decimal('0.83') }),
    ],
    [
      'cash_dividends',
      { ...dividend, ex_date: '2026-03-09', special: true },
      told('cash_dividend', 'special cash dividend', { amount: decimal('0.83') }),
    ],
    // JSON writes these with an exponent.
    [
      'cash_dividends',
      { ...dividend, ex_date: '2026-03-09', rate: 0.00000025 },
      told('cash_dividend', 'cash dividend', { amount: decimal('0.00000025') }),
    ],
    [
      'stock_dividends',
      { id: 'a', symbol: 'AAPL', rate: 0.00000025, ...day },
      told('split', 'stock dividend', {
        newShares: decimal('1.00000025'),
        oldShares: decimal('1'),
      }),
    ],
    [
      'reverse_splits',
      { ...split, new_rate: 0.00000025, old_rate: 1 },
      told('split', 'reverse split', { newShares: decimal('0.00000025'), oldShares: decimal('1') }),
    ],
    ['cash_dividends', { ...dividend, rate: 0 }, []],
    ['cash_dividends', { ...dividend, currency: 'CAD' }, []],
    [
      'worthless_removals',
      { id: 'a', symbol: 'AAPL', process_date: '2026-03-09' },
      told('worthless', 'worthless removal'),
    ],
    [
      'name_changes',
      { id: 'a', old_symbol: 'AAPL', new_symbol: 'APPL', process_date: '2026-03-09' },
      told('other', 'change of the symbol'),
    ],
    [
      'name_changes',
      { id: 'a', old_symbol: 'AAPL', new_symbol: 'AAPL', process_date: '2026-03-09' },
      [],
    ],
    [
      'cash_mergers',
      { id: 'a', acquiree_symbol: 'AAPL', rate: 12, ...effective },
      told('other', 'cash merger'),
    ],
    [
      'cash_mergers',
      { id: 'a', acquiree_symbol: 'XXX', acquirer_symbol: 'AAPL', rate: 12, ...effective },
      [],
    ],
    [
      'stock_mergers',
      { id: 'a', acquiree_symbol: 'AAPL', ...effective },
      told('other', 'stock merger'),
    ],
    [
      'stock_and_cash_mergers',
      { id: 'a', acquiree_symbol: 'AAPL', ...effective },
      told('other', 'stock and cash merger'),
    ],
    [
      'spin_offs',
      { id: 'a', source_symbol: 'AAPL', new_symbol: 'AAPX', ...day },
      told('other', 'spin-off'),
    ],
    ['spin_offs', { id: 'a', source_symbol: 'XXX', new_symbol: 'AAPL', ...day }, []],
    ['unit_splits', { id: 'a', old_symbol: 'AAPL', ...effective }, told('other', 'unit split')],
    [
      'redemptions',
      { id: 'a', symbol: 'AAPL', process_date: '2026-03-09' },
      told('other', 'redemption'),
    ],
    [
      'rights_distributions',
      { id: 'a', source_symbol: 'AAPL', ...day },
      told('other', 'rights distribution'),
    ],
    [
      'forward_splits',
      { ...split, new_rate: 'four' },
      told('other', 'forward split that cannot be read'),
    ],
    [
      'forward_splits',
      { ...split, old_rate: 0 },
      told('other', 'forward split that cannot be read'),
    ],
    [
      'cash_dividends',
      { id: 'a', symbol: 'AAPL', ...day },
      told('other', 'cash dividend that cannot be read'),
    ],
  ])('%s %j', async (kind, action, expected) => {
    const { data, between } = scene();
    data.announce(kind, action);
    const found = await between();
    for (const [place, one] of expected.entries())
      expect(found[place]).toMatchObject({ ...(one as object) });
    expect(found).toHaveLength(expected.length);
    // 04:00 of the day after the clocks changed.
    for (const { dueAt } of found)
      expect(new Date(dueAt).toISOString()).toBe('2026-03-09T08:00:00.000Z');
  });

  it('of a day in winter are due at 9:00 UTC, those without an ex-date on the day of their processing', async () => {
    const { data, between } = scene();
    data.announce('forward_splits', { ...split, ex_date: null, process_date: '2026-03-06' });
    expect((await between()).map(({ dueAt }) => new Date(dueAt).toISOString())).toEqual([
      '2026-03-06T09:00:00.000Z',
    ]);
  });

  it('come in pages, for all stocks', async () => {
    const { data, between } = scene({ pageSize: 7 });
    for (const [index, { symbol }] of stocks.slice(0, 250).entries())
      data.announce('cash_dividends', { ...dividend, id: `dividend-${index}`, symbol });
    expect(await between()).toHaveLength(250);
  });

  it.each([
    [
      'an action without a day',
      (data: ReturnType<typeof alpacaData>) =>
        data.announce('forward_splits', { ...noDay, process_date: '' }),
    ],
    ['garbage', (data: ReturnType<typeof alpacaData>) => data.faults.add({ kind: 'garbage' })],
    [
      'half an answer',
      (data: ReturnType<typeof alpacaData>) => data.faults.add({ kind: 'truncate' }),
    ],
    ['no answer', (data: ReturnType<typeof alpacaData>) => data.faults.add({ kind: 'drop_after' })],
    [
      'an empty answer',
      (data: ReturnType<typeof alpacaData>) => data.faults.add({ kind: 'empty' }),
    ],
    ['a list', (data: ReturnType<typeof alpacaData>) => data.faults.add({ kind: { answer: [] } })],
    [
      'a refusal',
      (data: ReturnType<typeof alpacaData>) => data.faults.add({ kind: { status: 429 } }),
    ],
    [
      'a list that is none',
      (data: ReturnType<typeof alpacaData>) =>
        data.faults.add({ kind: { answer: { corporate_actions: { forward_splits: {} } } } }),
    ],
    [
      'pages without end',
      (data: ReturnType<typeof alpacaData>) =>
        data.faults.add({
          kind: { answer: { corporate_actions: {}, next_page_token: 'again' } },
          times: Infinity,
        }),
    ],
  ])('%s: throws, so that nothing seems withdrawn', async (_, spoil) => {
    const { data, between } = scene();
    data.announce('cash_dividends', dividend);
    spoil(data);
    if (_ === 'an action without a day')
      data.faults.add({ kind: { answer: { corporate_actions: { forward_splits: [noDay] } } } });
    await expect(between()).rejects.toThrow();
  });

  it('go on without a symbol that is refused in words that do not name it', async () => {
    const { data, ask, logged } = scene();
    data.announce('forward_splits', split);
    data.faults.add({
      kind: { status: 400, body: { message: 'bad request' } },
      symbol: 'BRK.B',
      times: 100,
    });
    const { actions, unanswered } = await ask();
    expect(actions).toMatchObject([{ sourceId: 'split-1' }]);
    const refused = stocks.filter(({ symbol }) => symbol === 'BRK.B');
    expect(unanswered).toEqual(refused.map(({ id }) => id));
    expect(logged).toHaveLength(1);
  });

  it.each([1, 2, 4])('go on without the last %i of many, none of which is named', async (count) => {
    const { announced, data } = scene();
    data.announce('forward_splits', split);
    const sorted = stocks.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const first = sorted.findIndex(({ symbol }) => symbol === 'AAPL');
    const some = sorted.slice(first).slice(0, 200 + count);
    const refused = some.slice(-count);
    const bad = { status: 400, body: { message: 'bad request' } };
    for (const { symbol } of refused) data.faults.add({ kind: bad, symbol, times: 100 });
    const { actions, unanswered } = await announced.between(some, NOW - 5 * DAY, NOW + 14 * DAY);
    expect(new Set(some.map(({ symbol }) => symbol)).size).toBe(200 + count);
    expect(actions).toMatchObject([{ sourceId: 'split-1' }]);
    expect(new Set(unanswered)).toEqual(new Set(refused.map(({ id }) => id)));
  });

  it('throw when each symbol is refused and none is named: what is missing must not seem withdrawn', async () => {
    const { data, ask } = scene();
    data.faults.add({ kind: { status: 400, body: { message: 'bad request' } }, times: 1_000 });
    await expect(ask()).rejects.toThrow('it answered 400 bad request');
  });

  it('go on without a symbol that Alpaca does not know, and name its stock as unanswered', async () => {
    const { data, ask, between, logged } = scene();
    data.announce('cash_dividends', dividend);
    data.refuseSymbol('BRK.B');
    data.refuseSymbol('BF.B');
    expect(await between()).toHaveLength(1);
    const refused = stocks.filter(({ symbol }) => ['BRK.B', 'BF.B'].includes(symbol));
    const { unanswered } = await ask();
    expect(new Set(unanswered)).toEqual(new Set(refused.map(({ id }) => id)));
    expect(logged).toHaveLength(2);
  });

  it('go on beside a stock that is named as no symbol of Alpaca is', async () => {
    const { announced, data } = scene();
    data.announce('cash_dividends', dividend);
    data.refuseSymbol('FOO BAR');
    const [stock] = stocks;
    if (!stock) throw new Error('no stock');
    const odd = { ...stock, id: id<'stock'>('foo'), symbol: 'FOO BAR' };
    const { actions } = await announced.between([odd, ...stocks], NOW, NOW + 14 * DAY);
    expect(actions).toHaveLength(1);
  });

  it('are of every stock that has the symbol, the refusal of a symbol too, in whatever order they come', async () => {
    const { announced, data } = scene();
    data.announce('forward_splits', split);
    data.announce('reverse_splits', { ...split, id: 'split-2', symbol: 'MSFT', new_symbol: 'MSF' });
    data.refuseSymbol('BRK.B');
    const named = ['AAPL', 'MSFT', 'BRK.B'];
    // The first and the last of many: Alpaca is asked for 200 symbols at once.
    const others = stocks
      .filter(({ symbol }) => named.includes(symbol))
      .map((stock) => ({ ...stock, id: id<'stock'>(`of ${stock.id}`), exchange: 'BATS' }));
    const ask = (some: readonly Stock[]) => announced.between(some, NOW, NOW + 14 * DAY);
    const { actions, unanswered } = await ask([...stocks, ...others]);
    const ownIds = stocks.filter(({ symbol }) => named.includes(symbol)).map((one) => one.id);
    const idsOf = (kind: string) =>
      actions.filter((action) => action.kind === kind).map(({ stockId }) => stockId);
    const both = (symbol: string) => ownIds.filter((own) => own.startsWith(symbol.toLowerCase()));
    const twice = (ids: readonly StockId[]) => ids.flatMap((one) => [one, `of ${one}`]).toSorted();
    expect(idsOf('split').toSorted()).toEqual(twice([...both('AAPL'), ...both('MSFT')]));
    expect(idsOf('other').toSorted()).toEqual(twice(both('MSFT')));
    expect(unanswered.toSorted()).toEqual(twice(both('BRK')));
    expect(new Set(actions.map(({ sourceId }) => sourceId)).size).toBe(actions.length);
    const byId = ({ sourceId, stockId }: SourcedAction) => `${sourceId} ${stockId}`;
    const { actions: again } = await ask([...others, ...stocks].toReversed());
    expect(again.map(byId).toSorted()).toEqual(actions.map(byId).toSorted());
    // Alone, a stock keeps the id that its action was stored under.
    const alone = (await ask(stocks)).actions.map(({ sourceId }) => sourceId);
    expect(alone.toSorted()).toEqual(['split-1', 'split-2', 'split-2 symbol']);
  });

  it('tells an unknown kind once, and reads the others; a wrong key is told without the key', async () => {
    const { data, between, logged } = scene();
    data.announce('moon_landings', { id: 'a', symbol: 'AAPL', process_date: '2026-03-09' });
    data.announce('cash_dividends', dividend);
    expect(await between()).toHaveLength(1);
    await between();
    expect(logged.filter((text) => text.includes('moon_landings'))).toHaveLength(1);
    const wrong = scene({ secret: 'canary-wrong' });
    const failure = await wrong.between().catch(String);
    expect(failure).toContain('403');
    expect(failure).not.toContain('canary');
  });
});

describe('the calendar of Alpaca', () => {
  const iso = (at: number) => new Date(at).toISOString().slice(11, 16);

  it('answers every day, with its session or none', async () => {
    const { data, calendar } = scene();
    data.session('2026-03-05', null);
    data.session('2026-03-10', { open: '09:30', close: '13:00' });
    const days = await calendar.between('2026-03-04', '2026-03-10');
    expect(
      days.map(({ date, session }) => [
        date,
        session && `${iso(session.opensAt)} ${iso(session.closesAt)}`,
      ]),
    ).toEqual([
      ['2026-03-04', '14:30 21:00'],
      ['2026-03-05', null],
      ['2026-03-06', '14:30 21:00'],
      ['2026-03-07', null],
      ['2026-03-08', null],
      ['2026-03-09', '13:30 20:00'],
      ['2026-03-10', '13:30 17:00'],
    ]);
  });

  it.each([
    ['garbage', 'garbage'],
    ['no answer', 'drop_after'],
    ['a refusal', { status: 401 }],
    ['an empty list', { answer: [] }],
    [
      'a session that ends before it begins',
      { answer: [{ date: '2026-03-04', open: '16:00', close: '09:30' }] },
    ],
    ['a time that is none', { answer: [{ date: '2026-03-04', open: '09:30', close: '24:00' }] }],
  ] as const)('%s: throws', async (_, kind) => {
    const { data, calendar } = scene();
    data.faults.add({ kind });
    await expect(calendar.between('2026-03-04', '2026-03-18')).rejects.toThrow();
  });
});
