import type { Scale } from '../measure/benchmark.js';
import { benchmarks } from '../benchmarks/index.js';
import { measure } from '../measure/measure.js';
import { answerQuestions } from '../program.js';

/** Runs a benchmark in its own process, so that its memory slows no other benchmark. Progress goes to standard error. */
answerQuestions({
  measure: ({ id, scale, rounds }: { id: string; scale: Scale; rounds: number }) => {
    const benchmark = benchmarks.find((one) => one.id === id);
    if (!benchmark) throw new Error(`there is no benchmark ${id}`);
    return measure(benchmark, scale, rounds, (progress) =>
      process.stderr.write(`[bench] ${progress}\n`),
    );
  },
});
