import { describe, expect, it } from '@jest/globals';
import {
  DAY,
  type RecordedEntry,
  decimal,
  isoDay,
  recordReader,
  strategyStatistics,
} from '@slipstream/domain';
import { contentOfRecord, reportHtml } from '../src/index.js';

const MONDAY = Date.UTC(2024, 0, 1);
const NAME = `<script>alert('name')</script>`;
const HASH = 'a'.repeat(64);

type Body = Readonly<Record<string, unknown>>;
type Entry = RecordedEntry & { readonly hash: string };

const entry = (kind: RecordedEntry['kind'], at: number, body: Body): Entry => ({
  ...{ kind, at, hash: HASH },
  body: JSON.stringify({ format: 2, ...body }),
});
const fill = (action: 'buy' | 'sell', at: number, price: string, more: Body = {}): Entry =>
  entry('trade', at, {
    ...{
      stock_id: 'aapl.nasdaq',
      action,
      price,
      amount: '0.005',
      total: '0.5',
      fee_total: '0.001',
    },
    ...{ rounding: '0', strategy_value: '0.999', quote_bid: price, quote_ask: price },
    ...{ market: 'live', ...more },
  });
const close = (day: number, value: string, low = value): Entry =>
  entry('value', MONDAY + day * DAY + DAY - 1, {
    ...{ strategy_value: value, high: value, low, drawdown: '0', gross: '0.5', held: '1' },
  });

/** Four days from the first of January 2024 on, with a round trip in the first two. */
const ENTRIES = [
  fill('buy', MONDAY + 10, '100'),
  close(0, '1.01'),
  fill('sell', MONDAY + DAY + 20, '104'),
  close(1, '1.02'),
  close(2, '0.969', '0.95'),
  close(3, '1.1'),
];

const REQUEST = {
  daysPerYear: 365,
  isTradingDay: () => true,
  riskFree: decimal('0.01'),
  minN: 2,
} as const;
const BENCHMARK = {
  stockId: 'spy' as never,
  closes: new Map([0, 1, 2, 3].map((day) => [isoDay(MONDAY + day * DAY), 400 + day * day])),
};

const content = (
  more: Partial<Parameters<typeof contentOfRecord>[0]> = {},
  request: Partial<Parameters<typeof contentOfRecord>[1]> = {},
) =>
  contentOfRecord(
    {
      ...{ strategyId: 'one', name: NAME, createdAt: MONDAY, entries: ENTRIES },
      ...{ at: MONDAY + 9 * DAY, stockName: () => 'AAPL:NASDAQ' },
      ...more,
    },
    { ...REQUEST, ...request },
  );

describe('the content of a record', () => {
  it('has the figures that the statistics of the same record have, to the digit', () => {
    const reader = recordReader(MONDAY);
    for (const one of ENTRIES) reader.add(one);
    const figures = strategyStatistics(reader.figures(), {
      ...{ ...REQUEST, to: '2024-01-04', riskFree: 0.01, benchmark: BENCHMARK },
    });
    const { statistics } = content({}, { benchmark: BENCHMARK });
    const { byStock: _, ...trips } = figures.roundTrips;
    expect(statistics).toMatchObject({ ...figures, roundTrips: trips });
    expect(statistics.sharpe.value).not.toBeNull();
    expect(statistics.beta.value).not.toBeNull();
  });

  it('ends with the last day that the record closes, or where it is told to', () => {
    expect(content().statistics.to).toBe('2024-01-04');
    expect(content({}, { to: '2024-01-06' }).statistics.to).toBe('2024-01-06');
    expect(content({}, { to: '2024-01-06' }).series.at(-1)?.value).toBe('1.1');
  });

  it('has no day that is not over, for a record without a closed day', () => {
    const young = content({ entries: ENTRIES.slice(0, 1), at: MONDAY + 100 });
    expect(young.statistics).toMatchObject({ from: null, totalReturn: { value: null } });
    expect(reportHtml(young)).toContain('No day is over yet');
    expect(reportHtml(young)).toContain(
      '<h2>Deepest falls</h2><p>None: there is no day with a value.</p>',
    );
  });

  it.each([
    ['live', 'hypothetical'],
    ['push', 'supplied'],
    ['replay', 'simulated'],
    ['demo', 'simulated'],
    ['better', 'simulated'],
    [undefined, 'simulated'],
  ])('takes the basis from the fills: of market %s it is %s', (market, basis) => {
    const { statistics, segments } = content({ entries: [fill('buy', MONDAY, '1', { market })] });
    expect([statistics.basis, segments[0]?.basis]).toEqual([basis, basis]);
  });

  it('shows every segment, and never joins them', () => {
    const later = [
      entry('segment', MONDAY + 4 * DAY, {
        state: 'opened',
        kind: 'live',
        reason: 'market',
        end_value: '1.1',
      }),
      entry('segment', MONDAY + 5 * DAY, { state: 'started', kind: 'live', start_value: '2' }),
      close(5, '2.2'),
    ];
    const first = ENTRIES.map((one) => ({ ...one, body: one.body.replace('"live"', '"demo"') }));
    const { segments, statistics } = content({ entries: [...first, ...later] });
    expect(segments).toMatchObject([
      { from: MONDAY, to: MONDAY + 4 * DAY, basis: 'simulated', return: '0.1' },
      { from: MONDAY + 5 * DAY, to: null, basis: 'hypothetical', return: '0.1' },
    ]);
    expect(statistics.totalReturn.value).toBe('0.1');
  });

  it('shows how an ended segment ended, as its entry says; entries of earlier versions do not', () => {
    const opened = (at: number, more: object) =>
      entry('segment', at, { state: 'opened', kind: 'live', reason: 'gap', ...more });
    const started = (at: number) =>
      entry('segment', at, { state: 'started', kind: 'live', start_value: '2' });
    const end = { end_value: '1.1', max_drawdown: '0.25', ended_at: MONDAY + 4 * DAY };
    const { segments } = content({
      entries: [
        ...ENTRIES,
        ...[opened(MONDAY + 14 * DAY, end), started(MONDAY + 15 * DAY)],
        ...[opened(MONDAY + 16 * DAY, { end_value: '2.2' }), started(MONDAY + 17 * DAY)],
      ],
    });
    expect(segments).toMatchObject([
      { from: MONDAY, to: MONDAY + 4 * DAY, return: '0.1', maxDrawdown: '0.25' },
      { from: MONDAY + 15 * DAY, to: MONDAY + 16 * DAY, return: '0.1', maxDrawdown: null },
      { from: MONDAY + 17 * DAY, to: null },
    ]);
  });

  it('ends the segment that goes on with its last value: the entry of a day may follow a fill of the next one', () => {
    const next = fill('buy', MONDAY + 4 * DAY + 10, '110', { strategy_value: '1.3' });
    const { segments } = content({ entries: [...ENTRIES.slice(0, -1), next, close(3, '1.1')] });
    expect(segments).toMatchObject([{ to: null, return: '0.3' }]);
  });
});

describe('the page', () => {
  const page = reportHtml(content({}, { benchmark: BENCHMARK }));

  it('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe)\b|url\(|@import|\bon\w+=|(src|href)=/);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/unsafe|<\w+[^>]*\sstyle=/);
  });

  it('shows names as text, whatever they contain', () => {
    expect(page).toContain('&lt;script>alert(');
    expect(page).not.toContain('<script');
  });

  it('is the same for the same content', () => {
    expect(reportHtml(content({}, { benchmark: BENCHMARK }))).toBe(page);
  });

  it('draws a claimed history dashed before the record, with a gap, and changes nothing else', () => {
    const points = ['2023-01-02', '2023-06-30', '2023-06-30', '2024-01-01'].map((date, index) => ({
      date,
      value: String(1 + index / 10),
    }));
    const claimed = { importedAt: MONDAY + DAY, points };
    const shown = reportHtml({ ...content({}, { benchmark: BENCHMARK }), claimed });
    const [section = ''] = /<section><h2>Before this record[^]*?<\/section>/.exec(shown) ?? [];
    expect(shown.replace(section, '')).toBe(page);
    expect(section).toContain('Claimed by the owner, 2023-01-02 to 2024-01-01');
    expect(section).toContain('Nobody checked them');
    const pathOf = (name: string) =>
      [...(new RegExp(`<path class="${name}" d="M([^"]*)"`).exec(section)?.[1] ?? '').split('L')]
        .filter((place) => place !== '')
        .map((place) => Number(place.split(',')[0]));
    const [dashed, own] = [pathOf('claimed'), pathOf('curve')];
    // The last claimed day would touch the record, so the line ends before it.
    expect(dashed).toHaveLength(2);
    expect((own[0] ?? 0) - (dashed.at(-1) ?? 0)).toBeGreaterThanOrEqual(10);
  });

  it('names the basis, the disclosure and the hash of the record', () => {
    expect(page).toContain('>hypothetical</span>');
    expect(page).toContain('All figures are hypothetical results');
    expect(page).toContain(HASH);
  });

  it.each([
    'Value',
    'Below the highest close',
    'Months and years',
    'Deepest falls',
    'Figures',
    'Against the benchmark',
    'Round trips',
    'Segments of the record',
    'Trades',
    'About this report',
  ])('has the part "%s"', (title) => {
    expect(page).toContain(`>${title}<`);
  });

  it('says each figure with its value, or why there is none', () => {
    expect(page).toContain('+10.00\u00a0%');
    expect(page).toContain('None: the span has fewer than 90 days.');
  });

  it('leaves out trades and refusals that its reader may not see', () => {
    const hidden = reportHtml({ ...content(), trades: null, refused: null });
    expect(hidden).not.toContain('>Trades<');
    const refused = [{ at: MONDAY, request: 'buy TSLA', reason: 'it does not fit' }];
    expect(reportHtml(content({ refused }))).toContain('it does not fit');
  });

  it('shows the last 200 trades and says where all of them are', () => {
    const many = Array.from({ length: 201 }, (_, index) => fill('buy', MONDAY + index, '100'));
    expect(reportHtml(content({ entries: many }))).toContain(
      'The last 200; all of them are in trades.csv',
    );
  });
});
