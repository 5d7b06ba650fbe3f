import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Decimal, decimal } from '../numbers/decimal.js';
import { PriceHeap, type HeapEntry } from './price-heap.js';

const price = fc.integer({ min: 1, max: 40 }).map((whole) => decimal(String(whole)));
type Step = { readonly add: Decimal } | { readonly remove: number } | { readonly reach: Decimal };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: price.map((add) => ({ add })) },
  { weight: 2, arbitrary: fc.nat().map((remove) => ({ remove })) },
  { weight: 1, arbitrary: price.map((reach) => ({ reach })) },
);

describe.each([
  ['that falling quotes reach', true],
  ['that rising quotes reach', false],
])('prices %s', (_, rising) => {
  it('are visited while they wait, also after most of the others were removed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const heap = new PriceHeap<HeapEntry>(rising);
        const waiting: HeapEntry[] = [];
        for (const next of steps) {
          if ('add' in next) {
            const rung = { price: next.add, gone: false };
            heap.add(rung);
            waiting.push(rung);
          } else if ('remove' in next) {
            const [rung] = waiting.splice(next.remove % Math.max(1, waiting.length), 1);
            if (rung) heap.remove(rung);
          } else {
            const visited = new Set<HeapEntry>();
            heap.reached(next.reach, (rung) => visited.add(rung));
            const naive = waiting.filter((rung) =>
              rising ? rung.price.gte(next.reach) : rung.price.lte(next.reach),
            );
            expect(visited).toEqual(new Set(naive));
            expect(visited.size).toBe(naive.length);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
