import type { Pause } from '@slipstream/ports';
import type { Steps } from '@slipstream/domain';

/** The result of a long computation of the domain: other work runs between its steps. */
export async function finished<Result>(steps: Steps<Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
