import { Revaluation, decimal } from '@slipstream/domain';
import { benchmark, figureAtMost, ratioAtMost } from '../measure/benchmark.js';
import { decimalLoop, floatLoop } from '../baselines/revaluation-loops.js';
import { heapNow } from '../measure/cpu.js';
import { manyStrategies } from '../many-strategies.js';

/** The memory that the domain needs to know all values at once, beside the books. */
export const kernelMemory = benchmark(
  'P10',
  [
    {
      what: 'heap bytes of a 20-position strategy, kernel state only',
      baseline: 'float64 typed arrays (not exact)',
      gate: figureAtMost(2048),
    },
    {
      what: 'heap bytes of a 20-position strategy, kernel state only',
      baseline: 'big.js amounts and values',
      gate: ratioAtMost(0.4),
    },
  ],
  async ({ quick }) => {
    const many = manyStrategies(quick ? 1000 : 10_000);
    const price = decimal('100');
    /** Kept until it was weighed. */
    let held: unknown;
    const weighed = (make: () => unknown): number => {
      held = undefined;
      const before = heapNow();
      held = make();
      const bytes = (heapNow() - before) / many.books.length;
      if (held === undefined) throw new Error('nothing was made');
      held = undefined;
      return bytes;
    };
    const kernel = () => {
      const made = new Revaluation();
      for (const { id } of many.stocks) made.quote(id, { bid: price, ask: price });
      for (const book of many.books) made.change(undefined, book);
      return made;
    };
    const ticked = (loop: { tick: ReturnType<typeof floatLoop>['tick'] }) => {
      for (const { id } of many.stocks) loop.tick(id, '100.01');
      return loop;
    };
    return {
      async round() {
        const floats = weighed(() => ticked(floatLoop(many.books)));
        const figure = weighed(kernel);
        const decimals = weighed(() => ticked(decimalLoop(many.books)));
        return [
          { figure, baseline: floats },
          { figure, baseline: decimals },
        ];
      },
      close: () => undefined,
    };
  },
);
