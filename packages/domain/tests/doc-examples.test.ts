import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import * as domain from '@slipstream/domain';
import type { Market, NextId, TradedInstrument } from '@slipstream/domain';

const { ZERO, decimal, id } = domain;
const sources = join(import.meta.dirname, '../src');

/** The lines of each `@example`, by the export below it. */
const examples = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(sources, file), 'utf8'))
  .flatMap((text) => [...text.matchAll(/ \* @example\n([^]*?) \*\/\nexport \w+ (\w+)/g)])
  .map(([, lines = '', name = '']) => [name, lines.replace(/^ \* ?/gm, '')] as const);

const acme: TradedInstrument = {
  id: id('acme'),
  ...{ symbol: 'ACME', security: 'stock', exchange: 'NYSE', status: 'active' },
  fee: ZERO,
  slippage: ZERO,
};
const price = decimal('100');
const marketWhen = (isOpen: boolean): Market => {
  const quote = { stockId: acme.id, bid: price, ask: price, last: price, at: 0 };
  return {
    now: 0,
    stock: () => acme,
    quote: () => quote,
    freshQuote: () => quote,
    session: () => (isOpen ? { opensAt: 0, closesAt: 1 } : undefined),
  };
};

/** The result of each line `expression // => value`, and the value that it states. */
function checked(lines: string): unknown {
  let count = 0;
  const nextId: NextId = () => id(`id-${(count += 1)}`);
  const program = lines.replace(/^(.*) \/\/ => (.*)$/gm, 'results.push([$1, $2]);');
  const scene = { ...domain, market: marketWhen(true), closed: marketWhen(false), nextId };
  const text: unknown = runInNewContext(
    `const results = []; ${program}; JSON.stringify(results)`,
    scene,
  );
  return JSON.parse(String(text));
}

describe('the examples beside the functions', () => {
  it('are there for the functions that a host calls first', () => {
    expect(examples.map(([name]) => name)).toEqual(
      expect.arrayContaining(['decimal', 'submit', 'matchOrders', 'planAllocations', 'planAlert']),
    );
  });

  it.each(examples)('of %s is right', (_name, lines) => {
    const results = checked(lines) as [unknown, unknown][];
    expect(results.length).toBeGreaterThan(0);
    expect(results.map(([came]) => came)).toEqual(results.map(([, stated]) => stated));
  });
});
