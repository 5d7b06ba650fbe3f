import { describe, expect, it } from '@jest/globals';
import { wholeTable } from '../src/figures/whole-table.js';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

const HEAD = 'stock_id,links,order_id,amount\n';
/** A cell of one line, and of two, the second of which begins like a record. */
const LINKS = ['"{""site"":""a, b""}"', `"a\n${idOf(7)},b"`];

/**
 * A list of so many records, newest first, as the service answers it, and how often it was asked. Other ids come before a
 * record's own, as that of the stock does in a table of orders.
 */
function list(count: number) {
  const lines = Array.from(
    { length: count },
    (_, n) => `${idOf(9999)},${LINKS[n % 2]},${idOf(count - n)},15\n`,
  );
  const asked: (string | undefined)[] = [];
  return {
    asked,
    lines,
    page: async ({ limit, cursor }: { readonly limit: number; readonly cursor?: string }) => {
      asked.push(cursor);
      const after = lines.findIndex((line) => line.endsWith(`,${cursor},15\n`)) + 1;
      const isUnknown = cursor !== undefined && after === 0;
      return HEAD.concat(...(isUnknown ? [] : lines.slice(after, after + limit)));
    },
  };
}

describe('a list as a file', () => {
  it.each([0, 1, 99, 100, 101, 250])('has all of its %i records, each once', async (count) => {
    const { page, lines } = list(count);
    expect(await wholeTable(page, 'order_id')).toBe(HEAD.concat(...lines));
  });

  it('asks for the next page after the last record of the one before', async () => {
    const { page, asked } = list(250);
    await wholeTable(page, 'order_id');
    expect(asked).toEqual([undefined, idOf(151), idOf(51)]);
  });

  it('is asked for once if it is no list', async () => {
    const asked: unknown[] = [];
    const days = 'at,value\n'.concat('2026-01-31T12:00:00.000Z,1\n'.repeat(500));
    const ask = async (page: unknown) => (asked.push(page), days);
    expect(await wholeTable(ask, undefined)).toBe(days);
    expect(asked).toHaveLength(1);
  });
});
