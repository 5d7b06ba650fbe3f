import { describe, expect, it } from '@jest/globals';
import { type Coverage, addCoverage, inWords, search } from '../src/index.js';

/** Runs of one seed. The first two reach all of `MUST_REACH`; the others run only if a situation was not reached. */
const BLOCK = 2;
const SEEDS = [20260216, 20260367, ...Array.from({ length: 8 }, (_, index) => 20260140 + index)];
const LEAST = 4;

/** Situations that these runs must reach, or they prove too little. */
const MUST_REACH = [
  'broker: place',
  'broker: find',
  'broker: filled',
  'foreignTrade: answered',
  'bot: running',
  'bot: stopping -> off',
  'bot order: unknown',
  'bot order: cancelled',
  'fault: crash',
  'fault: broker crash_after of an order',
  'fault: broker lost_answer of an order',
];

describe('bots at Alpaca, through the real adapter and the stand-in', () => {
  it('double, lose and alter no order and leave what is kept, whatever fails', async () => {
    const coverage: Coverage = new Map();
    const onRun = (run: { coverage: Coverage }): void => addCoverage(coverage, run.coverage);
    const unmet = (): string[] => MUST_REACH.filter((what) => !coverage.has(what));
    for (const [block, seed] of SEEDS.entries()) {
      if (block >= LEAST && unmet().length === 0) break;
      const found = await search({ seed, runs: BLOCK, broker: 'alpaca', onRun });
      expect(found && `${found.violation.message}\n${inWords(found.story)}`).toBeUndefined();
    }
    expect(unmet()).toEqual([]);
  });

  it('tell a story the same way every time', async () => {
    const traces: (readonly string[])[] = [];
    for (let time = 0; time < 2; time += 1) {
      const onRun = ({ trace }: { trace: readonly string[] }): void => void traces.push(trace);
      await search({ seed: 7, runs: 2, broker: 'alpaca', onRun });
    }
    expect(traces.slice(0, 2)).toEqual(traces.slice(2));
    expect(traces.flat().length).toBeGreaterThan(100);
  });
});
