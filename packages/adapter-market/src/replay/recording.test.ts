import { describe, expect, it } from '@jest/globals';
import { rowReader } from './recording.js';

const QUOTES =
  'security,symbol,date,time_local,bid_open,bid_high,bid_low,bid_close,bid_size,ask_open,ask_high,ask_low,ask_close,ask_size';
const BARS = 'symbol,date,open,high,low,close,volume';
const DAYS = 'date,bid_open,bid_high,bid_low,bid_close,ask_open,ask_high,ask_low,ask_close';

const read = (header: string, line: string) => rowReader(header)?.(line);

describe('a line of a recording', () => {
  it('has bid and ask at the close of a minute', () => {
    expect(read(QUOTES, 'stock,AAPL,1970-01-03,09:31:00,1,3,1,2,100,4,5,4,5,300')).toEqual({
      symbol: 'AAPL',
      security: 'stock',
      day: 2,
      minute: 571,
      bid: 2,
      ask: 5,
      close: Number.NaN,
    });
  });

  it('has no price on a side that is blank or 0', () => {
    expect(read(QUOTES, 'stock,AAPL,1970-01-03,09:31:00,,,,,,4,5,4,5,300')?.bid).toBeNaN();
    expect(read(QUOTES, 'stock,AAPL,1970-01-03,09:31:00,1,1,1,1,1,0,0,0,0,0')?.ask).toBeNaN();
  });

  it('has the close of a bar, of a whole day without a time', () => {
    const row = read(BARS, 'aapl,1970-01-03,13.63,16.25,13.5,16.25,6315000');
    expect(row).toMatchObject({ symbol: 'AAPL', close: 16.25, minute: undefined });
    expect(read('date,trade_close', '1970-01-03,370')).toMatchObject({ close: 370 });
  });

  it('has no symbol if the file has none', () =>
    expect(read(DAYS, '1970-01-03,1,1,1,1,2,2,2,2')).toMatchObject({
      symbol: undefined,
      bid: 1,
      ask: 2,
    }));

  it.each([
    ['a missing close', 'AAPL,2016-01-12,87.5,89,86,,100'],
    ['a missing open', 'UA,2016-06-10,,35.9,35,35.54,100'],
    ['a low above the close', 'AOS,2014-05-19,24.5,24.9,24.46,24.445,100'],
    ['a high below the open', 'AOS,2014-05-19,25,24.9,24.4,24.445,100'],
    ['a negative price', 'AAPL,2014-05-19,-1,2,-2,1,100'],
    ['text for a price', 'AAPL,2014-05-19,n/a,n/a,n/a,n/a,100'],
    ['no price at all', 'AAPL,2014-05-19,,,,,100'],
    ['no day', 'AAPL,19.05.2014,1,1,1,1,100'],
    ['an impossible day', 'AAPL,2014-13-19,1,1,1,1,100'],
    ['no symbol', ',2014-05-19,1,1,1,1,100'],
    ['a line cut short', 'AAPL,2014-05'],
  ])('is dropped with %s', (_, line) => expect(read(BARS, line)).toBeUndefined());

  it.each([
    ['a bid above the ask', 'stock,AAPL,2014-06-05,09:31:00,6,6,6,6,1,5,5,5,5,1'],
    ['an impossible time', 'stock,AAPL,2014-06-05,24:31:00,1,1,1,1,1,5,5,5,5,1'],
    ['an unknown security', 'bond,AAPL,2014-06-05,09:31:00,1,1,1,1,1,5,5,5,5,1'],
  ])('is dropped with %s', (_, line) => expect(read(QUOTES, line)).toBeUndefined());

  it.each(['date,symbol', 'symbol,close', 'date,bid_close', ''])(
    'is not read under the columns "%s"',
    (header) => expect(rowReader(header)).toBeUndefined(),
  );
});
