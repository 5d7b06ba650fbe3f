import type { Scale } from '../measure/benchmark.js';
import { benchmarks } from '../benchmarks/index.js';
import { measure } from '../measure/measure.js';
import { answerQuestions } from '../program.js';

/** A benchmark in a process of its own: what one leaves in memory slows no other. Progress goes to standard error. */
answerQuestions({
  measure: ({ id, scale, rounds }: { id: string; scale: Scale; rounds: number }) => {
    const benchmark = benchmarks.find((one) => one.id === id);
    if (!benchmark) throw new Error(`there is no benchmark ${id}`);
    return measure(benchmark, scale, rounds, (progress) =>
      process.stderr.write(`[bench] ${progress}\n`),
    );
  },
});
