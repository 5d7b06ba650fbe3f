import type { Effort } from '../growth/dimension.js';
import { dimensions } from '../growth/index.js';
import { answerQuestions } from '../program.js';

/** Measures a dimension at one size. Progress goes to standard error. */
answerQuestions({
  measure: ({ id, size, effort }: { id: string; size: number; effort: Effort }) => {
    const dimension = dimensions.find((one) => one.id === id);
    if (!dimension) throw new Error(`there is no dimension ${id}`);
    const tell = (progress: string) =>
      process.stderr.write(`[bench] ${size.toLocaleString('en-US')} ${id}: ${progress}\n`);
    return dimension.measure(size, effort, tell);
  },
});
