import { describe, expect, it } from '@jest/globals';
import { wholeTable } from '../src/figures/whole-table.js';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** A list of so many records, newest first, as the service answers it, and how often it was asked. */
function list(count: number) {
  const lines = Array.from({ length: count }, (_, n) => `${idOf(count - n)},"a, ""b""",15\n`);
  const asked: (string | undefined)[] = [];
  return {
    asked,
    lines,
    page: async ({ limit, cursor }: { readonly limit: number; readonly cursor?: string }) => {
      asked.push(cursor);
      const after = lines.findIndex((line) => cursor !== undefined && line.startsWith(cursor)) + 1;
      return `invoice_id,description,amount\n${lines.slice(after, after + limit).join('')}`;
    },
  };
}

describe('a list as a file', () => {
  it.each([0, 1, 99, 100, 101, 250])('has all of its %i records, each once', async (count) => {
    const { page, lines } = list(count);
    expect(await wholeTable(page)).toBe(`invoice_id,description,amount\n${lines.join('')}`);
  });

  it('asks for the next page after the last record of the one before', async () => {
    const { page, asked } = list(250);
    await wholeTable(page);
    expect(asked).toEqual([undefined, idOf(151), idOf(51)]);
  });

  it('is asked for once if it is no list', async () => {
    const asked: unknown[] = [];
    const days = 'at,value\n'.concat('2026-01-31T12:00:00.000Z,1\n'.repeat(500));
    const ask = async (page: unknown) => (asked.push(page), days);
    expect(await wholeTable(ask)).toBe(days);
    expect(asked).toHaveLength(1);
  });
});
