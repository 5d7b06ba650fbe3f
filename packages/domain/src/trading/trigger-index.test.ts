import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  START,
  aQuote,
  aStock,
  anOpenOrder,
  ids,
  limit,
  oco,
  stopLimit,
  stopMarket,
} from '../../tests/builders.js';
import { id } from '../ids.js';
import type { OpenOrder, Pricing } from './order.js';
import { TriggerIndex } from './trigger-index.js';
import { matchOrder } from './order-types/index.js';

const OPENED = START - 1000;
/** The opening of the next session: an order that rests by then has met no quote of it. */
const NEXT_OPENED = START - 10;
const stock = aStock('AAA');

/** Whether the quote fills the order, fires its stop or lets it rest. */
function moves(order: OpenOrder, bid: number, ask: number, opensAt: number): boolean {
  if (order.dependsOn.length > 0) return false;
  const met = matchOrder(order, {
    quote: aQuote('AAA', [`${bid}`, `${ask}`]),
    stock,
    session: { opensAt, closesAt: START + 1000 },
    now: START,
  });
  return (
    met.fills || met.triggeredAt !== order.triggeredAt || met.restingSince !== order.restingSince
  );
}

const reached = (index: TriggerIndex, bid: number, ask: number, opensAt = OPENED): string[] =>
  index.reached(aQuote('AAA', [`${bid}`, `${ask}`]), opensAt).map(({ orderId }) => orderId);

const price = fc.integer({ min: 1, max: 12 });
const pricing: fc.Arbitrary<Pricing> = fc
  .tuple(fc.constantFrom('market', 'limit', 'stop_market', 'stop_limit', 'oco'), price, price)
  .map(([type, first, second]) => {
    const [one, other] = [String(first), String(second)];
    if (type === 'market') return { type };
    if (type === 'limit') return limit(one);
    if (type === 'stop_market') return stopMarket(one);
    return type === 'oco' ? oco(one, other) : stopLimit(one, other);
  });
/** Only possible states: a trigger belongs to a stop, and only a limit in force rests. */
function asLived(changes: Partial<OpenOrder>): Partial<OpenOrder> {
  const type = changes.pricing?.type;
  const triggeredAt = type === 'limit' || type === 'market' ? null : (changes.triggeredAt ?? null);
  const hasLimit = type === 'limit' || type === 'oco' || (type === 'stop_limit' && triggeredAt);
  return {
    ...changes,
    triggeredAt,
    restingSince: hasLimit ? (changes.restingSince ?? null) : null,
  };
}

const order: fc.Arbitrary<OpenOrder> = fc
  .record({
    id: fc.integer({ min: 0, max: 15 }).map((number) => id<'order'>(`o${number}`)),
    action: fc.constantFrom('buy', 'sell'),
    pricing,
    dependsOn: fc.constantFrom([], [], [], ids('x')),
    triggeredAt: fc.constantFrom(null, START - 1),
    restingSince: fc.constantFrom(null, OPENED + 1, START - 1),
  })
  .map((changes) => anOpenOrder(asLived(changes as Partial<OpenOrder>)));
type Step =
  | { readonly put: OpenOrder }
  | { readonly remove: OpenOrder }
  | { readonly bid: number; readonly spread: number; readonly opensAt: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: order.map((put) => ({ put })) },
  { weight: 1, arbitrary: order.map((remove) => ({ remove })) },
  {
    weight: 3,
    arbitrary: fc.record({
      bid: price,
      spread: fc.integer({ min: 0, max: 3 }),
      opensAt: fc.constantFrom(OPENED, NEXT_OPENED),
    }),
  },
);

describe('the orders that must look at a quote', () => {
  it('are all that it moves, without resting or untouched ones', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const index = new TriggerIndex();
        const known = new Map<string, OpenOrder>();
        for (const next of steps) {
          if ('put' in next) {
            index.put(next.put);
            known.set(next.put.id, next.put);
          } else if ('remove' in next) {
            index.remove(next.remove);
            known.delete(next.remove.id);
          } else {
            const { bid, opensAt } = next;
            const ask = bid + next.spread;
            const found = reached(index, bid, ask, opensAt);
            const naive = [...known.values()].filter((order) => moves(order, bid, ask, opensAt));
            expect(found.sort()).toEqual(naive.map((waiting) => waiting.id as string).sort());
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('each once, though both legs of an OCO are reached', () => {
    const index = new TriggerIndex();
    index.put(anOpenOrder({ pricing: oco('5', '10'), restingSince: START }));
    expect(reached(index, 7, 7)).toEqual(['o1']);
  });

  it('none of another stock', () => {
    const index = new TriggerIndex();
    index.put(anOpenOrder({ stockId: id('BBB') }));
    expect(reached(index, 1, 1)).toEqual([]);
    index.remove({ id: id('o1'), stockId: id('AAA') });
    expect([...index.strategies(id('BBB')).values()]).toEqual([1]);
  });
});
