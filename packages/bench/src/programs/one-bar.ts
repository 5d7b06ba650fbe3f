import type { Scale } from '../bar.js';
import { bars } from '../bars/index.js';
import { measure } from '../measure.js';
import { answerQuestions } from '../program.js';

/** A bar in a process of its own: what one leaves in memory slows no other. Progress goes to standard error. */
answerQuestions({
  measure: ({ id, scale, rounds }: { id: string; scale: Scale; rounds: number }) => {
    const bar = bars.find((one) => one.id === id);
    if (!bar) throw new Error(`there is no bar ${id}`);
    return measure(bar, scale, rounds, (progress) => process.stderr.write(`[bench] ${progress}\n`));
  },
});
