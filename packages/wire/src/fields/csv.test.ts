import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { csvText, recordsTable } from './csv.js';

describe('a table', () => {
  it.each([
    ['a text with a comma', 'a,b', '"a,b"'],
    ['a quote', 'say "no"', '"say ""no"""'],
    ['a line end', 'a\nb', '"a\nb"'],
    ['nothing', null, ''],
    ['a flag', false, 'false'],
    ['a number of 20 digits', '-0.00000000000000000001', '-0.00000000000000000001'],
    ['a whole number', '-5', '-5'],
    ['a count', -5, '-5'],
  ])('writes %s as it is read back', (_, cell, written) => {
    expect(csvText([['x', cell, 'y']])).toBe(`x,${written},y\n`);
  });

  it.each(['=1+1', '+1', '-1+1', '-A1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '-0.5e3'])(
    'puts an apostrophe before a text that a spreadsheet would compute: %j',
    (text) => {
      expect(csvText([[text]])).toMatch(/^"?'/);
    },
  );

  it.each([
    ['a;=1+1;b', "a;'=1+1;b"],
    ['a;-B1;@c', "a;'-B1;'@c"],
    ['=1;+2', "'=1;'+2"],
    ['a;＝1', "a;'＝1"],
    ['a; b;c', 'a; b;c'],
  ])(
    'puts one also where a semicolon divides cells, as where the comma is the decimal sign: %j',
    (text, written) => {
      expect(csvText([['x', text]])).toBe(`x,${written}\n`);
    },
  );

  it('has the fields of the schema, lists as JSON', () => {
    const resource = z.object({ a: z.string(), b: z.array(z.string()), c: z.null() });
    expect(recordsTable(resource, [{ c: null, a: '1', b: ['x', 'y'], d: 'unknown' }])).toBe(
      'a,b,c\n1,"[""x"",""y""]",\n',
    );
  });
});
