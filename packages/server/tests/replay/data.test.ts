import { readFileSync, symlinkSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { exchangeHours } from '@slipstream/adapter-market';
import { DAY, isoDay } from '@slipstream/domain';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { Instruments } from '../../src/replay/run/instruments.js';
import { BarStore } from '../../src/replay/data/bar-store.js';
import type { Bar, Dropped } from '../../src/replay/data/bar.js';
import { Periods } from '../../src/replay/data/periods.js';
import { type DataOptions, type MarketData, readData } from '../../src/replay/data/read-data.js';
import type { TimeChoices } from '../../src/replay/data/periods.js';
import { distinct } from '../../src/replay/run/moments.js';
import { recorded, scratch, withWholePrices, written } from './replay-scene.js';

interface Read {
  readonly data: MarketData;
  readonly bars: readonly Bar[];
  readonly dropped: readonly Dropped[];
}

async function read(
  options: Partial<DataOptions> & Pick<DataOptions, 'files'>,
  { zone, barTime }: Partial<TimeChoices> = {},
): Promise<Read> {
  const dropped: Dropped[] = [];
  const drop = (one: Dropped): void => void dropped.push(one);
  const { type = 'stock' } = options;
  const store = new BarStore(scratch('bars'));
  const data = await readData(
    {
      factors: undefined,
      symbols: undefined,
      symbolOf: (name) => name,
      to: undefined,
      prices: 'as_given',
      length: undefined,
      ...options,
      type,
    },
    new Periods(exchangeHours(), type, { zone, barTime }),
    { store, drop, progressed: () => undefined },
  );
  const fileOf = (file: number): string => options.files[file]?.path ?? '';
  const bars = [...distinct(data.store.sorted(), fileOf, drop)];
  store.close();
  return { data, bars, dropped };
}

const times = ({ startsAt, endsAt }: Bar): string =>
  `${new Date(startsAt).toISOString()} ${new Date(endsAt).toISOString()}`;

const ofText = (text: string | Buffer, name = 'prices.csv', symbol = 'AAPL') => [
  { path: written(name, text), symbol },
];

const A_SESSION = '2024-01-02T14:30:00.000Z 2024-01-02T21:00:00.000Z';
const MIXED = { open: 1, high: 3, low: 0.5, close: 2 };

describe('a file of prices', () => {
  it.each([
    ['names in any order and case', 'Close,Open,Low,High,Date\n2,1,0.5,3,2024-01-02', A_SESSION],
    ['another name of the time', 'timestamp,open,high,low,close\n2024-01-02,1,3,0.5,2', A_SESSION],
    [
      'trade columns',
      'date,trade_open,trade_high,trade_low,trade_close\n2024-01-02,1,3,0.5,2',
      A_SESSION,
    ],
    [
      'a byte order mark and Windows lines',
      '\uFEFFdate,open,high,low,close\r\n2024-01-02,1,3,0.5,2\r\n',
      A_SESSION,
    ],
    [
      'moments with an offset, and their length from two rows',
      'time,open,high,low,close\n2024-01-02T10:00:00-05:00,1,3,0.5,2\n2024-01-02T10:05:00-05:00,1,3,0.5,2',
      '2024-01-02T15:00:00.000Z 2024-01-02T15:05:00.000Z',
    ],
    [
      'seconds since 1970, as charting platforms export them',
      'time,open,high,low,close\n1704207600,1,3,0.5,2\n1704207660,1,3,0.5,2',
      '2024-01-02T15:00:00.000Z 2024-01-02T15:01:00.000Z',
    ],
    [
      'a date and a clock in two columns',
      'date,time_local,open,high,low,close\n2024-01-02,10:00:00,1,3,0.5,2\n2024-01-02,10:01:00,1,3,0.5,2',
      '2024-01-02T15:00:00.000Z 2024-01-02T15:01:00.000Z',
    ],
  ])('is read with %s', async (_, text, expected) => {
    const { bars, dropped } = await read(
      { files: ofText(text) },
      { zone: 'America/New_York', barTime: 'start' },
    );
    expect(dropped).toEqual([]);
    expect(bars[0] && times(bars[0])).toBe(expected);
    expect(bars[0]?.prices).toEqual(MIXED);
    const zipped = await read(
      { files: ofText(gzipSync(text), 'prices.csv.gz') },
      { zone: 'America/New_York', barTime: 'start' },
    );
    expect(zipped.bars.map(times)).toEqual(bars.map(times));
  });

  it.each([
    ['a high above twice open and close', '10,20.01,9,10', 'the high is more than 2 times'],
    ['a low under half of open and close', '243,244,25.3,242', 'the low is less than 1/2'],
  ])('lists a row with %s, and does not use it', async (_, prices, reason) => {
    const text = `date,open,high,low,close\n2024-01-02,${prices}\n2024-01-03,10,20,5,10`;
    const { bars, dropped } = await read({ files: ofText(text) });
    expect(bars.map(({ prices: { close } }) => close)).toEqual([10]);
    expect(dropped).toMatchObject([{ line: 2, reason: expect.stringContaining(reason) }]);
  });

  it('lists such a row of quotes too, on either side', async () => {
    const sides = ['bid', 'ask'].flatMap((side) =>
      ['open', 'high', 'low', 'close'].map((name) => `${side}_${name}`),
    );
    const text = [
      ['date', ...sides].join(','),
      '2024-01-02,570,590,0.01,575,571,591,565,576',
      '2024-01-03,570,590,560,575,571,1200,565,576',
      '2024-01-04,570,590,560,575,571,591,565,576',
    ].join('\n');
    const { bars, dropped } = await read({ files: ofText(text) });
    expect([bars.length, dropped.map(({ line }) => line)]).toEqual([1, [2, 3]]);
  });

  it('has bids and asks where it gives them', async () => {
    const header = 'date,bid_open,bid_high,bid_low,bid_close,ask_open,ask_high,ask_low,ask_close';
    const { bars } = await read({ files: ofText(`${header}\n2024-01-02,1,3,0.5,2,1.5,3.5,1,2.5`) });
    expect(bars[0]).toMatchObject({
      prices: MIXED,
      asks: { open: 1.5, high: 3.5, low: 1, close: 2.5 },
    });
  });

  describe('that is Parquet', () => {
    const CLOSES = [187.15, 188.44];
    const prices = (type: 'DOUBLE' | 'FLOAT') =>
      ['open', 'high', 'low', 'close'].map((name) => ({ name, data: CLOSES, type }));
    const parquet = (
      time: readonly ColumnSource[],
      type: 'DOUBLE' | 'FLOAT' = 'DOUBLE',
      more = {},
    ) => {
      const columnData = [...time, ...prices(type)];
      return ofText(Buffer.from(parquetWriteBuffer({ columnData, ...more })), 'prices.parquet');
    };
    const DAYS: ColumnSource = {
      ...{ name: 'date', type: 'STRING' },
      data: ['2024-01-02', '2024-01-03'],
    };
    const MOMENTS: ColumnSource = {
      ...{ name: 'timestamp', type: 'TIMESTAMP' },
      data: [new Date('2024-01-02T15:00:00Z'), new Date('2024-01-02T15:01:00Z')],
    };

    it.each([
      ['days', DAYS, A_SESSION],
      ['moments', MOMENTS, '2024-01-02T15:00:00.000Z 2024-01-02T15:01:00.000Z'],
    ])('is read with %s', async (_, time, expected) => {
      const { bars, dropped, data } = await read({ files: parquet([time]) }, { barTime: 'start' });
      expect(dropped).toEqual([]);
      expect(bars.map(({ prices: { close } }) => close)).toEqual(CLOSES);
      expect(bars[0] && times(bars[0])).toBe(expected);
      expect(data.summaries).toMatchObject([{ format: 'csv', bars: 2 }]);
    });

    it('keeps the digits of numbers of four bytes, and reads every row group', async () => {
      const files = parquet([DAYS], 'FLOAT', { rowGroupSize: 1 });
      const { bars } = await read({ files });
      expect(bars.map(({ prices: { open } }) => open)).toEqual(CLOSES);
    });

    it('drops a row with a missing price, by its number', async () => {
      const columnData = [DAYS, ...prices('DOUBLE')].map((column) =>
        column.name === 'low' ? { ...column, data: [187.15, null], nullable: true } : column,
      );
      const bytes = Buffer.from(parquetWriteBuffer({ columnData }));
      const { dropped } = await read({ files: ofText(bytes, 'prices.parquet') });
      expect(dropped).toMatchObject([{ line: 2, reason: 'a price is missing' }]);
    });

    it('is refused when it is none', async () => {
      const files = ofText('date,open\n', 'prices.parquet');
      await expect(read({ files })).rejects.toThrow(`${files[0]?.path} cannot be read`);
    });
  });

  it('is one of klines, in milliseconds or microseconds, with or without a header', async () => {
    const rest = '1,3,0.5,2,10';
    const milli = `1704207600000,${rest},1704207659999,1,1,1,1,0`;
    const micro = `1704207600000000,${rest},1704207659999999,1,1,1,1,0`;
    const header =
      'open_time,open,high,low,close,volume,close_time,quote,count,taker,taker_quote,ignore';
    for (const text of [milli, micro, `${header}\n${milli}`]) {
      const { bars } = await read({
        type: 'cryptocurrency',
        files: ofText(text, 'k.csv', 'BTCUSD'),
        length: 60_000,
      });
      expect(bars.map(times)).toEqual(['2024-01-02T15:00:00.000Z 2024-01-02T15:01:00.000Z']);
      expect(bars[0]?.prices).toEqual(MIXED);
    }
  });

  it("is an answer of Alpaca's, of one symbol or several", async () => {
    const bar = (t: string) => ({ t, o: 1, h: 3, l: 0.5, c: 2, v: 1 });
    const bars = [bar('2024-01-02T15:00:00Z'), bar('2024-01-02T15:01:00Z')];
    for (const json of [{ symbol: 'AAPL', bars }, { bars: { AAPL: bars } }]) {
      const files = [{ path: written('bars.json', JSON.stringify(json)) }];
      const found = await read({ files });
      expect(found.data.symbols).toEqual(['AAPL']);
      expect(found.bars.map(({ prices }) => prices)).toEqual([MIXED, MIXED]);
    }
    const days = [bar('2024-01-02T05:00:00Z'), bar('2024-01-03T05:00:00Z')];
    const daily = await read({ files: ofText(JSON.stringify({ bars: days }), 'days.json') });
    expect(daily.bars[0] && times(daily.bars[0])).toBe(A_SESSION);
  });

  it('has raw prices and adjusted ones, which are told apart', async () => {
    const text = 'Date,Open,High,Low,Close,Adj Close,Volume\n2024-01-02,10,30,5,20,10,1';
    const raw = await read({ files: ofText(text) });
    expect(raw.bars[0]?.prices).toEqual({ open: 10, high: 30, low: 5, close: 20 });
    expect(raw.data.summaries[0]?.format).toContain('adjusted');
    const adjusted = await read({ files: ofText(text), prices: 'adjusted' });
    expect(adjusted.bars[0]?.prices).toEqual({ open: 5, high: 15, low: 2.5, close: 10 });
  });

  it.each([
    ['a dividend of a factor file', 'AAPL,2024-01-02,0.99,1,20\nAAPL,2050-01-01,1,1,0'],
    ['a split of one', 'AAPL,2024-01-02,1,0.9,20\nAAPL,2050-01-01,1,1,0'],
  ])('refuses %s beside adjusted prices, which have it already', async (_, rows) => {
    const text = ['Date,Open,High,Low,Close,Adj Close', '2024-01-02,10,30,5,20,10'];
    const files = ofText([...text, '2024-01-03,10,30,5,20,10'].join('\n'));
    const head = 'symbol,date,price_factor,split_factor,reference_price';
    const factors = written('factors.csv', `${head}\n${rows}`);
    await expect(read({ files, factors, prices: 'adjusted' })).rejects.toThrow(
      `${factors}:2: adjusted prices have`,
    );
    const { data } = await read({ files, factors });
    expect(data.actions).toHaveLength(1);
  });

  it('refuses them of rows of kind too', async () => {
    const text = [
      'date,kind,amount,open,high,low,close,adj_close',
      '2024-01-02,,,10,30,5,20,10',
      '2024-01-03,dividend,0.25,,,,,',
      '2024-01-03,,,10,30,5,20,10',
    ].join('\n');
    await expect(read({ files: ofText(text), prices: 'adjusted' })).rejects.toThrow(
      ':3: adjusted prices have',
    );
  });

  it.each([
    [
      'times without a zone',
      'time,open,high,low,close\n2024-01-02 10:00,1,3,0.5,2',
      {},
      ':2: 2024-01-02 10:00 names no time zone; say it with --time-zone',
    ],
    [
      'times that may be starts or ends',
      'time,open,high,low,close\n2024-01-02T15:00:00Z,1,3,0.5,2\n2024-01-02T15:01:00Z,1,3,0.5,2',
      {},
      ':2: is the time of a bar its start or its end?',
    ],
    [
      'a single time',
      'time,open,high,low,close\n2024-01-02T15:00:00Z,1,3,0.5,2',
      { barTime: 'start' as const },
      'say it with --interval',
    ],
    [
      'times after thousands of days',
      `date,open,high,low,close\n${'2024-01-03,1,3,0.5,2\n'.repeat(2_000)}2024-01-02T15:00:00Z,1,3,0.5,2`,
      { barTime: 'start' as const },
      ':2002: the length of its bars cannot be seen',
    ],
    [
      'no prices',
      'date,price\n2024-01-02,1',
      {},
      ':1: it has no columns open, high, low and close',
    ],
    ['no times', 'open,high,low,close\n1,3,0.5,2', {}, ':1: it has no column of times'],
    [
      'semicolons between its columns',
      'date;open;high;low;close\n2024-01-02;1;3;0.5;2',
      {},
      'begins_at, at): its columns must be separated by commas, not by ";"',
    ],
    [
      'tabs between its columns',
      'date\topen\thigh\tlow\tclose\n2024-01-02\t1\t3\t0.5\t2',
      {},
      'its columns must be separated by commas, not by "\\t"',
    ],
    [
      'an unknown zone',
      'time,open,high,low,close\n2024-01-02 10:00,1,3,0.5,2',
      { zone: 'Mars/Base' },
      'there is no time zone "Mars/Base"',
    ],
    ['nothing', '', {}, 'is empty'],
  ])('is refused with %s', async (_, text, choices, message) => {
    await expect(read({ files: ofText(text) }, choices)).rejects.toThrow(message);
  });

  it('is refused without a symbol, and when it is not there', async () => {
    const path = written('p.csv', 'date,open,high,low,close\n2024-01-02,1,3,0.5,2');
    await expect(read({ files: [{ path }] })).rejects.toThrow(
      `${path}:2: the file names no symbol; say it with --data SYMBOL=${path}`,
    );
    await expect(read({ files: [{ path: 'none.csv' }] })).rejects.toThrow(
      'none.csv cannot be read (ENOENT)',
    );
  });

  it('is refused without a row that can be used, with where the rows went', async () => {
    const rows = [
      '2024-01-02,1,3,0.5,2,AAPL',
      '2024-01-03,1,3,,2,MSFT',
      '2024-01-04,1,3,0.5,2,AAPL',
    ];
    const files = ofText(`date,open,high,low,close,symbol\n${rows.join('\n')}\n`);
    await expect(read({ files, symbols: new Set(['MSFT']) })).rejects.toThrow(
      'no row of the files can be used: 1 dropped (dropped.csv says why), 2 of other instruments or after the end; needed are MSFT',
    );
  });

  it.each([
    ['2024-01-02,1,3,,2', 'a price is missing'],
    ['2024-01-02,1,x,0.5,2', '"x" is no price'],
    ['2024-01-02,1,3,0,2', 'a price is not above 0'],
    ['2024-01-02,1,1.5,0.5,2', 'high and low do not enclose open and close'],
    ['2024-01-02,1,3', 'the line is cut short'],
    ['02.01.2024,1,3,0.5,2', '"02.01.2024" is no time'],
    ['2024-02-30,1,3,0.5,2', '"2024-02-30" is no time'],
    ['2023-02-29T15:00:00Z,1,3,0.5,2', '"2023-02-29T15:00:00Z" is no time'],
    ['2024-01-06,1,3,0.5,2', 'the exchange has no session on this day'],
    ['2024-01-03,9,9,9,9', 'its time is in FILE:2 too, with another close (2)'],
  ])('drops the row %s and says why', async (row, reason) => {
    const files = ofText(`date,open,high,low,close\n2024-01-03,1,3,0.5,2\n${row}\n`);
    const { bars, dropped } = await read({ files });
    const [{ path } = { path: '' }] = files;
    expect(dropped).toEqual([{ file: path, line: 3, reason: reason.replace('FILE', path) }]);
    expect(bars).toHaveLength(1);
  });

  it('has numbers as any program writes them, also without a digit before the point', async () => {
    const rows = ['2024-01-02,bar,.1,.3,5e-2,+.2,', '2024-01-03,dividend,,,,,+.24'];
    const files = ofText(`date,kind,open,high,low,close,amount\n${rows.join('\n')}\n`);
    const { bars, dropped, data } = await read({ files });
    expect(dropped).toEqual([]);
    expect(bars.map(({ prices }) => prices)).toEqual([
      { open: 0.1, high: 0.3, low: 0.05, close: 0.2 },
    ]);
    expect(data.summaries).toMatchObject([{ bars: 1, actions: 1 }]);
  });

  it.each(['.', '.e1', '+', '-.5'])('drops a row with the price %s', async (price) => {
    const files = ofText(
      `date,open,high,low,close\n2024-01-02,1,3,0.5,2\n2024-01-03,1,3,0.5,${price}\n`,
    );
    const { dropped } = await read({ files });
    expect(dropped).toMatchObject([{ line: 3, reason: `"${price}" is no price` }]);
  });

  describe('of weeks or months', () => {
    const weeks = [0, 1, 2, 3, 4].map((week) => isoDay(Date.UTC(2024, 0, 8) + week * 7 * DAY));
    const months = ['2024-02-01', '2024-03-01', '2024-04-01', '2024-05-01', '2024-07-01'];
    const textOf = (dates: readonly string[], clock = ''): string =>
      ['time,open,high,low,close', ...dates.map((date) => `${date}${clock},1,3,0.5,2`)].join('\n');

    it.each([
      ['weeks by their dates', textOf(weeks), 'its rows are 7 days apart'],
      ['months by their dates', textOf(months), 'its rows are 29 days apart'],
      ['weeks by moments', textOf(weeks, 'T00:00:00Z'), 'its bars are of 7d'],
    ])('is refused: the prices of %s are of days that are later', async (_, text, expected) => {
      const whole = read({ files: ofText(text) }, { barTime: 'start' });
      await expect(whole).rejects.toThrow(expected);
    });

    it('is refused for coins too where dates alone name them, and played where moments do', async () => {
      const type = 'cryptocurrency';
      await expect(read({ files: ofText(textOf(weeks)), type })).rejects.toThrow('7 days apart');
      const files = ofText(textOf(weeks, 'T00:00:00Z'));
      const { bars } = await read({ files, type }, { barTime: 'start' });
      expect(bars[0] && times(bars[0])).toBe('2024-01-08T00:00:00.000Z 2024-01-15T00:00:00.000Z');
    });

    it('is taken where --interval says that it is of single days', async () => {
      const { bars } = await read({ files: ofText(textOf(weeks)), length: DAY });
      expect(bars).toHaveLength(4);
      const asWeeks = read({ files: ofText(textOf(weeks)), length: 7 * DAY });
      await expect(asWeeks).rejects.toThrow('a date alone stands for one day');
    });
  });

  it('drops a time that the clocks of its zone skip', async () => {
    const rows = ['01:30', '02:30', '03:00'].map((time) => `2024-03-10 ${time},1,3,0.5,2`);
    const files = ofText(['time,open,high,low,close', ...rows].join('\n'));
    const { bars, dropped } = await read(
      { files, type: 'cryptocurrency', length: 1_800_000 },
      { zone: 'America/New_York', barTime: 'start' },
    );
    expect(dropped.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'there is no such time'],
    ]);
    expect(bars.map(times)).toEqual([
      '2024-03-10T06:30:00.000Z 2024-03-10T07:00:00.000Z',
      '2024-03-10T07:00:00.000Z 2024-03-10T07:30:00.000Z',
    ]);
  });

  describe('of whole days that are told by moments', () => {
    const DAYS = ['2024-03-06', '2024-03-07', '2024-03-08', '2024-03-11', '2024-03-12'];
    /** Of a Friday in winter time and the Monday after it in summer time too. */
    const SESSIONS = DAYS.map((day) =>
      day < '2024-03-10'
        ? `${day}T14:30:00.000Z ${day}T21:00:00.000Z`
        : `${day}T13:30:00.000Z ${day}T20:00:00.000Z`,
    );
    const next = (day: string): string => isoDay(Date.parse(day) + DAY);

    it.each([
      ['midnight in UTC', 'start', (day: string) => `${day}T00:00:00Z`],
      ['seconds since 1970', 'start', (day: string) => `${Date.parse(day) / 1_000}`],
      ['midnight in New York', 'start', (day: string) => `${day} 00:00`],
      ['the opening', 'start', (day: string) => `${day} 09:30`],
      ['the close', 'end', (day: string) => `${day} 16:00`],
      ['the end of the day in UTC', 'end', (day: string) => `${next(day)}T00:00:00Z`],
      ['the end of the day in New York', 'end', (day: string) => `${next(day)} 00:00`],
    ] as const)('is played in the sessions of its own days: %s', async (_, barTime, timeOf) => {
      const rows = DAYS.map((day, at) => `${timeOf(day)},${at + 1},${at + 1},${at + 1},${at + 1}`);
      const { bars, dropped } = await read(
        { files: ofText(['time,open,high,low,close', ...rows].join('\n')) },
        { zone: 'America/New_York', barTime },
      );
      expect(dropped).toEqual([]);
      expect(bars.map(times)).toEqual(SESSIONS);
      expect(bars.map(({ prices }) => prices.close)).toEqual([1, 2, 3, 4, 5]);
    });
  });

  it.each([
    ['America/New_York', '2024-11-03 01:', '2024-11-03T05:30:00.000Z'],
    ['Europe/Berlin', '2024-10-27 02:', '2024-10-27T00:30:00.000Z'],
    ['Australia/Lord_Howe', '2024-04-07 01:', '2024-04-06T14:30:00.000Z'],
  ])('takes the first of two times that the clocks of %s show', async (zone, hour, first) => {
    const rows = [30, 45, 30, 45].map((minute, at) => `${hour}${minute}${`,${at + 1}`.repeat(4)}`);
    const files = ofText(['time,open,high,low,close', ...rows].join('\n'));
    const { bars, dropped } = await read(
      { files, type: 'cryptocurrency', length: 900_000 },
      { zone, barTime: 'start' },
    );
    expect(bars[0] && new Date(bars[0].startsAt).toISOString()).toBe(first);
    expect(bars.map(({ prices }) => prices.close)).toEqual([1, 2]);
    expect(dropped.map(({ line }) => line)).toEqual([4, 5]);
  });

  it('leaves out minutes outside the regular session', async () => {
    const row = (time: string): string => `2024-01-02T${time}:00Z,1,3,0.5,2`;
    const text = [
      'time,open,high,low,close',
      row('14:29'),
      row('14:30'),
      row('20:59'),
      row('21:00'),
    ].join('\n');
    const { bars, dropped } = await read(
      { files: ofText(text), length: 60_000 },
      { barTime: 'start' },
    );
    expect(bars).toHaveLength(2);
    expect(dropped.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'it is outside the regular session'],
      [5, 'it is outside the regular session'],
    ]);
  });

  it('shows the length of bars though thousands of rows of other symbols come first', async () => {
    const row = (symbol: string, minute: number): string =>
      `${new Date(Date.UTC(2024, 0, 2, 14, 30 + minute)).toISOString()},${symbol},1,3,0.5,2`;
    const others = Array.from({ length: 2_100 }, (_, minute) => row('MSFT', minute % 300));
    const text = ['time,symbol,open,high,low,close', ...others, row('AAPL', 0), row('AAPL', 5)];
    const { bars, data } = await read(
      { files: ofText(text.join('\n')), symbols: new Set(['AAPL']) },
      { barTime: 'start' },
    );
    expect(data.summaries[0]).toMatchObject({ interval: '5m', bars: 2, unneeded: 2_100 });
    expect(bars.map(({ startsAt, endsAt }) => endsAt - startsAt)).toEqual([300_000, 300_000]);
  });

  it('gives splits and dividends of a factor file on the first day with them', async () => {
    const factors = written(
      'factors.csv',
      'symbol,date,price_factor,split_factor,reference_price\nAAPL,2024-01-02,0.98,0.1428571,100\nAAPL,2024-01-05,0.99,0.1428571,50\nAAPL,2024-01-08,0.99,1,60\nAAPL,2050-12-31,1,1,0\n',
    );
    const days = ['02', '03', '04', '05', '08', '09'].map((day) => `2024-01-${day},1,3,0.5,2`);
    const { data } = await read({
      files: ofText(['date,open,high,low,close', ...days].join('\n')),
      factors,
    });
    expect(data.actions).toMatchObject([
      { kind: 'dividend', exDate: '2024-01-03', amount: '1.0101' },
      { kind: 'split', exDate: '2024-01-08', newShares: 7, oldShares: 1 },
      { kind: 'dividend', exDate: '2024-01-09', amount: '0.6000' },
    ]);
  });

  it.each(['AAPL', 'aapl', 'AAPL:NASDAQ'])(
    'knows an instrument by the same names in prices and factors: %s',
    async (name) => {
      const head = 'symbol,date,price_factor,split_factor,reference_price';
      const factors = written(
        'factors.csv',
        `${head}\n${name},2024-01-03,1,0.25,400\n${name},2024-01-04,1,1,100\n`,
      );
      const days = ['02', '03', '04'].map((day) => `2024-01-${day},${name},1,3,0.5,2`);
      const all = new Instruments('stock');
      const { data } = await read({
        files: [
          { path: written('p.csv', ['date,symbol,open,high,low,close', ...days].join('\n')) },
        ],
        ...{ factors, symbols: new Set(['AAPL']), symbolOf: (given) => all.symbolOf(given) },
      });
      expect(data).toMatchObject({
        symbols: ['AAPL'],
        actions: [{ kind: 'split', symbol: 'AAPL' }],
      });
    },
  );

  it('takes a split or a dividend once that two lines or files give, and lists the others', async () => {
    const actions = (...lines: string[]): string =>
      written(
        'actions.csv',
        ['kind,date,symbol,new_shares,old_shares,amount', ...lines].join('\n'),
      );
    const split = 'split,2024-01-03,AAPL,4,1,';
    const [regular, special] = ['dividend,2024-01-04,AAPL,,,1', 'dividend,2024-01-04,AAPL,,,2.5'];
    const [first, second] = [actions(split, regular, special, regular), actions(regular, split)];
    const factors = written(
      'factors.csv',
      'symbol,date,price_factor,split_factor,reference_price\nAAPL,2024-01-02,1,0.25,400\nAAPL,2024-01-03,1,1,100\n',
    );
    const days = ['02', '03', '04'].map((day) => `2024-01-${day},1,3,0.5,2`);
    const prices = ofText(['date,open,high,low,close', ...days].join('\n'));
    const files = [...prices, { path: first }, { path: second }];
    const { data, dropped } = await read({ files, factors });
    expect(data.actions).toMatchObject([
      { kind: 'split', file: first, line: 2 },
      { kind: 'dividend', amount: '1' },
      { kind: 'dividend', amount: '2.5' },
    ]);
    expect(dropped).toEqual([
      { file: first, line: 5, reason: `its dividend is in ${first}:3 too` },
      { file: second, line: 2, reason: `its dividend is in ${first}:3 too` },
      { file: second, line: 3, reason: `its split is in ${first}:2 too` },
      { file: factors, line: 2, reason: `its split is in ${first}:2 too` },
    ]);
  });
});

describe('a store of bars', () => {
  it('gives any order back by time, also what memory does not hold', () => {
    const store = new BarStore(scratch('bars'), 10);
    const bar = (minute: number, symbol: number): Bar => ({
      ...{ startsAt: minute, endsAt: minute + 1, symbol, file: 0, line: minute, prices: MIXED },
      asks: minute % 2 === 0 ? null : MIXED,
    });
    const all = Array.from({ length: 95 }, (_, index) => bar((index * 37) % 95, index % 3));
    for (const one of all) store.add(one);
    const sorted = [...store.sorted()];
    expect(sorted).toEqual(all.toSorted((one, other) => one.startsAt - other.startsAt));
    store.close();
  });

  it('names its file when there is no room for it', () => {
    const path = scratch('full-bars');
    symlinkSync('/dev/full', path);
    const store = new BarStore(path, 1);
    const one: Bar = {
      ...{ startsAt: 0, endsAt: 1, symbol: 0, file: 0, line: 0, prices: MIXED, asks: null },
    };
    store.add(one);
    expect(() => store.add(one)).toThrow(expect.objectContaining({ code: 'ENOSPC', path }));
    store.close();
  });
});

describe('the recorded prices', () => {
  withWholePrices(() => {
    it('give every impossible row of known_defects.csv that is theirs, and those where two files disagree', async () => {
      const known = readFileSync(recorded('known_defects.csv'), 'utf8');
      const rows = known
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','));
      const named = (start: string): string[] =>
        rows
          .filter(([, , , , reason = '']) => reason.startsWith(start))
          .map(([symbol = '', date = '']) => `${symbol},${date}`);
      const [impossible, disagreeing] = [named('sp500_5yr'), named('lean_equity_daily_raw')];
      // The others are of a source whose file is not there.
      const others = named('djia31_2006_2017');
      expect([impossible.length, disagreeing.length, others.length]).toEqual([23, 7, 210]);
      expect(rows).toHaveLength(240);
      const symbols = new Set(
        [...impossible, ...disagreeing].map((name) => name.split(',')[0] ?? ''),
      );
      for (const symbol of ['AAPL', 'AIG', 'GOOG', 'XL']) symbols.add(symbol);
      const paths = ['lean_equity_daily_raw.csv.gz', 'sp500_5yr.csv.gz'].map(recorded);
      const { dropped } = await read({ files: paths.map((path) => ({ path })), symbols });
      const linesOf = (path: string): string[] =>
        gunzipSync(readFileSync(path)).toString('utf8').split('\n');
      const lines = linesOf(paths[1] ?? '');
      const nameOf = ({ line }: Dropped): string =>
        (lines[line - 1] ?? '').slice(0, -1).split(',').slice(0, 2).join(',');
      const isAbsurd = ({ reason }: Dropped): boolean =>
        reason.includes('of open and close') || reason.includes('times open and close');
      const isDouble = ({ reason }: Dropped): boolean => reason.includes(' too');
      expect(
        dropped
          .filter((one) => !isDouble(one) && !isAbsurd(one))
          .map(nameOf)
          .sort(),
      ).toEqual(impossible.sort());
      const absurd = dropped.filter(isAbsurd);
      const farAway = absurd.map(({ file, line }) =>
        (linesOf(file)[line - 1] ?? '').split(',').slice(0, 2).join(','),
      );
      expect(farAway.sort()).toEqual([
        ...['AAPL,2009-09-21', 'AAPL,2010-08-31', 'AAPL,2011-01-03', 'AIG,2009-05-05'],
        ...['GOOG,2007-12-18', 'GOOG,2008-09-30', 'XL,2015-08-24'],
      ]);
      const differing = dropped.filter(({ reason }) => reason.includes('with another close'));
      expect(differing.map(nameOf)).toEqual(expect.arrayContaining(disagreeing));
    });
  });
});
